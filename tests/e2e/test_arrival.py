"""The first minute: a new person is in a game at once, and a keyboard is enough for everything."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import expect

from tests.e2e.hands import Keys
from tests.e2e.party import Party

pytestmark = [pytest.mark.e2e, pytest.mark.timed]

GAME_SECONDS = 90


async def test_a_new_person_is_in_a_game_after_typing_a_name_and_one_click(party: Party) -> None:
    person = await party.arrive("Nora")
    await person.type_name()
    await person.page.get_by_role("button", name="Play now").click()
    sight = await person.see("table")
    assert sight.hand
    assert sight.prompt
    await expect(person.page.get_by_label("Opponents").get_by_role("article")).to_have_count(3)


async def test_a_nameless_person_is_in_a_game_after_one_click(party: Party) -> None:
    person = await party.arrive("Nobody")
    await person.page.get_by_role("button", name="Play now").click()
    assert (await person.see("table")).prompt


async def test_a_keyboard_is_enough_from_the_home_page_on(party: Party) -> None:
    person = await party.arrive("Kay Board", hand=Keys)
    page = person.page
    keyboard = page.keyboard
    assert isinstance(person.hand, Keys)
    await person.hand.go_to(page.get_by_label("Your name"))
    await keyboard.type(person.name)
    await person.hand.press(page.get_by_role("button", name="Play now"))
    await person.see("table")

    person.fakes = 1
    async with asyncio.timeout(GAME_SECONDS):
        # To the first race and beyond it: until all keys of the game have been used.
        while not all(person.wire.said(kind) for kind in ("Reach", "Touch", "Act")):
            await person.live_through(await person.look())

    await person.hand.press(page.get_by_role("button", name="Settings"))
    await person.hand.go_to(page.get_by_role("dialog").get_by_label("Your name"))
    moves = person.wire.said("Reach", "Touch", "Act")
    await keyboard.press("End")
    await keyboard.type(" f d p")
    await keyboard.press("Space")
    await expect(page.get_by_role("dialog").get_by_label("Your name")).to_have_value("Kay Board f d p ")
    assert person.wire.said("Reach", "Touch", "Act") == moves
    await keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await keyboard.press("Space")
    assert (await person.look()).page == "table"


async def test_space_in_a_name_field_of_the_waiting_room_is_a_space(party: Party) -> None:
    person = await party.arrive("Ida")
    page = person.page
    await person.type_name()
    await page.get_by_role("button", name="Make a table").click()
    await page.get_by_role("button", name="Rename Ida").click()
    await page.keyboard.type("Ida f d p")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("button", name="Rename Ida f d p")).to_be_visible()
    assert person.wire.said("Reach", "Touch", "Act") == 0
