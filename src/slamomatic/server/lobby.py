"""The open tables, live: a stream of events for every page that shows them (``GET /api/lobby``).

Laws of this room:
- everybody is told the same, at most twice a second, and only when something has changed;
- who reads too slowly misses what is stale anyway, and gets the newest;
- a stream says something at least every few seconds, so that a dead one is noticed on both sides.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from aiohttp import web

from slamomatic.server import wire
from slamomatic.table.calls import ListedTable, ListedTables

LOOK_SECONDS = 0.5
BREATH_SECONDS = 15.0
_BREATH = b": still here\n\n"


class Lobby:
    """The streams, and what they were told last."""

    def __init__(self, listed: Callable[[], tuple[ListedTable, ...]]) -> None:
        self._listed = listed
        self._news = asyncio.Condition()
        self._told = b""
        self._streams = 0
        self._closing = False

    async def watch(self) -> None:
        """Look for changes as long as the server runs; nothing is looked at while nobody listens."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if self._streams:
                await self._look()

    async def stream(self, request: web.Request) -> web.StreamResponse:
        """One page's stream, until it goes or the server does."""
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"})
        response.headers["X-Accel-Buffering"] = "no"  # proxies would hold back what is meant to be now
        self._streams += 1
        try:
            await response.prepare(request)
            told = _event(self._listed())
            await response.write(told)
            while not self._closing:
                try:
                    async with asyncio.timeout(BREATH_SECONDS), self._news:
                        await self._news.wait()
                except TimeoutError:
                    await response.write(_BREATH)
                    continue
                if self._told != told and not self._closing:
                    told = self._told
                    await response.write(told)
        except ConnectionError:
            pass  # the page has gone
        finally:
            self._streams -= 1
        return response

    async def close(self) -> None:
        """Let every stream end."""
        self._closing = True
        async with self._news:
            self._news.notify_all()

    async def _look(self) -> None:
        seen = _event(self._listed())
        if seen != self._told:
            self._told = seen
            async with self._news:
                self._news.notify_all()


def _event(tables: tuple[ListedTable, ...]) -> bytes:
    return b"data: " + wire.write(ListedTables(tables)) + b"\n\n"
