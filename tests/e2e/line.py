"""A line to the house that can be cut: what a tunnel, a lift or a pulled plug does to a connection."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit, urlunsplit


class Line:
    """Carries bytes between guests and the house while it is whole. While it is cut, nobody gets through."""

    def __init__(self, house: str) -> None:
        self._house = urlsplit(house)
        self._server: asyncio.Server | None = None
        self._port = 0
        self._calls: set[asyncio.StreamWriter] = set()

    @property
    def address(self) -> str:
        """The house, as it is reached over this line."""
        return urlunsplit(self._house._replace(netloc=f"{self._house.hostname}:{self._port}"))

    async def mend(self) -> None:
        """From now on calls are carried; at the same address as ever."""
        self._server = await asyncio.start_server(self._carry, self._house.hostname, self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    async def cut(self) -> None:
        """Every call is broken off, and new ones are refused."""
        assert self._server is not None
        self._server.close()
        for writer in list(self._calls):
            writer.transport.abort()
        await self._server.wait_closed()

    async def _carry(self, here: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        there, out = await asyncio.open_connection(self._house.hostname, self._house.port)
        self._calls |= {back, out}
        await asyncio.gather(self._pour(here, out), self._pour(there, back))
        self._calls -= {back, out}

    async def _pour(self, source: asyncio.StreamReader, into: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await source.read(1 << 16):
                into.write(data)
                await into.drain()
        into.close()
        with suppress(ConnectionError):
            await into.wait_closed()


@asynccontextmanager
async def lay_line(house: str) -> AsyncIterator[Line]:
    """A whole line to this address."""
    line = Line(house)
    await line.mend()
    yield line
    await line.cut()
