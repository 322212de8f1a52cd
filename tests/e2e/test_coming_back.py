"""The seat is a ticket: a page that is reloaded, doubled or cut off is still the same player."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import expect

from tests.e2e.eyes import Sight
from tests.e2e.line import lay_line
from tests.e2e.party import Party
from tests.e2e.people import Person
from tests.e2e.wire import seats_of

pytestmark = pytest.mark.e2e

PATIENCE_SECONDS = 60
LONGEST_BACKOFF_MS = 10_000


async def own_turn(party: Party, at: str | None = None) -> tuple[Person, Sight]:
    """Someone in a game without a clock, whose turn it is: nobody can take a card from him now."""
    person = await party.arrive("Rita", at=at)
    page = person.page
    await person.type_name()
    await page.get_by_role("button", name="Make a table").click()
    await page.get_by_role("radio", name="No clock").check()
    await person.add_bot(2, "Gentle")
    await person.get_ready()
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not (sight := await person.look()).prompt.startswith("Your turn: draw"):
            await person.live_through(sight)
    return person, sight


async def test_a_reload_in_mid_game_comes_back_to_the_same_seat_and_hand(party: Party) -> None:
    person, before = await own_turn(party)
    await person.page.reload()
    after = await person.see("table")
    assert after.hand == before.hand
    assert after.prompt == before.prompt
    assert seats_of(person.wire.messages()) == {1}
    await person.hand.draw()
    await expect(person.page.get_by_role("button", name="Draw, ")).to_have_count(0)


async def test_a_cloned_tab_takes_the_seat_over_and_the_older_one_says_so(party: Party) -> None:
    person, before = await own_turn(party)
    twin = await party.open_another_tab(person)
    assert (await twin.see("table")).hand == before.hand
    await expect(person.page.get_by_role("heading", name="You are playing elsewhere")).to_be_visible()

    await person.page.get_by_role("button", name="Play here").click()
    assert (await person.see("table")).hand == before.hand
    await expect(twin.page.get_by_role("heading", name="You are playing elsewhere")).to_be_visible()


async def test_a_lost_connection_is_told_and_taken_up_again(party: Party) -> None:
    with lay_line(party.home) as line:
        person, before = await own_turn(party, at=line.address)
        reconnecting = person.page.get_by_text("Reconnecting")
        await expect(reconnecting).to_have_count(0)
        with party.expecting("ERR_CONNECTION_REFUSED"):
            line.cut()
            await expect(reconnecting).to_be_visible()
            assert (await person.look()).hand == before.hand
            line.mend()
            await expect(reconnecting).to_have_count(0, timeout=LONGEST_BACKOFF_MS)
        after = await person.see("table")
        assert after.hand == before.hand
        await person.hand.draw()
        await expect(person.page.get_by_role("button", name="Draw, ")).to_have_count(0)


async def test_the_others_are_told_who_is_away_and_who_is_back(party: Party) -> None:
    host = await party.arrive("Hal")
    await host.type_name()
    await host.page.get_by_role("button", name="Make a table").click()
    await host.see("waiting")
    friend = await party.arrive("Ines", at=host.page.url)
    await friend.type_name()
    await friend.page.get_by_role("button", name="Join the table").click()
    await expect(host.page.get_by_role("img", name="away")).to_have_count(0)
    link = friend.page.url
    await friend.page.goto("about:blank")
    await expect(host.page.get_by_role("img", name="away")).to_have_count(1)
    await friend.page.goto(link)
    await expect(host.page.get_by_role("img", name="away")).to_have_count(0)
