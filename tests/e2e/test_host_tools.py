"""A table has a host, who keeps it a good place; and nobody is held at a game that somebody has left."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import expect

from tests.e2e.access import check_access
from tests.e2e.party import DESK, PHONE, Party, Screen
from tests.e2e.people import Person

pytestmark = pytest.mark.e2e

PATIENCE_SECONDS = 60


async def open_table(party: Party) -> tuple[Person, str]:
    """The host in his waiting room, and the link to it."""
    host = await party.arrive("Hal")
    await host.type_name()
    await host.page.get_by_role("button", name="Make a table").click()
    return host, await host.copy_link()


async def join(party: Party, host: Person, link: str, name: str, screen: Screen = DESK) -> Person:
    """Somebody who has the link sits down."""
    guest = await party.arrive(name, at=link, screen=screen)
    await guest.type_name()
    await guest.page.get_by_role("button", name="Join the table").click()
    await expect(host.page.get_by_role("button", name=f"Rename {name}")).to_be_visible()
    return guest


async def send_away(host: Person, name: str, how: str) -> None:
    """By the host: it takes two presses."""
    await host.page.get_by_role("button", name=f"Remove {name}").click()
    await check_access(host.page)
    await host.page.get_by_role("dialog").get_by_role("button", name=how).click()
    await expect(host.page.get_by_role("button", name=f"Rename {name}")).to_have_count(0)


async def begin(*people: Person) -> None:
    for person in people:
        await person.get_ready()
    for person in people:
        await person.see("table")


async def test_who_was_removed_may_come_back_who_was_banned_may_not(party: Party) -> None:
    host, link = await open_table(party)
    guest = await join(party, host, link, "Ines")
    await send_away(host, "Ines", "Remove")
    await expect(guest.page.get_by_role("heading", name="Your seat is gone")).to_be_visible()
    await guest.page.get_by_role("button", name="Watch").click()
    await guest.page.get_by_role("button", name="Join the table").click()
    await expect(host.page.get_by_role("button", name="Rename Ines")).to_be_visible()

    await send_away(host, "Ines", "Ban")
    await expect(guest.page.get_by_role("heading", name="You cannot come in")).to_be_visible()
    with party.expecting("403 for"), party.expecting("status of 403"):
        await guest.page.reload()
        await guest.page.get_by_role("button", name="Join the table").click()
        await expect(guest.page.get_by_role("alert")).not_to_be_empty()
    await expect(host.page.get_by_role("button", name="Rename Ines")).to_have_count(0)


async def test_behind_locked_seats_nobody_more_sits_down_and_who_sits_stays(party: Party) -> None:
    host, link = await open_table(party)
    guest = await join(party, host, link, "Ines")
    await host.page.get_by_role("radio", name="Locked").check()
    late = await party.arrive("Otto", at=link)
    await expect(late.page.get_by_text("the host lets nobody more sit down")).to_be_visible()
    await expect(late.page.get_by_role("button", name="Join the table")).to_have_count(0)
    await guest.page.reload()
    await expect(guest.page.get_by_role("button", name="I am ready")).to_be_visible()
    await host.page.get_by_role("group", name="Free seats").get_by_role("radio", name="Open").check()
    await expect(late.page.get_by_role("button", name="Join the table")).to_be_visible()


async def test_a_hidden_code_is_nowhere_on_the_page_and_can_still_be_copied(party: Party) -> None:
    host, link = await open_table(party)
    code = link.rsplit("/", 1)[1]
    await expect(host.page.get_by_test_id("code")).to_have_text(code)
    await host.page.get_by_role("button", name="Hide code").click()
    assert code not in await host.page.content()
    assert await host.page.get_by_role("img", name="QR code").count() == 0
    assert code not in await host.page.get_by_label("Link to this table").input_value()
    assert await host.copy_link() == link
    await host.page.reload()
    await host.see("waiting")
    assert code not in await host.page.content()


async def test_everyone_reads_whether_it_is_rated_and_what_that_means(party: Party) -> None:
    host, link = await open_table(party)
    guest = await join(party, host, link, "Ines")
    await expect(guest.page.get_by_text("For fun: no rating moves.")).to_be_visible()
    await host.page.get_by_role("radio", name="Rated").check()
    await expect(guest.page.get_by_text("Rated: the order at the end")).to_be_visible()
    # Bots are no part of it, and the page says why.
    await host.page.get_by_role("button", name="Add bot: steady, at hand 3").click()
    await expect(host.page.get_by_role("alert")).to_be_visible()
    await expect(host.page.get_by_role("button", name="Remove", exact=True)).to_have_count(0)


async def test_a_name_can_be_reported(party: Party) -> None:
    host, link = await open_table(party)
    guest = await join(party, host, link, "Ines")
    await guest.page.get_by_role("button", name="Report Hal").click()
    sheet = guest.page.get_by_role("dialog")
    await check_access(guest.page)
    await sheet.get_by_label("What is wrong?").fill("It is rude.")
    await sheet.get_by_role("button", name="Report").click()
    await expect(sheet.get_by_role("status")).to_contain_text("Thank you")


async def test_when_somebody_has_left_those_who_are_here_can_call_the_game_off(party: Party) -> None:
    host, link = await open_table(party)
    await host.page.get_by_role("radio", name="No clock").check()
    guest = await join(party, host, link, "Ines")
    leaver = await join(party, host, link, "Otto", PHONE)
    await begin(host, guest, leaver)
    for person in (host, guest):
        await expect(person.page.get_by_role("button", name="Call it off?")).to_have_count(0)
    await leaver.page.get_by_role("button", name="Menu").click()
    await leaver.page.get_by_role("button", name="Leave the table").click()
    await leaver.page.get_by_role("dialog").get_by_role("button", name="Leave").click()

    for person in (host, guest):
        await person.page.get_by_role("button", name="Call it off?").click()
        await check_access(person.page)
    await host.page.get_by_role("button", name="Call it off", exact=True).click()
    await expect(guest.page.get_by_role("dialog")).to_contain_text("for calling it off")
    await host.page.get_by_role("button", name="Rather play on").click()
    await expect(guest.page.get_by_role("dialog")).not_to_contain_text("for calling it off")
    for person in (host, guest):
        await person.page.get_by_role("button", name="Call it off", exact=True).click()
    async with asyncio.timeout(PATIENCE_SECONDS):
        for person in (host, guest):
            await person.see("waiting")
            await expect(person.page.get_by_role("heading", name="The game was called off")).to_be_visible()
            await expect(person.page.get_by_role("link", name="Watch the replay")).to_be_visible()
            await expect(person.page.get_by_role("button", name="I am ready")).to_be_visible()


async def test_a_watcher_is_told_that_he_sees_it_later_and_then_sees_it(party: Party) -> None:
    host, link = await open_table(party)
    await host.page.get_by_role("radio", name="No clock").check()
    guest = await join(party, host, link, "Ines")
    await begin(host, guest)
    watcher = await party.arrive("Wim", at=link, screen=PHONE)
    await expect(watcher.page.get_by_role("heading", name="A game is on")).to_be_visible()
    await check_access(watcher.page)
    await watcher.see("table")
    await expect(watcher.page.get_by_text("You are watching, 3 s behind.")).to_be_visible()
    await check_access(watcher.page)
