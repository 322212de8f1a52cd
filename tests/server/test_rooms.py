"""Tables on the server: kept before told, mended when they break, dropped when nobody is left, played to the end."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec
import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from slamomatic.game import CLASSIC, MODERN, Deck, Edition
from slamomatic.game.commands import Draw, Pass
from slamomatic.server import wire
from slamomatic.server.clock import now_us
from slamomatic.server.limits import Limits
from slamomatic.server.rooms import MAX_BREAKS
from slamomatic.server.sockets import Socket
from slamomatic.server.storage.logs import Logs
from slamomatic.table.calls import Seated
from slamomatic.table.log import SeatRenamed
from slamomatic.table.memory import rebuilt
from slamomatic.table.output import Output
from slamomatic.table.protocol import Act, ByeReason, Emote, Moved, Ready, Rename, Say, SeatMessage, TableChanged
from slamomatic.table.table import Table
from tests.server.guests import Guest, House, play_to_the_end, until_true


def secrets_in(message: Any) -> list[str]:
    """Every card in this message that only its holder may know, by the name of the field it is in."""
    found = []
    if isinstance(message, dict):
        kind = message.get("type")
        for name, value in message.items():
            is_secret = name in ("hand", "hands", "pile") or (
                name == "card" and kind in ("CardDrawn", "CardTaken", "CardBuried")
            )
            if is_secret and not _is_blank(value) and not (name == "pile" and isinstance(value, int)):
                found.append(f"{kind}.{name} = {value}")
            found += secrets_in(value)
    elif isinstance(message, list):
        for part in message:
            found += secrets_in(part)
    return found


def _is_blank(value: Any) -> bool:
    return value is None or (isinstance(value, list) and all(part is None for part in value))


async def two_who_play(house: House, edition: Edition = CLASSIC) -> tuple[Seated, Guest, Guest]:
    """Ann and Bob, each at a page, with the cards dealt."""
    seated = await house.open("Ann", edition=msgspec.to_builtins(edition))
    ann, bob = await house.sit(seated), await house.sit(await house.join(seated.code, "Bob"))
    await ann.say(Ready(True))
    await bob.say(Ready(True))
    for guest in (ann, bob):
        await guest.hear(Moved)
    return seated, ann, bob


SMALL_MODERN = msgspec.structs.replace(MODERN, name="Small", deck=Deck(highest=4, smiling=True, sad=False))


@pytest.mark.parametrize("edition", [CLASSIC, SMALL_MODERN], ids=lambda edition: edition.name)
async def test_a_whole_game_over_real_sockets_and_who_watches_learns_no_card(house: House, edition: Edition) -> None:
    seated, ann, bob = await two_who_play(house, edition)
    watcher = await house.watch(seated.code)
    listening = asyncio.create_task(watcher.hear_out())
    async with asyncio.timeout(120):
        views = await asyncio.gather(play_to_the_end(ann, slams=2), play_to_the_end(bob, slams=2))
    room = house.room(seated.code)
    assert {view.ended for view in views} == {room.table.record.state.ended}  # type: ignore[union-attr]
    assert rebuilt(await house.entries(seated.code)) == room.table.record

    await until_true(lambda: watcher.view is not None and watcher.view.ended is not None)  # he sees it later
    before_the_end = [json.loads(data) for data in watcher.bytes if b'"ended":null' in data or b'"type":"Cue"' in data]
    assert sum(message["type"] == "Moved" for message in before_the_end) > 10
    assert any(message["type"] == "Cue" for message in before_the_end), "there was a race to watch"
    assert [secret for message in before_the_end for secret in secrets_in(message)] == []
    for guest, seat in ((ann, 1), (bob, 2)):
        assert _hands_seen(guest) == {seat}
    listening.cancel()


def _hands_seen(guest: Guest) -> set[int]:
    """Whose hands this page was shown before the game was over."""
    moved = (wire_message for wire_message in map(json.loads, guest.bytes) if wire_message["type"] == "Moved")
    views = [message["view"] for message in moved if message["view"]["ended"] is None]
    assert views
    return {player["seat"] for view in views for player in view["players"] if player["hand"] is not None}


async def test_the_check_for_secrets_finds_one() -> None:
    assert secrets_in([{"type": "CardDrawn", "seat": 1, "card": 7}]) == ["CardDrawn.card = 7"]
    assert secrets_in({"view": {"players": [{"seat": 1, "hand": [3]}], "pile": 20}}) == ["None.hand = [3]"]
    assert secrets_in({"type": "Dealt", "hands": [None, [3]], "pile": None}) == ["Dealt.hands = [None, [3]]"]


async def test_nobody_is_shown_what_is_not_in_the_database(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    seated = await house.open()
    ann = await house.sit(seated)
    room = house.room(seated.code)
    told: list[bytes] = []
    monkeypatch.setattr(Socket, "write", lambda _, said, **__: told.extend(said))
    release = asyncio.Event()

    async def slow(_: AsyncConnection) -> None:
        await release.wait()

    blocking = asyncio.create_task(house.database.write(slow))  # the one writer is busy
    await asyncio.sleep(0.05)
    await ann.say(Rename(1, "Anna"))
    await until_true(lambda: room.table.record.seats[1].name == "Anna")
    await ann.say(Say(Emote.WAVE))  # nothing to be kept: but it was said after
    await asyncio.sleep(0.05)
    assert not told
    assert not any(isinstance(entry, SeatRenamed) for entry in await house.entries(seated.code))
    release.set()
    await blocking
    await until_true(lambda: len(told) == 2)
    assert b"TableChanged" in told[0]
    assert b"Emoted" in told[1]
    assert any(isinstance(entry, SeatRenamed) for entry in await house.entries(seated.code))


async def test_a_message_to_many_is_written_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    seated = await house.open()
    ann = await house.sit(seated)
    watchers = [await house.watch(seated.code) for _ in range(5)]
    written: list[object] = []
    write = wire.write

    def noting(message: object) -> bytes:
        written.append(message)
        return write(message)

    monkeypatch.setattr(wire, "write", noting)
    await ann.say(Rename(1, "Anna"))
    for guest in (ann, *watchers):
        await guest.hear_table(lambda table: table.seats[0].name == "Anna")
    changes = [message for message in written if isinstance(message, TableChanged)]
    assert len(changes) == len({id(message) for message in changes})


async def test_all_that_has_arrived_is_stamped_before_any_of_it_is_worked_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated, _ann, _bob = await two_who_play(house)
    room = house.room(seated.code)
    worked_on: list[tuple[int, int]] = []
    receive = room.table.receive

    def noting(at_us: int, seat: int, message: SeatMessage) -> Output:
        worked_on.append((at_us, seat))
        return receive(at_us, seat, message)

    monkeypatch.setattr(room.table, "receive", noting)
    data = wire.write(Ready(True))
    begun_us = now_us()
    room.arrive(room.seats[2], begun_us, data)
    room.arrive(room.seats[1], begun_us + 1, data)
    assert worked_on == []
    await asyncio.sleep(0)
    assert worked_on == [(begun_us, 2), (begun_us + 1, 1)]


# When something breaks.


async def test_a_table_that_breaks_comes_back_from_its_log_and_play_goes_on(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    seated, ann, bob = await two_who_play(house)
    watcher = await house.watch(seated.code)
    state = house.room(seated.code).table.state
    _break_once(monkeypatch, "receive")
    await ann.say(Rename(1, "Anna"))
    byes = [await guest.hear_out() for guest in (ann, bob, watcher)]
    assert [bye.reason for bye in byes if bye is not None] == [ByeReason.RESTART] * 3
    assert "ZeroDivisionError" in caplog.text
    again = [await house.sit(msgspec.structs.replace(seated, ticket=guest.ticket)) for guest in (ann, bob)]
    assert house.room(seated.code).table.state == state
    async with asyncio.timeout(30):
        await asyncio.gather(*map(play_to_the_end, again))
    assert rebuilt(await house.entries(seated.code)) == house.room(seated.code).table.record


@pytest.mark.parametrize("method", ["tick", "pong", "connect", "disconnect", "watch", "unwatch"])
async def test_wherever_a_table_breaks_it_comes_back(
    house: House, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    seated = await house.open()
    broken = _break_once(monkeypatch, method)
    async with asyncio.timeout(20):
        while not broken:
            for visit in (partial(house.sit, seated), partial(house.watch, seated.code)):
                with suppress(AssertionError, TimeoutError):  # it was sent away in the middle of its welcome
                    guest = await visit()
                    with suppress(TimeoutError):
                        async with asyncio.timeout(0.2):
                            await guest.hear_out()
                    await guest.ws.close()
        ann = await house.sit(seated)
        await ann.say(Rename(1, "Anna"))
        await ann.hear_table(lambda table: table.seats[0].name == "Anna")


async def test_a_seat_is_not_half_taken_when_a_table_breaks(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    seated = await house.open()
    _break_once(monkeypatch, "join")
    status, body = await house.call("POST", f"/api/tables/{seated.code}/join", {"name": "Bob"})
    assert (status, body["code"]) == (503, "unavailable")
    assert (await house.join(seated.code, "Bob")).seat == 2
    assert len(house.room(seated.code).table.record.seats) == 2


async def test_what_could_not_be_kept_did_not_happen(house: House) -> None:
    seated = await house.open("Ann")
    ann = await house.sit(seated)
    room = house.room(seated.code)
    other = Logs(house.database, "another server")
    await house.rooms._logs.release([room.claim])
    await other.claim(seated.code, now_us())
    await ann.say(Rename(1, "Anna"))
    bye = await ann.hear_out()
    assert bye is not None
    assert bye.reason is ByeReason.RESTART
    assert b"Anna" not in b"".join(ann.bytes)
    assert not any(isinstance(entry, SeatRenamed) for entry in await house.entries(seated.code))


async def test_what_another_server_holds_is_told_so_and_taken_over_when_it_lets_go(house: House) -> None:
    seated = await house.open("Ann")
    await house.rooms.sweep(now_us() + 2 * Limits().empty_us)
    other = Logs(house.database, "another server")
    await other.beat(now_us())
    claim = await other.claim(seated.code, now_us())
    status, body = await house.call("GET", f"/api/tables/{seated.code}")
    assert (status, body["code"]) == (503, "elsewhere")
    bye = await (await house.dial(seated.code)).hear_out()
    assert bye is not None
    assert bye.reason is ByeReason.RESTART
    await other.release([claim])
    ann = await house.sit(seated)
    assert ann.seat == 1


async def test_a_table_that_breaks_again_and_again_is_closed_and_the_others_play_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, sound = await house.open("Ann"), await house.open("Bea")
    bea = await house.sit(sound)
    receive = Table.receive

    def breaking(self: Table, *args: Any) -> Any:
        if self.record.code == broken.code:
            raise RuntimeError("it always breaks")
        return receive(self, *args)

    monkeypatch.setattr(Table, "receive", breaking)
    for _ in range(MAX_BREAKS):
        ann = await house.sit(broken)
        await ann.say(Ready(ready=False))
        assert (await ann.hear_out()) is not None
    await house.rooms.sweep(now_us())
    status, body = await house.call("GET", f"/api/tables/{broken.code}")
    assert (status, body["code"]) == (404, "no-table")
    await bea.say(Rename(1, "Beate"))
    await bea.hear_table(lambda table: table.seats[0].name == "Beate")


def _break_once(monkeypatch: pytest.MonkeyPatch, method: str) -> list[bool]:
    """The next call of this method of any table raises, and only that one."""
    sound = getattr(Table, method)
    broken: list[bool] = []

    def breaking(*args: Any, **settings: Any) -> Any:
        if not broken:
            broken.append(True)
            raise ZeroDivisionError("broken on purpose")
        return sound(*args, **settings)

    monkeypatch.setattr(Table, method, breaking)
    return broken


# When nobody is left.


async def test_a_table_without_people_sleeps_in_the_database_and_wakes_as_it_was(house: House) -> None:
    visited = await house.open()
    ann = await house.sit(visited)
    playing, pat, sue = await two_who_play(house)
    state = house.room(playing.code).table.state
    await pat.ws.close()
    await sue.ws.close()
    await until_true(lambda: not list(house.room(playing.code).sockets()))
    await house.room(playing.code).settled()
    await house.rooms.sweep(now_us() + Limits().empty_us - 1_000_000)
    assert len(house.rooms) == 2
    await house.rooms.sweep(now_us() + Limits().empty_us + 1_000_000)
    assert [room.code for room in house.rooms.rooms()] == [visited.code]
    again = await house.sit(msgspec.structs.replace(playing, ticket=pat.ticket))
    assert again.view is not None
    assert house.room(playing.code).table.state == state
    await ann.ws.close()


async def test_a_table_with_someone_at_it_stays_awake(house: House) -> None:
    seated = await house.open()
    watcher = await house.watch(seated.code)
    assert not house.room(seated.code).may_sleep(now_us() + 10 * Limits().empty_us)
    await watcher.ws.close()


async def test_an_abandoned_table_is_closed_and_its_code_leads_nowhere(house: House) -> None:
    abandoned, visited = await house.open(), await house.open()
    ann = await house.sit(visited)
    await house.rooms.close_abandoned(now_us() + Limits().abandoned_us + 1_000_000)
    status, body = await house.call("GET", f"/api/tables/{abandoned.code}")
    assert (status, body["code"]) == (404, "no-table")
    assert await house.entries(abandoned.code) == []
    assert house.room(visited.code).seats, "somebody is there"
    await ann.ws.close()


async def test_a_table_where_nothing_ever_happened_is_closed_sooner_than_one_that_was_played_at(house: House) -> None:
    empty = await house.open()
    playing, pat, sue = await two_who_play(house)
    async with asyncio.timeout(60):
        await asyncio.gather(play_to_the_end(pat), play_to_the_end(sue))
    for page in (pat, sue):
        await page.ws.close()
    await house.rooms.close_abandoned(now_us() + Limits().unplayed_us + 1_000_000)
    assert (await house.call("GET", f"/api/tables/{empty.code}"))[0] == 404
    assert (await house.call("GET", f"/api/tables/{playing.code}"))[0] == 200


async def test_time_passes_at_a_table_though_nobody_says_anything(house: House) -> None:
    seated = await house.open("Ann", bots=["sharp"], start=True)
    ann = await house.sit(seated)
    async with asyncio.timeout(30):
        while ann.view is None or ann.view.to_act is None:
            await ann.next()
        if ann.view.to_act == 1:
            for command in (Draw(1), Pass(1)):
                await ann.say(Act(command))
                await ann.hear(Moved)
        assert ann.view.to_act == 2
        await ann.hear(Moved)
