"""The seat is a ticket, and the table a log: a page that is reloaded, doubled or cut off is still the same player, and
a server that falls comes back with everybody where he was."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path as Folder

import pytest
from playwright.async_api import Locator, expect

from tests.e2e.eyes import Sight
from tests.e2e.hands import middle, reach
from tests.e2e.line import Path, Way, lay_line
from tests.e2e.party import Party
from tests.e2e.people import Person
from tests.e2e.shaky import ShakyHouse, shaky_house
from tests.e2e.wire import seats_of, secrets_in

pytestmark = pytest.mark.e2e

PATIENCE_SECONDS = 60
LONGEST_BACKOFF_MS = 10_000
NO_SERVER = "net::ERR_CONNECTION_RE"
"""Refused, or reset if it is killed in the middle of a handshake."""
TOO_LATE_MS = 4_000
"""Later than a line is cut here, and sooner than a page gives it up by itself."""


@pytest.fixture
def shaky(tmp_path: Folder, web_dist: Folder) -> Iterator[ShakyHouse]:
    """A server of one's own, to kill."""
    with shaky_house(tmp_path) as house:
        yield house


def strip(person: Person) -> Locator:
    """What tells that the connection is being taken up again."""
    return person.page.get_by_role("status").get_by_text("Reconnecting")


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

    await person.page.get_by_role("button", name="Play here instead").click()
    assert (await person.see("table")).hand == before.hand
    await expect(twin.page.get_by_role("heading", name="You are playing elsewhere")).to_be_visible()


async def test_a_lost_connection_is_told_blocks_nothing_and_is_taken_up_again(party: Party) -> None:
    with lay_line(party.home) as line:
        person, before = await own_turn(party, at=line.address)
        page = person.page
        await expect(strip(person)).to_have_count(0)
        with party.expecting(NO_SERVER):
            line.cut()
            await expect(strip(person)).to_be_visible()
            await expect(page.get_by_role("button", name="SLAM")).to_contain_text("no connection")
            assert (await person.look()).hand == before.hand
            await page.get_by_role("button", name="Rules").click()
            await page.get_by_role("dialog").get_by_role("button", name="Close").click()
            line.mend()
            await expect(strip(person)).to_have_count(0, timeout=LONGEST_BACKOFF_MS)
        after = await person.see("table")
        assert after.hand == before.hand
        await person.hand.draw()
        await expect(page.get_by_role("button", name="Draw, ")).to_have_count(0)


async def test_a_move_that_never_got_there_is_made_once_the_line_is_mended(party: Party) -> None:
    with lay_line(party.home) as line:
        person, before = await own_turn(party, at=line.address)
        moves = person.wire.said("Act")
        line.stall_up(TOO_LATE_MS)
        await person.hand.draw()
        line.drop()
        await expect(hand_of(person, len(before.hand) + 1)).to_be_visible()
        assert person.wire.said("Act") == moves + 2


async def test_a_move_that_was_made_is_not_made_again_though_nobody_was_told(party: Party) -> None:
    with lay_line(party.home) as line:
        person, before = await own_turn(party, at=line.address)
        line.path = Path(down=Way(base_ms=TOO_LATE_MS))
        moves = person.wire.said("Act")
        await person.hand.draw()
        await asyncio.sleep(1)  # for the server to have heard it, which nobody can see
        line.path = Path()
        assert (await person.look()).hand == before.hand
        line.drop()
        await expect(hand_of(person, len(before.hand) + 1)).to_be_visible()
        assert person.wire.said("Act") == moves + 1


def hand_of(person: Person, cards: int) -> Locator:
    """His own hand, if it has so many cards."""
    return person.page.get_by_role("list", name=f"Your hand: {cards} cards")


def secrets_of(person: Person) -> list[str]:
    """What ever reached his browser that he may not know."""
    messages = person.wire.messages()
    seat = next(seat for seat in seats_of(messages) if seat is not None)
    return secrets_in(messages, seat)


async def two_people(party: Party, at: str) -> tuple[Person, Person]:
    """At a table without a clock, in a game; the first one is he whose turn it is to draw."""
    host = await party.arrive("Hal", at=at)
    await host.type_name()
    await host.page.get_by_role("button", name="Make a table").click()
    await host.page.get_by_role("radio", name="No clock").check()
    friend = await party.arrive("Ines", at=await host.copy_link())
    await friend.type_name()
    await friend.page.get_by_role("button", name="Join the table").click()
    await expect(host.page.get_by_role("button", name="Rename Ines")).to_be_visible()
    for person in (host, friend):
        await person.get_ready()
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            for person, other in ((host, friend), (friend, host)):
                sight = await person.look()
                if sight.prompt.startswith("Your turn: draw"):
                    return person, other
                await person.live_through(sight)


async def check_same_table(drawer: Person, other: Person, before: tuple[Sight, Sight]) -> None:
    """Both see what they saw, and the game goes on before both of them."""
    for person, was in zip((drawer, other), before, strict=True):
        now = await person.see("table")
        assert now.hand == was.hand
        assert now.told == was.told
    assert (await drawer.look()).prompt == before[0].prompt
    await drawer.hand.draw()
    await expect(other.page.get_by_role("list", name="What happened")).to_contain_text(f"{drawer.name} drew a card.")
    assert len((await drawer.look()).hand) == len(before[0].hand) + 1
    for person in (drawer, other):
        assert secrets_of(person) == []


async def test_after_kill_9_both_browsers_come_back_by_themselves_to_the_same_table(
    party: Party, shaky: ShakyHouse
) -> None:
    drawer, other = await two_people(party, at=shaky.address)
    before = await drawer.look(), await other.look()
    with party.expecting(NO_SERVER):
        shaky.kill()
        for person in (drawer, other):
            await expect(strip(person)).to_be_visible()
        shaky.open()
        for person in (drawer, other):
            await expect(strip(person)).to_have_count(0, timeout=LONGEST_BACKOFF_MS)
    await check_same_table(drawer, other, before)


@pytest.mark.parametrize("how", ["kill", "stop"])
async def test_a_reach_cut_off_by_a_restart_is_as_if_it_had_never_begun_and_can_be_made_again(
    party: Party, shaky: ShakyHouse, how: str
) -> None:
    active, other = await two_people(party, at=shaky.address)
    await active.hand.draw()
    pad = reach(active.page)
    await expect(pad).to_be_enabled()
    x, y = await middle(pad)
    await active.page.mouse.move(x, y)
    await active.page.mouse.down()
    reaching = other.page.get_by_test_id("prompt").get_by_text(f"{active.name} is reaching")
    await expect(reaching).to_be_visible()
    with party.expecting(NO_SERVER):
        shaky.kill() if how == "kill" else shaky.stop()
        await active.page.mouse.up()
        shaky.open()
        for person in (active, other):
            await expect(strip(person)).to_have_count(0, timeout=LONGEST_BACKOFF_MS)
    await expect(reaching).to_have_count(0)
    await expect(pad).to_be_enabled()
    await active.hand.fake()
    await expect(other.page.get_by_text("A fake!").first).to_be_visible()


async def test_a_server_that_is_stopped_says_so_and_nothing_is_lost(party: Party, shaky: ShakyHouse) -> None:
    drawer, other = await two_people(party, at=shaky.address)
    before = await drawer.look(), await other.look()
    with party.expecting(NO_SERVER):
        shaky.stop()
        for person in (drawer, other):
            await expect(person.page.get_by_text("The server restarts. Reconnecting")).to_be_visible()
        shaky.open()
        for person in (drawer, other):
            await expect(strip(person)).to_have_count(0, timeout=LONGEST_BACKOFF_MS)
    await check_same_table(drawer, other, before)


async def test_whoever_was_in_a_tunnel_is_told_what_he_missed(party: Party) -> None:
    drawer, other = await two_people(party, at=party.home)
    with party.expecting("ERR_INTERNET_DISCONNECTED"):
        await other.page.context.set_offline(True)
        await expect(other.page.get_by_text("No network. Reconnecting")).to_be_visible()
        await drawer.hand.draw()
        await expect(drawer.page.get_by_role("button", name="Draw, ")).to_have_count(0)
        await other.page.context.set_offline(False)
        await expect(strip(other)).to_have_count(0)
    told = (await other.look()).told
    assert f"{drawer.name} drew a card." in told
    assert not any("missing" in line for line in told)
    assert secrets_of(other) == []


async def test_the_others_are_told_who_is_away_and_who_is_back(party: Party) -> None:
    host = await party.arrive("Hal")
    await host.type_name()
    await host.page.get_by_role("button", name="Make a table").click()
    await host.see("waiting")
    friend = await party.arrive("Ines", at=host.page.url)
    await friend.type_name()
    await friend.page.get_by_role("button", name="Join the table").click()
    await expect(host.page.get_by_role("button", name="Rename Ines")).to_be_visible()
    await expect(host.page.get_by_role("img", name="away")).to_have_count(0)
    link = friend.page.url
    await friend.page.goto("about:blank")
    await expect(host.page.get_by_role("img", name="away")).to_have_count(1)
    await friend.page.goto(link)
    await expect(host.page.get_by_role("img", name="away")).to_have_count(0)
