"""Players without a page: a socket each, and a script for a mind.

Laws of this room:
- a player reads all the time, so his pings are answered as a browser answers them: at once, whatever his script does;
- he plays by the rules, and without thinking; how he races is for his kind to say;
- when he truly touched he writes down by his own clock, whatever he tells the house.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from random import Random
from time import monotonic
from typing import Any, TypeVar

import aiohttp
import msgspec

from slamomatic.game.commands import Choose, Draw, Lay, Pass, Slam, Take
from slamomatic.game.edition import Edition
from slamomatic.game.view import View
from slamomatic.table.calls import JoinTable, OpenTable, Seated
from slamomatic.table.protocol import (
    Act,
    ClientMessage,
    Cue,
    CueKind,
    Hello,
    Land,
    Moved,
    Pace,
    Phase,
    Presence,
    RaceView,
    Reach,
    Ready,
    RefusalCode,
    Refused,
    Release,
    ServerMessage,
    Shown,
    TableChanged,
    TableView,
    Touch,
    Welcome,
)
from tests.e2e.races import Listener, Plan

FRAME_MS, GRAIN_MS = 1_000 / 60, 0.1
"""The screen and the clock these players say they have."""
HANDS = 4
"""A game begins when so many sit there and are ready."""
REST_SECONDS = 1.0
"""From the end of one reach to the next."""
HELD_US = 100_000

P = TypeVar("P", bound="Player")

_messages: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)


class Player:
    """Somebody on a socket of his own, honest at races."""

    def __init__(self, seated: Seated, ws: aiohttp.ClientWebSocketResponse, plan: Plan, chance: Random) -> None:
        self.seat = seated.seat
        self._plan = plan
        self.truth: dict[str, float] = {}
        """When he touched, from showing the contact on; in ms, by the contact's cue."""
        self.refusals: list[RefusalCode] = []
        self._chance = chance
        self._ticket = seated.ticket
        self._ws = ws
        self._is_ready = False
        self._deeds = asyncio.TaskGroup()

    async def live(self) -> None:
        """Until the socket is closed, or he is called away."""
        async with self._ws, self._deeds:
            await self.say(Hello(self._ticket))
            async for frame in self._ws:
                self.hear(_messages.decode(frame.data))

    def hear(self, message: ServerMessage) -> None:
        """Nothing here waits: the next ping may be on its way."""
        match message:
            case Welcome(table=table) | TableChanged(table=table):
                self._get_ready(table)
            case Moved(view=view):
                self.do(self.move(view))
            case Cue(kind=CueKind.CONTACT, seat=seat) as contact if seat != self.seat:
                self.do(self.race(contact))
            case Cue(kind=CueKind.REACH, seat=seat) as reach if seat != self.seat:
                self.do(self.wait(reach))
            case Refused(code=code):
                self.refusals.append(code)
            case _:
                pass

    def do(self, deed: Coroutine[Any, Any, None]) -> None:
        """At the same time as everything else."""
        self._deeds.create_task(deed)

    async def say(self, message: ClientMessage) -> None:
        with suppress(ConnectionError):  # the evening is over
            await self._ws.send_str(msgspec.json.encode(message).decode())

    async def move(self, view: View) -> None:
        """What is asked of him, and no more: he never slams by himself."""
        for command in view.legal:
            if isinstance(command, Draw | Take | Lay | Choose | Pass):
                await self.say(Act(command))
                return

    async def wait(self, reach: Cue) -> None:
        """A hand hovers: he shows it, and keeps still."""
        await self.paint()
        await self.show(reach)

    async def race(self, contact: Cue) -> None:
        """He shows the contact, touches when the plan says, and tells it as it was."""
        await self.paint()
        shown = await self.show(contact)
        await self.react(contact)
        await self.tell(contact, self.touch(contact, shown))

    async def paint(self) -> None:
        """The next frame comes when it comes."""
        await asyncio.sleep(self._chance.uniform(0, FRAME_MS) / 1_000)

    async def show(self, cue: Cue) -> float:
        """He says that it is on the screen; when he did."""
        now = monotonic()
        await self.say(Shown(cue.cue, in_us(FRAME_MS / 1_000), in_us(GRAIN_MS / 1_000)))
        return now

    async def react(self, contact: Cue) -> None:
        await asyncio.sleep(self.meant_seconds(contact))

    def meant_seconds(self, contact: Cue) -> float:
        """How long after having seen it he means to touch."""
        return self._plan.touch_ms(contact.cue, self.seat) / 1_000

    def touch(self, contact: Cue, seen: float) -> float:
        """The hand comes down, whatever is told of it; how long after the contact was seen, in seconds."""
        passed = monotonic() - seen
        self.truth[contact.cue] = 1_000 * passed
        return passed

    async def tell(self, contact: Cue, passed: float) -> None:
        await self.say(Touch(contact.cue, in_us(passed)))

    def _get_ready(self, table: TableView) -> None:
        """Once everyone is there; a rematch is asked for at once."""
        if table.phase is Phase.PLAYING:
            self._is_ready = False
        elif len(table.seats) == HANDS and not self._is_ready:
            self._is_ready = True
            self.do(self.say(Ready(ready=True)))


class Slammer(Player):
    """He slams as often as the rules let him, whether he has a pair or not, once everyone is here."""

    def __init__(self, seated: Seated, ws: aiohttp.ClientWebSocketResponse, plan: Plan, chance: Random) -> None:
        super().__init__(seated, ws, plan, chance)
        self.listener = Listener()
        self._rested_at = 0.0
        self._all_here = asyncio.Event()

    def hear(self, message: ServerMessage) -> None:
        self.listener.hear(message)
        match message:
            case Moved(race=RaceView()):
                self._rested_at = monotonic() + REST_SECONDS
            case TableChanged(table=table) if all(taken.presence is Presence.HERE for taken in table.seats):
                self._all_here.set()
            case TableChanged():
                self._all_here.clear()
            case _:
                pass
        super().hear(message)

    async def move(self, view: View) -> None:
        if Slam(self.seat) not in view.legal:
            await super().move(view)
            return
        await asyncio.sleep(self._rested_at - monotonic())
        await self._all_here.wait()
        for message in (Reach(), Land(), Release(HELD_US)):
            await self.say(message)


class Table:
    """A table in a house, as those know it who come to it over sockets."""

    def __init__(self, house: str, seated: Seated, http: aiohttp.ClientSession, guests: asyncio.TaskGroup) -> None:
        self.code = seated.code
        self.opened = seated
        """The seat of who opened it; nobody is there yet."""
        self._house = house
        self._http = http
        self._guests = guests
        self._lives: list[asyncio.Task[None]] = []

    async def join(self, name: str) -> Seated:
        """One seat more is taken."""
        return await _seated(self._http, f"{self._house}api/tables/{self.code}/join", JoinTable(name))

    async def seat(self, kind: type[P], seated: Seated, plan: Plan, at: str | None = None) -> P:
        """Someone of this kind sits down there, over the line at this address if there is one."""
        ws = await self._http.ws_connect(f"{at or self._house}ws/{self.code}")
        player = kind(seated, ws, plan, Random(seated.seat))
        self._lives.append(self._guests.create_task(player.live()))
        return player

    def leave(self) -> None:
        """Everyone goes."""
        for life in self._lives:
            life.cancel()


@asynccontextmanager
async def open_table(house: str, edition: Edition) -> AsyncIterator[Table]:
    """A table of this edition; whatever goes wrong with a player there is raised."""
    async with aiohttp.ClientSession() as http, asyncio.TaskGroup() as guests:
        seated = await _seated(http, f"{house}api/tables", OpenTable("Sam", edition, Pace.UNTIMED))
        table = Table(house, seated, http, guests)
        yield table
        table.leave()


async def _seated(http: aiohttp.ClientSession, url: str, wish: OpenTable | JoinTable) -> Seated:
    async with http.post(url, data=msgspec.json.encode(wish)) as answer:
        assert answer.ok, await answer.text()
        return msgspec.json.decode(await answer.read(), type=Seated)


def in_us(seconds: float) -> int:
    return round(1_000_000 * seconds)
