"""People whose server is killed again and again: they come back by themselves, play on, and write down what they saw.

What a survivor was shown was acknowledged: it is in his book, by the table's sequence number, in the words the table
uses for anybody. All books of a table, and its log, must say the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import Any

import aiohttp
import msgspec
from aiohttp import WSMsgType

from slamomatic.game.commands import Choose, Draw, Lay, Pass, Slam, Take
from slamomatic.game.events import Event
from slamomatic.game.view import View, seen
from slamomatic.table.calls import Seated
from slamomatic.table.protocol import (
    Act,
    Bye,
    ByeReason,
    ClientMessage,
    Cue,
    CueKind,
    Hello,
    Land,
    Moved,
    Phase,
    Reach,
    Ready,
    Refused,
    Release,
    ServerMessage,
    Shown,
    TableChanged,
    Touch,
    Welcome,
)

AGAIN_SECONDS = 0.03
"""Between two attempts to reach a server that is gone."""
FINAL = {ByeReason.CLOSED, ByeReason.REMOVED, ByeReason.BANNED, ByeReason.REFUSED, ByeReason.LEFT}

_server_messages = msgspec.json.Decoder(ServerMessage)
_encode = msgspec.json.encode


def in_public(events: Iterable[Event]) -> tuple[Event, ...]:
    """The events as a watcher knows them: what everyone at a table has been told alike."""
    return tuple(seen(event, None) for event in events)


class Survivor:
    """One seat's player. Plays whatever is legal, quickly; never says a thing twice but by the protocol's own law."""

    def __init__(self, session: aiohttp.ClientSession, url: str, seated: Seated, rng: Random) -> None:
        self.seated = seated
        self.book: dict[int, tuple[Event, ...]] = {}
        """What he was shown, by sequence number."""
        self.acts: dict[int, Act] = {}
        """What he asked for, by the position he asked it in: once each."""
        self.welcomes = 0
        self.since: int | None = None
        self.came_back = asyncio.Event()
        """Set with each welcome; whoever waits for one clears it."""
        self.farewell: Bye | None = None
        self.gaps = 0
        self.races = 0
        self.phase = Phase.WAITING
        self._session = session
        self._url = url
        self._rng = rng
        self._view: View | None = None
        self._seq = 0
        self._retry: asyncio.Task[None] | None = None
        self._game = 0

    async def live(self) -> None:
        """Be at the table, whatever happens to the server, until sent away for good."""
        while self.farewell is None:
            try:
                async with self._session.ws_connect(f"{self._url}ws/{self.seated.code}", max_msg_size=0) as ws:
                    await self._play(ws)
            except (aiohttp.ClientError, ConnectionError, TimeoutError):
                pass
            await asyncio.sleep(AGAIN_SECONDS * (0.5 + self._rng.random()))

    async def _play(self, ws: aiohttp.ClientWebSocketResponse) -> None:
        await self._say(ws, Hello(self.seated.ticket, self.since))
        while (frame := await ws.receive()).type is WSMsgType.TEXT:
            message = _server_messages.decode(frame.data)
            match message:
                case Welcome():
                    self._come_in(message)
                    await self._act(ws, again=True)
                case Moved():
                    self._write_down(message.seq, message.events)
                    self._view, self._seq = message.view, message.seq
                    self.races += message.race is not None
                    await self._act(ws)
                case TableChanged():
                    await self._get_ready(ws, message.table.phase)
                case Cue() if message.seat != self.seated.seat:
                    await self._say(ws, Shown(message.cue, 0, 100))
                    if message.kind is CueKind.CONTACT:
                        await self._say(ws, Touch(message.cue, self._rng.randrange(2_000)))
                case Refused():
                    # Too soon after the last race, or the position is over: a look at it again a little later, once,
                    # however many refusals there are.
                    if self._retry is None or self._retry.done():
                        self._retry = asyncio.create_task(self._act_later(ws))
                case Bye() if message.reason in FINAL:
                    self.farewell = message
                    return
                case _:
                    pass

    def _come_in(self, welcome: Welcome) -> None:
        assert self.since is None or welcome.seq >= self.since, "what was acknowledged is gone"
        if welcome.missed is None:
            self.gaps += self.since is not None and welcome.table.game_number == self._game
        else:
            for missed in welcome.missed:
                self._write_down(missed.seq, missed.events)
        self._view, self._seq, self._game = welcome.view, welcome.seq, welcome.table.game_number
        self.since = max(self.since or 0, welcome.seq)
        self.phase = welcome.table.phase
        self.welcomes += 1
        self.came_back.set()

    def _write_down(self, seq: int, events: tuple[Event, ...]) -> None:
        told = in_public(events)
        assert self.book.setdefault(seq, told) == told, "the same number, and another story"
        self.since = max(self.since or 0, seq)

    async def _get_ready(self, ws: aiohttp.ClientWebSocketResponse, phase: Phase) -> None:
        self.phase = phase
        if phase is not Phase.PLAYING:
            await self._say(ws, Ready(ready=True))

    async def _act(self, ws: aiohttp.ClientWebSocketResponse, *, again: bool = False) -> None:
        """Do what is due from us, in this position, once; what was asked before and not answered is asked again."""
        if self.phase is not Phase.PLAYING:
            await self._get_ready(ws, self.phase)
        view = self._view
        if view is None or view.ended is not None or view.to_act != self.seated.seat:
            return
        asked = self.acts.get(self._seq)
        if asked is not None:
            if again:
                await self._say(ws, asked)
            return
        await asyncio.sleep(self._rng.random() * 0.02)
        if Slam(view.turn) in view.legal and (self._rng.random() < 0.7 or Pass(view.turn) not in view.legal):
            await self._say(ws, Reach())
            await self._say(ws, Land())
            await self._say(ws, Release(100_000))
            return
        plain = [command for command in view.legal if isinstance(command, Draw | Take | Lay | Choose | Pass)]
        if plain:
            act = self.acts[self._seq] = Act(self._rng.choice(plain), after=self._seq)
            await self._say(ws, act)

    async def _act_later(self, ws: aiohttp.ClientWebSocketResponse) -> None:
        await asyncio.sleep(0.1)
        if not ws.closed:
            await self._act(ws)

    async def _say(self, ws: aiohttp.ClientWebSocketResponse, message: ClientMessage) -> None:
        with suppress(ConnectionError):  # heard of at the next receive
            await ws.send_str(_encode(message).decode())


@asynccontextmanager
async def at_home(survivors: Iterable[Survivor]) -> AsyncIterator[list[asyncio.Task[None]]]:
    """All of them live as long as this lasts; whoever fails makes it fail."""
    tasks = [asyncio.create_task(survivor.live()) for survivor in survivors]
    try:
        yield tasks
    finally:
        for task in tasks:
            task.cancel()
        results: list[Any] = await asyncio.gather(*tasks, return_exceptions=True)
    for result in results:
        if isinstance(result, Exception):
            raise result
