"""Pings on real sockets: random, in order with what is said, a train beside every race, and cheap."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

import aiohttp
import pytest
from aiohttp import WSMsgType

from slamomatic.game.commands import Draw, Slam
from slamomatic.server.chance import SystemChance
from slamomatic.server.clock import now_us
from slamomatic.server.room import Step
from slamomatic.server.sockets import MAX_PROBES, Pong, Socket
from slamomatic.table import clockwork
from slamomatic.table.calls import Seated
from slamomatic.table.protocol import Act, Cue, CueKind, Hello, Land, Moved, Reach, Shown, Touch, Welcome
from tests.server.guests import PATIENCE_SECONDS, Guest, House, until_true
from tests.server.test_rooms import two_who_play


async def sit_without_answering(house: House, seated: Seated) -> Guest:
    """A page that answers no ping by itself."""
    page = await house.dial(seated.code, autoping=False)
    await page.say(Hello(seated.ticket))
    await page.hear(Welcome)
    return page


class Lone(NamedTuple):
    """A page that answers no ping, the socket at its other end, and no probe of the table to come between."""

    page: Guest
    socket: Socket


@pytest.fixture
async def lone(house: House) -> Lone:
    seated = await house.open()
    room = house.room(seated.code)
    page = await sit_without_answering(house, seated)
    first = await page.ws.receive()
    assert first.type is WSMsgType.PING
    room.table.probe_us = now_us() + 3_600_000_000
    room.table.tick(now_us())
    room._set_timer(None)
    return Lone(page, room.seats[1])


async def frames(page: Guest, count: int) -> list[aiohttp.WSMessage]:
    """So many frames more."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        return [await page.ws.receive() for _ in range(count)]


async def test_a_ping_never_overtakes_a_word(lone: Lone) -> None:
    for word in (b"1", b"2", b"3"):
        lone.socket.send(word)
    lone.socket.ping()
    lone.socket.send(b"4")
    told = await frames(lone.page, 5)
    assert [frame.type for frame in told] == [WSMsgType.TEXT] * 3 + [WSMsgType.PING, WSMsgType.TEXT]


async def test_a_cue_that_waits_for_the_database_is_overtaken_by_no_ping_of_the_train(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated, _ann, _bob = await two_who_play(house)
    room = house.room(seated.code)
    pinged: list[int] = []
    monkeypatch.setattr(Socket, "ping", lambda socket: pinged.append(socket.seat))
    monkeypatch.setattr(room.table, "train", lambda: [1, 2])
    room._steps.append(Step([], [], [], is_kept=False))
    assert room._ping_racers() == [1, 2]
    assert pinged == []
    room._steps.clear()
    room._ping_racers()
    assert pinged == [1, 2]


async def test_every_ping_is_another_that_nobody_can_guess(lone: Lone) -> None:
    seen = set()
    for _ in range(600):
        lone.socket.ping()
        (ping,) = await frames(lone.page, 1)
        assert len(ping.data) == 8
        seen.add(bytes(ping.data))
    assert len(seen) == 600
    assert lone.socket.answered(b"12345678") is None


async def test_who_answers_none_is_not_sent_pings_without_end_and_is_waited_for_since_the_first(lone: Lone) -> None:
    first_us = now_us() - lone.socket.waits_for_pong_us(now_us())
    for _ in range(MAX_PROBES - 2):
        lone.socket.ping()
        await frames(lone.page, 1)
    lone.socket.ping()
    (last,) = await frames(lone.page, 1)
    lone.socket.ping()
    lone.socket.send(b"a word")
    lone.socket.ping()
    (frame,) = await frames(lone.page, 1)
    assert frame.type is WSMsgType.TEXT
    assert abs(now_us() - lone.socket.waits_for_pong_us(now_us()) - first_us) < 1_000
    assert lone.socket.answered(bytes(last.data)) is not None
    assert lone.socket.waits_for_pong_us(now_us()) == 0
    lone.socket.ping()
    (frame,) = await frames(lone.page, 1)
    assert frame.type is WSMsgType.PING, "who answers again is asked again"


async def test_pongs_are_heard_in_order_and_without_looking_the_table_over(
    house: House, lone: Lone, monkeypatch: pytest.MonkeyPatch
) -> None:
    (room,) = house.rooms._rooms.values()
    looked_over: list[int] = []
    monkeypatch.setattr(clockwork, "go_on", lambda table, now: looked_over.append(now))
    now = now_us()
    for at in range(100):
        room.arrive(lone.socket, now + at, Pong(now + at - 5_000))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    network = room.table.sittings[1].hand.network
    assert network.least_us == network.rtt_us == 5_000
    assert looked_over == []


async def test_a_train_of_pings_runs_on_the_sockets_of_a_race_until_all_have_touched(house: House) -> None:
    seated, ann, bob = await two_who_play(house)
    room = house.room(seated.code)
    state = room.table.state
    slammer, racer = (ann, bob) if state.turn == ann.seat else (bob, ann)
    assert racer.seat is not None
    slams = asyncio.create_task(_slams(slammer))
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (cue := await racer.hear(Cue)).kind is not CueKind.CONTACT:
            assert room.table.train() == [racer.seat], "the slammer's own hand is in no race"
    hand = room.table.sittings[racer.seat].hand
    race = room.table.reach
    assert race is not None
    await racer.say(Shown(cue.cue, 16_700, 100))
    await until_true(lambda: room.table.train() == [racer.seat])
    reader = asyncio.create_task(racer.hear(Moved))
    heard = race.race._signals[racer.seat]
    before = heard.pongs
    await until_true(lambda: heard.pongs >= before + 5)  # nothing but the train asks for so many
    await racer.say(Touch(cue.cue, None))
    moved = await reader
    assert moved.race is not None
    assert room.table.train() == []
    await until_true(lambda: not room._train.runs)
    assert hand.network.least_us is not None
    slams.cancel()


async def test_what_nobody_may_foresee_comes_from_the_systems_own_chance(house: House) -> None:
    seated, ann, bob = await two_who_play(house)
    table = house.room(seated.code).table
    assert isinstance(table.rng, SystemChance)
    slammer, other = (ann, bob) if table.state.turn == ann.seat else (bob, ann)
    slams = asyncio.create_task(_slams(slammer))
    first, second = await other.hear(Cue), await other.hear(Cue)
    assert first.cue != second.cue
    assert all(len(cue.cue) == 13 and int(cue.cue, 16) >= 0 for cue in (first, second))
    slams.cancel()


async def _slams(page: Guest) -> None:
    """Draw if that is due, then slam."""
    view = page.view
    assert view is not None
    if Slam(view.turn) not in view.legal:
        await page.say(Act(Draw(view.turn)))
    await page.say(Reach())
    await page.say(Land())
    await page.hear_out()
