"""Two phones at one table: a whole game by touch alone, under two thumbs."""

from __future__ import annotations

import asyncio
import re

import pytest
from playwright.async_api import expect

from tests.e2e.access import check_access
from tests.e2e.count import check_count, read_count
from tests.e2e.eyes import find_obstacles
from tests.e2e.party import PHONE, SMALL_PHONE, Party
from tests.e2e.people import Person

pytestmark = pytest.mark.e2e

GAME_SECONDS = 120
SETTLED_SECONDS = 0.4
"""Cards slide to their places; what is still in the way after that stays there."""


async def test_two_phones_play_a_whole_short_game_by_touch_alone(party: Party) -> None:
    host = await party.arrive("Pia", screen=PHONE)
    await check_width(host)
    await host.type_name()
    await host.page.get_by_role("button", name="Make a table").tap()
    await host.see("waiting")
    await check_width(host)
    await shorten_game(host)

    friend = await party.arrive("Quirin", at=host.page.url, screen=SMALL_PHONE)
    await friend.type_name()
    await friend.page.get_by_role("button", name="Join the table").tap()
    for hand in (3, 4):
        await host.page.get_by_role("button", name=re.compile(rf"^Add bot.* hand {hand}")).tap()
    for person in (host, friend):
        await check_width(person)
        await person.page.get_by_role("button", name="I am ready").tap()

    async with asyncio.timeout(GAME_SECONDS), asyncio.TaskGroup() as people:
        for person in (host, friend):
            people.create_task(play_under_a_thumb(person))
    for person in (host, friend):
        await check_width(person)
        check_count(await read_count(person.page))
        await check_access(person.page)
    for person in (host, friend):
        await person.page.get_by_role("button", name="Rematch").tap()
    for person in (host, friend):
        await person.see("table")


async def shorten_game(host: Person) -> None:
    """House rules by touch: numbers from 1 to 5 only."""
    page = host.page
    await page.get_by_role("button", name="House rules…").tap()
    await page.get_by_role("group", name="Numbers from 1 to").get_by_role("radio", name="5").tap()
    await page.get_by_role("button", name="Play by these").tap()
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(page.get_by_text("22 cards")).to_be_visible()


async def play_under_a_thumb(person: Person) -> None:
    """To the end; whenever there is something to do, everything to do it with can be reached."""
    await person.see("table")
    while (sight := await person.look()).page != "result":
        if sight.answers or sight.offers("Draw", "Pass", "Reach"):
            await check_layout(person)
        await person.live_through(sight)


async def check_layout(person: Person) -> None:
    trouble = await find_obstacles(person.page)
    if trouble:
        await asyncio.sleep(SETTLED_SECONDS)
        later = await find_obstacles(person.page)
        stays = [what for what in trouble if what in later]
        assert not stays, f"{person.name}'s page: {stays}"


async def check_width(person: Person) -> None:
    """A page one reads may be scrolled down, never sideways."""
    wide: int = await person.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"{person.name}'s page is {wide} px too wide"
