"""SQLite's statements, carried out by a process of their own: see `pen.py` for it, and for why.

Laws of this room:
- a statement is written once or it is not: whoever is told that the pen broke does not know which, and finds out;
- answers come in the order of what was asked;
- the pen ends with the server, however that ends.
"""

from __future__ import annotations

import asyncio
import marshal
import sqlite3
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Self, cast

from slamomatic.server.storage import pen

CLOSE_SECONDS = 5.0
"""It has so long to write what it was asked last."""


class Broken(ConnectionError):
    """The pen is gone."""


class Scribe(asyncio.SubprocessProtocol):
    """Has statements carried out. Made by `start`; to be closed."""

    def __init__(self) -> None:
        self._transport: asyncio.SubprocessTransport | None = None
        self._waiting: deque[tuple[asyncio.Future[bool], int | None]] = deque()
        self._heard = bytearray()
        self._loop = asyncio.get_running_loop()
        self._gone = self._loop.create_future()

    @classmethod
    async def start(cls, file: str, pragmas: Mapping[str, Any]) -> Self:
        """One for this file.

        Raises:
            OSError: no process can be started.
        """
        words = [sys.executable, "-I", "-S", pen.__file__]
        _, scribe = await asyncio.get_running_loop().subprocess_exec(cls, *words, stderr=None)
        scribe._say((file, dict(pragmas)))
        return scribe

    def write(self, statement: str, values: Sequence[Any], count: int | None = None) -> asyncio.Future[bool]:
        """Have this carried out and committed; the future's result is whether so many rows were written, if it matters.

        Its exceptions: `sqlite3.Error` with SQLite's code of what went wrong; `Broken`: it may be written, or not.
        """
        told: asyncio.Future[bool] = self._loop.create_future()
        if self._gone.done():
            told.set_exception(Broken("the process that writes is gone"))
        else:
            self._waiting.append((told, count))
            self._say((statement, tuple(values)))
        return told

    async def close(self) -> None:
        """Let it end what it is at, and wait for that, but not for ever."""
        assert self._transport is not None
        cast(asyncio.WriteTransport, self._transport.get_pipe_transport(0)).close()
        await asyncio.wait([self._gone], timeout=CLOSE_SECONDS)
        self._transport.close()  # kills what still lives

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The process runs."""
        self._transport = cast(asyncio.SubprocessTransport, transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:  # noqa: ARG002 - it has but one voice
        """It has said something."""
        self._heard += data
        size = pen.LENGTH.size
        while len(self._heard) >= size:
            end = size + pen.LENGTH.unpack_from(self._heard)[0]
            if len(self._heard) < end:
                return
            answer = marshal.loads(self._heard[size:end])
            del self._heard[:end]
            told, count = self._waiting.popleft()
            if told.cancelled():
                continue
            if isinstance(answer, int):
                told.set_result(count is None or answer == count)
            else:
                told.set_exception(_error(*answer))

    def process_exited(self) -> None:
        """It has ended, whether it should or not."""
        if not self._gone.done():
            self._gone.set_result(None)
        while self._waiting:
            told, _ = self._waiting.popleft()
            if not told.done():
                told.set_exception(Broken("the process that writes has ended"))

    def _say(self, thing: Any) -> None:
        assert self._transport is not None
        with suppress(OSError):  # its end is told by the loop
            cast(asyncio.WriteTransport, self._transport.get_pipe_transport(0)).write(pen.said(thing))


def _error(code: int, text: str) -> sqlite3.Error:
    error = sqlite3.OperationalError(text)
    error.sqlite_errorcode = code
    return error
