"""SQLite's statements, carried out by a process of their own: see `pen.py` for it, and for why.

Laws of this room:
- a statement is written once or it is not: whoever is told that the pen broke does not know which, and finds out;
- answers come in the order of what was asked, and are told as they are read: verdicts wait for them;
- the pen ends with the server, however that ends;
- it has the core whenever it could go on, for what it does is short; but nobody else is let in by that for long.
"""

from __future__ import annotations

import asyncio
import logging
import marshal
import os
import sqlite3
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from subprocess import PIPE
from time import monotonic
from typing import Any, Self, TypeAlias, cast

from slamomatic.server.storage import pen

log = logging.getLogger(__name__)

READ_BYTES = 65_536
CLOSE_SECONDS = 5.0
"""It has so long to write what it was asked last."""


_let_others_run: Callable[[], None] = getattr(os, "sched_yield", lambda: None)
LONG_SECONDS = 0.002
"""The pen never has the core for so long at once. If somebody does, others crowd it,"""
KEPT_SECONDS = 0.1
"""and it is not given away for so long."""


class Broken(ConnectionError):
    """The pen is gone."""


Answer: TypeAlias = "int | sqlite3.Error | Broken"
"""How many rows were written; or SQLite's error, with its code; or `Broken`: it may be written, or not."""


Demand: TypeAlias = tuple[str, Sequence[Any], int | None]
"""A statement, its values, and how many rows it has to write, if it matters."""


class Scribe(asyncio.SubprocessProtocol):
    """Has statements carried out. Made by `start`; to be closed."""

    def __init__(self, ear: int | None) -> None:
        self._transport: asyncio.SubprocessTransport | None = None
        self._waiting: deque[Callable[[Answer], None]] = deque()
        self._heard = bytearray()
        self._ear = ear
        self._loop = asyncio.get_running_loop()
        self._gone = self._loop.create_future()
        self._closing = False
        self._keeps_until = 0.0
        """The core is kept until then, by the clock that only grows."""

    @classmethod
    async def start(cls, file: str, pragmas: Mapping[str, Any]) -> Self:
        """One for this file.

        Raises:
            OSError: no process can be started.
        """
        ear, mouth = (None, PIPE) if sys.platform == "win32" else os.pipe()
        words = [sys.executable, "-I", "-S", pen.__file__]
        loop = asyncio.get_running_loop()
        try:
            _, scribe = await loop.subprocess_exec(partial(cls, ear), *words, stdout=mouth, stderr=None)
        except BaseException:
            if ear is not None:
                os.close(ear)
            raise
        finally:
            if ear is not None:
                os.close(mouth)
        if ear is not None:
            os.set_blocking(ear, False)
            loop.add_reader(ear, scribe._read, ear)
        scribe._say(pen.said((file, dict(pragmas))))
        return scribe

    def write(self, statement: str, values: Sequence[Any], tell: Callable[[Answer], None]) -> None:
        """Have this carried out and committed; `tell` is called once, later, and must not raise."""
        self._ask((statement, tuple(values)), tell)

    async def carry_out(self, statement: str, values: Sequence[Any] = ()) -> int:
        """The same for who waits: how many rows were written.

        Raises:
            sqlite3.Error: with SQLite's code of what went wrong.
            Broken: it may be written, or not.
        """
        return await self._answer((statement, tuple(values)))

    async def carry_out_together(self, demands: Sequence[Demand]) -> None:
        """All of these in one transaction.

        Raises:
            sqlite3.Error: nothing of it is done; also where one wrote more or fewer rows than it had to.
            Broken: it may be written, or not.
        """
        await self._answer([(statement, tuple(values), wanted) for statement, values, wanted in demands])

    async def _answer(self, thing: Any) -> int:
        told: asyncio.Future[int] = self._loop.create_future()
        self._ask(thing, partial(tell, told))
        return await told

    def _ask(self, thing: Any, tell: Callable[[Answer], None]) -> None:
        try:
            data = pen.said(thing)
        except ValueError as error:  # no pipe takes it: nothing is said, so no answer comes
            self._loop.call_soon(tell, _error(sqlite3.SQLITE_MISMATCH, str(error)))
            return
        if self._gone.done():
            self._loop.call_soon(tell, Broken("the process that writes is gone"))
        else:
            self._waiting.append(tell)
            self._say(data)

    def listen(self) -> None:
        """Tell now what it has answered by now; the loop does the same once it comes round to it."""
        if self._waiting and self._ear is not None:
            self._give_way()
            self._read(self._ear)

    async def close(self) -> None:
        """Let it end what it is at, and wait for that, but not for ever."""
        assert self._transport is not None
        self._closing = True
        cast(asyncio.WriteTransport, self._transport.get_pipe_transport(0)).close()
        await asyncio.wait([self._gone], timeout=CLOSE_SECONDS)
        self._transport.close()  # kills what still lives

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The process runs."""
        self._transport = cast(asyncio.SubprocessTransport, transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:  # noqa: ARG002 - it has but one voice
        """It has said something, where the loop must do the listening: on Windows."""
        self._hear(data)

    def _read(self, ear: int) -> None:
        try:
            said = os.read(ear, READ_BYTES)
        except BlockingIOError:
            return
        if not said:
            self._loop.remove_reader(ear)  # its end is told by the loop, too
        self._hear(said)

    def _hear(self, data: bytes) -> None:
        self._heard += data
        size = pen.LENGTH.size
        while len(self._heard) >= size:
            end = size + pen.LENGTH.unpack_from(self._heard)[0]
            if len(self._heard) < end:
                return
            answer = marshal.loads(self._heard[size:end])
            del self._heard[:end]
            self._waiting.popleft()(answer if isinstance(answer, int) else _error(*answer))

    def process_exited(self) -> None:
        """It has ended, whether it should or not."""
        self.listen()
        if not self._closing:
            log.warning("the process that writes to SQLite has ended: another one takes its place")
        if self._ear is not None:
            self._loop.remove_reader(self._ear)
            os.close(self._ear)
            self._ear = None
        if not self._gone.done():
            self._gone.set_result(None)
        while self._waiting:
            self._waiting.popleft()(Broken("the process that writes has ended"))

    def _say(self, data: bytes) -> None:
        assert self._transport is not None
        with suppress(OSError):  # its end is told by the loop
            cast(asyncio.WriteTransport, self._transport.get_pipe_transport(0)).write(data)
        self._give_way()

    def _give_way(self) -> None:
        """Let the pen go on. Where it has no core of its own it would have to wait, before its commit and once more
        after it, until this process has nothing more to do.
        """
        began = monotonic()
        if began < self._keeps_until:
            return
        _let_others_run()
        now = monotonic()
        if now - began > LONG_SECONDS:
            self._keeps_until = now + KEPT_SECONDS


def tell(told: asyncio.Future[Any], result: Any) -> None:
    """Whoever waits for this has it as his result, or an exception raised; nobody, if nobody waits any more."""
    if told.done():
        return
    if isinstance(result, BaseException):
        told.set_exception(result)
    else:
        told.set_result(result)


def _error(code: int, text: str) -> sqlite3.Error:
    error = sqlite3.OperationalError(text)
    error.sqlite_errorcode = code
    return error
