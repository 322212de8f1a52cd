"""Whole games, from the home page to the rematch, by what is on the screen."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

import pytest
from playwright.async_api import expect

from tests.e2e.access import check_access
from tests.e2e.count import check_classic, check_count, check_modern, read_count
from tests.e2e.eyes import see_cards
from tests.e2e.hands import Keys, Mouse
from tests.e2e.party import Party
from tests.e2e.people import Person
from tests.e2e.wire import seats_of, secrets_in

pytestmark = pytest.mark.e2e

GLANCE_SECONDS = 0.2
GAME_SECONDS = 280
CHECKS = {"Classic": check_classic, "Modern": check_modern}


class Evening(NamedTuple):
    """Who has come to a table."""

    host: Person
    friend: Person
    watcher: Person


async def test_two_people_and_two_bots_play_whole_games_of_both_editions(party: Party) -> None:
    # One after the other: a browser has one clipboard, whoever's link is in it.
    evenings = {edition: await sit_down(party, edition) for edition in CHECKS}
    async with asyncio.timeout(GAME_SECONDS), asyncio.TaskGroup() as tables:
        for evening in evenings.values():
            tables.create_task(play_together(evening))
    for edition, evening in evenings.items():
        await check_result(evening, edition)
        await play_again(evening)
        for person, seat in ((evening.host, 1), (evening.friend, 2), (evening.watcher, None)):
            check_wire(person, seat)


async def sit_down(party: Party, edition: str) -> Evening:
    """From the home page to a table at which everyone but the friend is ready."""
    host = await party.arrive(f"Ann {edition[0]}", hand=Keys)
    await host.type_name()
    await host.page.get_by_role("button", name="Make a table").click()
    await host.page.get_by_role("radio", name=edition, exact=True).check()
    link = await host.copy_link()

    friend = await party.arrive(f"Ben {edition[0]}", at=link, hand=Mouse)
    await friend.type_name()
    await friend.page.get_by_role("button", name="Join the table").click()
    await expect(host.page.get_by_role("button", name=f"Rename {friend.name}")).to_be_visible()
    await host.add_bot(3, "Steady")
    await host.add_bot(4, "Gentle")
    await host.get_ready()

    watcher = await party.arrive(f"Wim {edition[0]}", at=link)
    await expect(host.page.get_by_text("1 person is watching")).to_be_visible()
    return Evening(host, friend, watcher)


async def play_together(evening: Evening) -> None:
    """The whole game, until everyone sees the result."""
    await evening.friend.get_ready()
    async with asyncio.TaskGroup() as people:
        for person in (evening.host, evening.friend):
            people.create_task(person.play_to_the_end())
        people.create_task(watch_the_cards(evening.watcher))


async def watch_the_cards(watcher: Person) -> None:
    """To the end, with an eye on everything a watcher's page says about cards: nothing, but what is laid."""
    await watcher.see("table")
    while (await watcher.look()).page != "result":
        told = await see_cards(watcher.page)
        assert told.over or not (told.open or told.words), told
        await asyncio.sleep(GLANCE_SECONDS)


async def check_result(evening: Evening, edition: str) -> None:
    """Everyone reads the same count, and it is right."""
    count = await read_count(evening.watcher.page)
    check_count(count)
    CHECKS[edition](count)
    await check_access(evening.watcher.page)
    for person in (evening.host, evening.friend):
        own = await read_count(person.page)
        check_count(own)
        assert sorted(own.by_name().values()) == sorted(count.by_name().values())
        assert own.by_name()["You"] == count.by_name()[person.name]


async def play_again(evening: Evening) -> None:
    """A press of two buttons, and the next game is dealt."""
    for person in (evening.host, evening.friend):
        await person.page.get_by_role("button", name="Rematch").click()
    for person in evening:
        await person.see("table")
        await expect(person.page.get_by_text("game 2")).to_be_visible()


def check_wire(person: Person, seat: int | None) -> None:
    """Nothing that ever reached this browser tells a card its owner may not know."""
    messages = person.wire.messages()
    assert seats_of(messages) == ({None, seat} if seat == 2 else {seat})  # the friend watched before he sat down
    assert len(messages) > 100
    assert secrets_in(messages, seat) == []
