"""Tables on the server: kept before told, mended when they break, dropped when nobody is left, played to the end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from typing import Any

import msgspec
import pytest

from slamomatic.game import CLASSIC, MODERN, Deck, Edition
from slamomatic.game.commands import Draw, Pass
from slamomatic.server import wire
from slamomatic.server.clock import now_us
from slamomatic.server.limits import Limits
from slamomatic.server.room import MAX_MENDINGS
from slamomatic.server.store import MemoryStore
from slamomatic.table.calls import Seated
from slamomatic.table.log import Entry, SeatRenamed, rebuilt
from slamomatic.table.output import Output, Refusal
from slamomatic.table.protocol import Act, ByeReason, Moved, Ready, Rename, SeatMessage, TableChanged, Welcome
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
    assert rebuilt(house.store.entries(seated.code)) == room.table.record

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


async def test_what_is_told_is_kept_first(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    seated = await house.open()
    ann = await house.sit(seated)
    kept_when_told: list[bool] = []
    room = house.room(seated.code)
    (socket,) = room.sockets()
    send = socket.send

    def noting(data: bytes) -> None:
        kept_when_told.append(any(isinstance(entry, SeatRenamed) for entry in house.store.entries(seated.code)))
        send(data)

    monkeypatch.setattr(socket, "send", noting)
    await ann.say(Rename(1, "Anna"))
    await ann.hear_table(lambda table: table.seats[0].name == "Anna")
    assert kept_when_told
    assert all(kept_when_told)


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


async def test_a_table_that_breaks_is_made_anew_from_its_log_and_play_goes_on(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    seated, ann, bob = await two_who_play(house)
    watcher = await house.watch(seated.code)
    record = house.room(seated.code).table.record
    _break_once(monkeypatch, "receive")
    await ann.say(Rename(1, "Anna"))
    welcomes = [await guest.hear(Welcome) for guest in (ann, bob, watcher)]
    assert "ZeroDivisionError" in caplog.text
    assert [welcome.seat for welcome in welcomes] == [1, 2, None]
    assert house.room(seated.code).table.record == record
    async with asyncio.timeout(30):
        await asyncio.gather(play_to_the_end(ann), play_to_the_end(bob))
    assert rebuilt(house.store.entries(seated.code)) == house.room(seated.code).table.record


@pytest.mark.parametrize("method", ["tick", "pong", "connect", "disconnect", "watch", "unwatch"])
async def test_wherever_a_table_breaks_it_goes_on(house: House, monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    seated = await house.open()
    ann = await house.sit(seated)
    broken = _break_once(monkeypatch, method)
    async with asyncio.timeout(20):
        watcher = await house.watch(seated.code)
        await watcher.ws.close()
        second = await house.sit(await house.join(seated.code, "Bob"))
        await second.ws.close()
        reader = asyncio.create_task(ann.hear_table(lambda table: table.seats[0].name == "Anna"))
        await until_true(lambda: bool(broken))
        await ann.say(Rename(1, "Anna"))
        await reader


async def test_a_seat_is_not_half_taken_when_a_table_breaks(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    seated = await house.open()
    _break_once(monkeypatch, "join")
    status, body = await house.call("POST", f"/api/tables/{seated.code}/join", {"name": "Bob"})
    assert (status, body["code"]) == (500, "not-now")
    assert len(house.room(seated.code).table.record.seats) == 1
    assert (await house.join(seated.code, "Bob")).seat == 2


async def test_what_could_not_be_kept_did_not_happen(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    seated = await house.open("Ann")
    ann = await house.sit(seated)
    append = MemoryStore.append

    def full(store: MemoryStore, code: str, entries: Iterable[Entry]) -> None:
        entries = list(entries)
        if any(isinstance(entry, SeatRenamed) for entry in entries):
            raise OSError("no space left on device")
        append(store, code, entries)

    monkeypatch.setattr(MemoryStore, "append", full)
    await ann.say(Rename(1, "Anna"))
    assert (await ann.hear(Welcome)).table.seats[0].name == "Ann"
    assert house.room(seated.code).table.record.seats[1].name == "Ann"


async def test_a_table_that_cannot_be_mended_is_closed_and_the_others_play_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, sound = await house.open("Ann"), await house.open("Bea")
    ann, bea = await house.sit(broken), await house.sit(sound)
    table = house.room(broken.code).table
    receive = Table.receive

    def breaking(self: Table, *args: Any) -> Any:
        if self.record.code == table.record.code:
            raise RuntimeError("it always breaks")
        return receive(self, *args)

    monkeypatch.setattr(Table, "receive", breaking)
    for _ in range(MAX_MENDINGS):
        await ann.say(Ready(False))
    bye = await ann.hear_out()
    assert bye is not None
    assert bye.reason is ByeReason.CLOSED
    house.rooms.sweep(now_us())
    with pytest.raises(Refusal):
        house.room(broken.code)
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


async def test_an_empty_table_is_dropped_after_a_while_and_one_in_mid_game_later(house: House) -> None:
    limits = Limits()
    waiting = await house.open()
    visited = await house.open()
    ann = await house.sit(visited)
    playing, pat, sue = await two_who_play(house)
    await pat.ws.close()
    await sue.ws.close()
    await until_true(lambda: not list(house.room(playing.code).sockets()))
    now = now_us()
    second = 1_000_000

    house.rooms.sweep(now + limits.empty_us - second)
    assert len(house.rooms) == 3
    house.rooms.sweep(now + limits.empty_us + second)
    assert len(house.rooms) == 2, "the one somebody is at, and the one where a game is being played"
    assert house.store.entries(waiting.code) == ()
    house.rooms.sweep(now + limits.empty_in_game_us + second)
    assert house.store.entries(playing.code) == ()
    assert [visited.code] == [room.code for room in (house.room(visited.code),)]
    await ann.ws.close()


async def test_a_table_with_someone_at_it_stays(house: House) -> None:
    seated = await house.open()
    watcher = await house.watch(seated.code)
    room = house.room(seated.code)
    assert not room.is_abandoned(now_us() + 10 * Limits().empty_us)
    await watcher.ws.close()


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
