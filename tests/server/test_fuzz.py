"""Twenty thousand messages no client would send, to a live table in mid-game and mid-race, over real sockets."""

from __future__ import annotations

import asyncio
import json
import logging
import random
from collections import Counter
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from aiohttp import WSMsgType

from slamomatic.game import CLASSIC, CLASSIC_JUNIOR
from slamomatic.game.commands import Choose, Draw, Fake, Judge, Lay, Pass, Slam, Take
from slamomatic.server import wire
from slamomatic.table.calls import Seated
from slamomatic.table.memory import rebuilt
from slamomatic.table.output import Refusal
from slamomatic.table.protocol import (
    Act,
    AddBot,
    Assist,
    CapRoundTrip,
    ClientMessage,
    Cue,
    CueKind,
    Emote,
    Hello,
    Hidden,
    Land,
    Leave,
    Level,
    NameDealer,
    Pace,
    Phase,
    Reach,
    Ready,
    Release,
    Remove,
    Rename,
    Say,
    SetEdition,
    SetListed,
    SetPace,
    Shown,
    Sit,
    Touch,
    Withdraw,
)
from tests.server.guests import Guest, House, play_to_the_end
from tests.server.test_rooms import secrets_in

MESSAGES = 20_000
BATCH = 50
CORNERS: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 4, 5, 2**31, -(2**63), 2**64, 10**400, 1e308, -0.0, 0.5, "", "classic", "\x00",
    "\u202e", "💥" * 50, [], {}, [[]], {"type": "Draw", "seat": 1}, {"type": "Judge", "verdict": {}}, "x" * 5000,
)  # fmt: skip


def some_message(rng: random.Random, cue: str | None) -> ClientMessage:
    """A message that is well-formed, and mostly out of place."""
    seat, other = rng.randint(1, 4), rng.randint(1, 4)
    commands = (
        Draw(seat), Take(seat, other, rng.randint(0, 6)), Lay(seat, (3, 3)), Choose(seat, other), Pass(seat),  # type: ignore[arg-type]
    )  # fmt: skip
    return rng.choice(
        (
            Hello(), Hello("x" * 32), Ready(rng.random() < 0.5), Sit(other), SetListed(rng.random() < 0.5),
            Rename(seat, rng.choice(("A", "\u200b", "Ann" * 6))), NameDealer(rng.choice((None, seat))),
            SetEdition(rng.choice((CLASSIC, CLASSIC_JUNIOR))), SetPace(rng.choice(list(Pace))),
            AddBot(rng.choice(list(Level)), rng.choice((None, seat))), Hidden(rng.random() < 0.2),
            Assist(rng.random() < 0.5), Say(rng.choice(list(Emote))), Act(rng.choice(commands)), Reach(), Land(),
            Withdraw(), Release(rng.randint(0, 60_000_000)), CapRoundTrip(rng.choice((None, 50, 1_000))),
            Shown(cue or "none", rng.randint(0, 60_000_000), rng.randint(0, 60_000_000)),
            Touch(rng.choice((cue, None, "none")), rng.choice((None, rng.randint(-60_000_000, 60_000_000)))),
        )
    )  # fmt: skip


def mutated(rng: random.Random, data: bytes) -> bytes:
    """The same with something wrong: in its values, its shape, or its bytes."""
    match rng.randrange(4):
        case 0:
            return json.dumps(_bent(rng, json.loads(data))).encode()
        case 1:
            deep = rng.randint(1, 3000)
            nested = (b"[" * deep, b'{"a":' * deep, b"[" * deep + b"]" * deep, data[:-1] + b',"x":' + b"[" * deep)
            return rng.choice(nested)
        case 2:
            at = rng.randrange(len(data))
            return data[:at] + rng.randbytes(rng.randint(0, 3)) + data[at + rng.randint(0, 3) :]
        case _:
            torn = data[: rng.randrange(len(data))]
            return rng.choice((torn, data + data, data * rng.randint(2, 50), b"", b"\xff\xfe" + data))


def _bent(rng: random.Random, value: Any) -> Any:
    if isinstance(value, dict) and value and rng.random() < 0.85:
        name = rng.choice(list(value))
        match rng.randrange(4):
            case 0:
                return {other: part for other, part in value.items() if other != name}
            case 1:
                return value | {rng.choice(("type", "seat", "x", "")): rng.choice(CORNERS)}
            case _:
                return value | {name: _bent(rng, value[name])}
    return rng.choice(CORNERS)


def spoils_the_test(data: bytes) -> bool:
    """Whether this would be understood as something after which there is no table left, or one slow with bots."""
    with suppress(Refusal):
        return isinstance(wire.read_message(data), Leave | Remove | AddBot)
    return False


class Hooligan:
    """Says whatever comes to mind, and now and then what is due; so that the table is in every state there is."""

    def __init__(self, house: House, seated: Seated | None, code: str, seed: int) -> None:
        self.house = house
        self.seated = seated
        self.code = code
        self.rng = random.Random(seed)
        self.cue: str | None = None
        self.seen: Counter[str] = Counter()
        self.bytes: list[bytes] = []

    async def rave(self, messages: int) -> None:
        guest = await self._arrive()
        reading = asyncio.create_task(self._read(guest))
        for count in range(messages):
            if guest.ws.closed or reading.done():
                guest = await self._arrive()
                reading = asyncio.create_task(self._read(guest))
            with suppress(ConnectionError):
                await self._utter(guest)
            if count % BATCH == 0:
                await asyncio.sleep(0.1)  # hands need their time to reach
        await guest.ws.close()
        await reading

    async def _arrive(self) -> Guest:
        guest = await (self.house.sit(self.seated) if self.seated else self.house.watch(self.code))
        self.bytes += guest.bytes
        guest.bytes.clear()
        return guest

    async def _read(self, guest: Guest) -> None:
        while (message := await guest.next()) is not None:
            self.seen[type(message).__name__] += 1
            if isinstance(message, Cue):
                self.cue = message.cue
                self.seen[message.kind] += 1
        self.bytes += guest.bytes

    async def _utter(self, guest: Guest) -> None:
        rng = self.rng
        dice = rng.random()
        if dice < 0.10:
            await self._play(guest)
        elif dice < 0.14:
            await guest.ws.send_bytes(rng.randbytes(rng.randint(0, 300)))
        elif dice < 0.17:
            await rng.choice((guest.ws.ping, guest.ws.pong))(rng.randbytes(rng.randint(0, 125)))
        elif dice < 0.172:
            await guest.ws.send_str("x" * 40_000)  # too big: costs the connection
        else:
            data = msgspec.json.encode(some_message(rng, self.cue))
            if dice < 0.6:
                data = mutated(rng, data)[:16_000]
            if not spoils_the_test(data):
                await guest.ws.send_frame(data, WSMsgType.TEXT)

    async def _play(self, guest: Guest) -> None:
        """Something that may well be due."""
        view = guest.view
        await guest.say(Hidden(False))
        if view is None or view.ended is not None:
            await guest.say(Ready(True))
        elif view.legal:
            command = self.rng.choice(view.legal)
            match command:
                case Slam() | Fake() | Judge():
                    await guest.say(Reach())
                    await guest.say(Land() if self.rng.random() < 0.8 else Withdraw())
                case Draw() | Take() | Lay() | Choose() | Pass():
                    await guest.say(Act(command))
        elif self.cue is not None:
            await guest.say(Shown(self.cue, 0, 100))
            await guest.say(Touch(self.cue, 0))


async def test_no_message_ends_the_server_or_the_table(house: House, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    host = await house.open("Ann", pace="untimed")
    second = await house.join(host.code, "Bob")
    for seated in (host, second):
        page = await house.sit(seated)
        await page.say(Ready(True))
    hooligans = [
        Hooligan(house, host, host.code, 1),
        Hooligan(house, second, host.code, 2),
        Hooligan(house, None, host.code, 3),
    ]
    async with asyncio.timeout(240):
        await asyncio.gather(*(hooligan.rave(MESSAGES // len(hooligans) + 1) for hooligan in hooligans))

    assert not [record for record in caplog.records if record.levelno >= logging.ERROR], caplog.text
    seen = sum((hooligan.seen for hooligan in hooligans), Counter[str]())
    assert seen["Moved"] > 50, f"a game was being played: {seen}"
    assert max(hooligan.seen[CueKind.CONTACT] for hooligan in hooligans) >= 3, f"there were races: {seen}"
    assert seen["Refused"] > MESSAGES / 3, f"and most of it was nonsense: {seen}"

    room = house.room(host.code)
    await room.settled()
    assert rebuilt(await house.entries(host.code)) == room.table.record
    watched = [json.loads(data) for data in hooligans[2].bytes]
    assert [secret for message in watched if not _is_over(message) for secret in secrets_in(message)] == []

    assert await house.call("GET", "/healthz") is not None
    await _play_on(house, host, second)
    room = house.room(host.code)
    await room.settled()
    assert rebuilt(await house.entries(host.code)) == room.table.record


def _is_over(message: Any) -> bool:
    view = message.get("view")
    return view is not None and view["ended"] is not None


async def _play_on(house: House, *seats: Seated) -> None:
    """At that same table a game can be finished, begun anew if there was none."""
    room = house.room(seats[0].code)
    pages = [await house.sit(seated) for seated in seats]
    if room.table.phase is not Phase.PLAYING:
        for page in pages:
            await page.say(Ready(True))
    async with asyncio.timeout(120):
        views = await asyncio.gather(*(play_to_the_end(page) for page in pages))
    assert all(view.ended is not None for view in views)
