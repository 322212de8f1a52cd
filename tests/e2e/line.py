"""A line to the house: as long, as restless and as breakable as those that people have.

Laws of this room:
- what is sent arrives whole and in order, each piece when it is due to a fraction of a millisecond: a line has a thread
  of its own, and its loop sleeps by ``select``, which counts in microseconds where ``epoll`` counts in milliseconds;
- a line can be changed, stalled or cut while it is in use; what is on its way arrives as it was due;
- whatever chance does on a line comes from its seed.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from random import Random
from threading import Thread
from typing import Any, TypeVar
from urllib.parse import urlsplit, urlunsplit

T = TypeVar("T")


@dataclass(frozen=True)
class Way:
    """What one direction does to what is sent along it."""

    base_ms: float = 0.0
    """No piece takes less."""
    noise_ms: float = 0.0
    """What comes on top for each piece, on average; exponential: mostly little, now and then much."""
    spikes_per_second: float = 0.0
    spike_ms: float = 0.0
    """So often the way is blocked, so long on average (from half to half as much again): all that is sent waits."""


@dataclass(frozen=True)
class Path:
    """A line's two ways."""

    down: Way = Way()
    """From the house."""
    up: Way = Way()
    """To the house."""


class Traffic:
    """What is due when, on one way of one call. Times in seconds."""

    LEAST = 1e-6
    """Two pieces are never due at once, so that no timer can swap them."""

    def __init__(self, way: Callable[[], Way], chance: Random) -> None:
        self._way_now = way
        self._chance = chance
        self._way = Way()
        self._spike_at = float("inf")
        self._blocked_until = 0.0
        self._last_due = 0.0

    def due(self, now: float) -> float:
        """When what is sent now arrives."""
        if (way := self._way_now()) != self._way:
            self._way = way
            self._spike_at = self._next_spike(now)
        while self._spike_at <= now:
            self._blocked_until = self._spike_at + self._chance.uniform(0.5, 1.5) * way.spike_ms / 1_000
            self._spike_at = self._next_spike(self._spike_at)
        noise_ms = self._chance.expovariate(1 / way.noise_ms) if way.noise_ms else 0.0
        sent = max(now, self._blocked_until)
        self._last_due = max(sent + (way.base_ms + noise_ms) / 1_000, self._last_due + self.LEAST)
        return self._last_due

    def stall(self, until: float) -> None:
        """What is sent before then waits until then."""
        self._blocked_until = max(self._blocked_until, until)

    def _next_spike(self, after: float) -> float:
        often = self._way.spikes_per_second
        return after + self._chance.expovariate(often) if often else float("inf")


class Line:
    """Carries bytes between guests and the house while it is whole. While it is cut, nobody gets through."""

    def __init__(self, house: str, path: Path, seed: int) -> None:
        self.path = path
        """How it is now; may be set at any time."""
        self._house = urlsplit(house)
        self._chance = Random(seed)
        self._server: asyncio.Server | None = None
        self._port = 0
        self._calls: set[asyncio.StreamWriter] = set()
        self._uplinks: set[Traffic] = set()
        self._loop = asyncio.SelectorEventLoop(selectors.SelectSelector())
        self._thread = Thread(target=self._loop.run_forever, name="line", daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        """The house, as it is reached over this line."""
        return urlunsplit(self._house._replace(netloc=f"{self._house.hostname}:{self._port}"))

    def mend(self) -> None:
        """From now on calls are carried; at the same address as ever."""
        self._do(self._mend())

    def cut(self) -> None:
        """Every call is broken off, and new ones are refused."""
        self._do(self._cut())

    def drop(self) -> None:
        """Every call is broken off; new ones are welcome."""
        self._do(self._drop())

    def stall_up(self, ms: float) -> None:
        """Whatever is sent to the house within this time from now leaves when it is over."""
        self._loop.call_soon_threadsafe(self._stall_up, ms / 1_000)

    def close(self) -> None:
        """Cut for good."""
        self.cut()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _mend(self) -> None:
        self._server = await asyncio.start_server(self._carry, self._house.hostname, self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    async def _cut(self) -> None:
        assert self._server is not None
        self._server.close()
        await self._drop()
        await self._server.wait_closed()

    async def _drop(self) -> None:
        for writer in list(self._calls):
            writer.transport.abort()
        while self._calls:  # noqa: ASYNC110 - each call ends by itself, in a moment
            await asyncio.sleep(0)

    def _stall_up(self, seconds: float) -> None:
        for traffic in self._uplinks:
            traffic.stall(self._loop.time() + seconds)

    async def _carry(self, here: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        there, out = await asyncio.open_connection(self._house.hostname, self._house.port)
        up = Traffic(lambda: self.path.up, Random(self._chance.random()))
        down = Traffic(lambda: self.path.down, Random(self._chance.random()))
        self._calls |= {back, out}
        self._uplinks.add(up)
        try:
            await asyncio.gather(self._pour(here, out, up), self._pour(there, back, down))
        finally:
            self._calls -= {back, out}
            self._uplinks.remove(up)

    async def _pour(self, source: asyncio.StreamReader, into: asyncio.StreamWriter, traffic: Traffic) -> None:
        with suppress(ConnectionError):
            while data := await source.read(1 << 16):
                self._loop.call_at(traffic.due(self._loop.time()), _deliver, into, data)
        self._loop.call_at(traffic.due(self._loop.time()), into.close)
        with suppress(ConnectionError):
            await into.wait_closed()


def _deliver(into: asyncio.StreamWriter, data: bytes) -> None:
    """What was on its way when a call was broken off is lost."""
    if not into.is_closing():
        into.write(data)


@contextmanager
def lay_line(house: str, path: Path | None = None, seed: int = 0) -> Iterator[Line]:
    """A whole line to this address, as short as loopback if not told otherwise."""
    line = Line(house, path or Path(), seed)
    line.mend()
    try:
        yield line
    finally:
        line.close()
