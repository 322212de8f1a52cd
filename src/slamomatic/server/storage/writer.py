"""The one writer. Whatever waits while it writes is written together, next; then all who waited are told.

Laws of this room:
- nobody is told of a success before it is committed;
- appends, and the jobs put in line with them, happen in the order they came; other jobs come between. Neither keeps the
  other waiting for longer than one transaction;
- while the database does not answer, what waits is tried again, each for `RETRY_US`: an append any number of times, for
  it is kept once all the same. A job whose commit was not answered is not: it might be done twice;
- an error belongs to the one who caused it: the others in the same transaction are written;
- with a scribe plain appends fly: they are in its hands while the loop goes on, several at a time, but never two of one
  table, for a log has no gaps. What comes back unwritten is the task's, as is all the rest; it waits for them.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import aiosqlite
import asyncpg  # type: ignore[import-untyped]
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from slamomatic.server.storage.appending import (
    MOST_ROWS,
    Append,
    append_at_once,
    append_by_scribe,
    append_with,
    settle,
)
from slamomatic.server.storage.engines import WRITING, is_away
from slamomatic.server.storage.errors import StorageError, Unavailable
from slamomatic.server.storage.scribe import Broken, Scribe, tell
from slamomatic.server.storage.statements import Job, Statements

RETRY_US = 5_000_000
"""So long what waits is tried again before its caller is told that the database does not answer."""
COMPANY_SECONDS = 0.004
"""So long an append waits for others that nobody races for: a commit costs as much for one as for many."""
QUIET = 5
"""If nothing was written for this many times as long, it does not: the next is not likely to come soon."""
MOST_FLIGHTS = 3
"""So many appends are in a scribe's hands at once: each waits for those before it, and who comes later for them all."""
PAUSE_SECONDS = 0.05
"""Between two tries."""
MOST_JOBS = 8
"""So many jobs share a transaction at most: the appends that wait for it are players who wait."""


class Work:
    """Something that waits to be written: an append, a job, or an append and a job that are done both or neither."""

    __slots__ = ("append", "asked", "can_wait", "job", "tell")

    def __init__(
        self, append: Append | None, job: Job | None, tell: Callable[[Any], None], *, can_wait: bool = False
    ) -> None:
        self.append = append
        self.job = job
        self.tell = tell
        """Called once, with what came of it; an exception if nothing did."""
        self.can_wait = can_wait
        """Nobody races for it: it may wait for company."""
        self.asked = 0.0

    @property
    def is_plain(self) -> bool:
        """Whether it can be appended together with others, in one statement."""
        return self.append is not None and self.job is None and not self._is_long

    @property
    def goes_alone(self) -> bool:
        """Whether a scribe can do it, in a transaction of its own."""
        return isinstance(self.job, Statements) and not self._is_long

    @property
    def _is_long(self) -> bool:
        return self.append is not None and len(self.append.rows) > MOST_ROWS


class Writer:
    """Writes what it is given. Made by whoever owns the engine; to be closed."""

    def __init__(self, engine: AsyncEngine, committed: Callable[[float, int], None]) -> None:
        self._engine = engine
        self._committed = committed
        self._line: deque[Work] = deque()
        self._between: deque[Work] = deque()
        self._asked = asyncio.Event()
        self._closing = False
        self._connection: AsyncConnection | None = None
        self._driver: Any = None
        """What appends are written with: PostgreSQL's own connection, or for SQLite, from the first append on, a
        scribe."""
        self._scribe: Scribe | None = None
        self._loop = asyncio.get_running_loop()
        self._task = self._loop.create_task(self._run(), name="storage writer")
        self._flights: list[Sequence[Work]] = []
        self._landed = asyncio.Event()
        """Nothing flies."""
        self._landed.set()
        self._doubtful: deque[Sequence[Work]] = deque()
        """What flew, and may not be written: the task finds out."""
        self._is_working = False
        """The task is, and nothing flies meanwhile."""
        self._company: asyncio.TimerHandle | None = None
        """Until it rings, those who can wait wait for others."""
        self._written_at = 0.0
        self.retry_us = RETRY_US

    def put(self, work: Work, *, in_line: bool = True) -> None:
        """Have this written; `work.tell` is called on the loop, later."""
        if self._closing:
            self._loop.call_soon(self._tell, [work], [Unavailable("the database is closed")])
            return
        work.asked = self._loop.time()
        (self._line if in_line else self._between).append(work)
        if work.can_wait and work.asked - self._written_at < COMPANY_SECONDS * QUIET:
            self._wait_for_company()
        else:
            self._hurry()

    async def write(self, job: Job, *, in_line: bool = True) -> Any:
        """Have this job done; returns what it returned, after the commit, or raises what it raised."""
        told: asyncio.Future[Any] = self._loop.create_future()
        self.put(Work(None, job, partial(tell, told)), in_line=in_line)
        return await told

    def listen(self) -> None:
        """Tell now whoever waits for what is committed by now, as far as that can be seen without waiting for it."""
        if self._scribe is not None:
            self._scribe.listen()

    async def carry_over(self) -> None:
        """SQLite: carry over into the file what is still in its log alone, if there is a scribe.

        Raises:
            sqlite3.Error: with SQLite's own code.
            Broken: the scribe is gone.
        """
        if self._scribe is not None:
            await self._scribe.carry_out("PRAGMA wal_checkpoint(PASSIVE)")

    async def close(self) -> None:
        """Write what waits, then stop."""
        self._closing = True
        self._asked.set()
        await self._task
        await asyncio.sleep(0)  # the last are told in this turn of the loop

    async def _run(self) -> None:
        while self._line or self._between or self._doubtful or not self._landed.is_set() or not self._closing:
            await self._asked.wait()
            if not self._closing:
                self._asked.clear()
            await self._landed.wait()
            self._is_working = True
            while self._doubtful or self._line or self._between:
                if self._doubtful:
                    await self._persist(self._doubtful.popleft())
                    continue
                if self._can_fly():
                    break
                await self._persist(self._next_appends())
                await self._persist(self._next_works())
            self._is_working = False
            self._go_on()
        await self._let_go()

    # Without the task.

    def _wait_for_company(self) -> None:
        if self._company is None:
            self._company = self._loop.call_later(COMPANY_SECONDS, self._has_waited)

    def _has_waited(self) -> None:
        self._company = None
        self._hurry()

    def _hurry(self) -> None:
        """Have written what waits: by the scribe at once, if it can be, else by the task."""
        if self._is_working or not self._can_fly():
            self._asked.set()
        elif len(self._flights) < MOST_FLIGHTS:
            self._fly()

    def _go_on(self) -> None:
        """Something is done: see to what has come meanwhile."""
        if self._doubtful or self._between or any(not work.can_wait for work in self._line):
            self._hurry()
        elif self._line:
            self._wait_for_company()

    def _can_fly(self) -> bool:
        """Whether a plain append is first in line, there is a scribe, and nothing before it is in doubt."""
        is_plain = bool(self._line) and self._line[0].is_plain
        return is_plain and self._scribe is not None and not (self._doubtful or self._between)

    def _fly(self) -> None:
        """Have the scribe write what stands first in line, unless something of the same table is on its way."""
        flying = {work.append.hold.code for works in self._flights for work in works if work.append is not None}
        if any(work.append is not None and work.append.hold.code in flying for work in self._line):
            return  # when that is back
        works = self._without_lost(self._next_appends())
        if not works or self._scribe is None:
            self._go_on()
            return
        self._flights.append(works)
        self._landed.clear()
        appends = [work.append for work in works if work.append is not None]
        append_by_scribe(self._scribe, appends, partial(self._come_back, works, self._loop.time()))

    def _come_back(self, works: Sequence[Work], began: float, is_written: bool) -> None:
        self._flights.remove(works)
        if not self._flights:
            self._landed.set()
        if not is_written:
            self._doubtful.append(works)
            self._go_on()
            return
        self._count(works, began)
        self._go_on()
        self._tell(works, [None] * len(works))

    # By the task.

    def _next_appends(self) -> list[Work]:
        """What stands first in line and can be written in one statement."""
        taken: list[Work] = []
        rows = 0
        while self._line and (work := self._line[0]).is_plain:
            append = work.append
            assert append is not None
            if taken and rows + len(append.rows) > MOST_ROWS:
                break
            taken.append(self._line.popleft())
            rows += len(append.rows)
        return taken

    def _next_works(self) -> list[Work]:
        """What shares the next transaction: from the line up to the next plain append, and from between."""
        taken: list[Work] = []
        room = MOST_JOBS - min(len(self._between), MOST_JOBS // 2)
        while self._line and len(taken) < room and not self._line[0].is_plain:
            if self._line[0].goes_alone:
                return taken or [self._line.popleft()]
            taken.append(self._line.popleft())
        while self._between and len(taken) < MOST_JOBS:
            if self._between[0].goes_alone:
                return taken or [self._between.popleft()]
            taken.append(self._between.popleft())
        return taken

    async def _persist(self, works: Sequence[Work]) -> None:
        """Write these, however often it takes, and tell everyone."""
        while works := self._without_lost(works):
            began = self._loop.time()
            try:
                results = await self._attempt(works)
            except Exception as error:  # noqa: BLE001 - whatever it was, those who wait are told
                if isinstance(error, _CommitUnanswered):
                    works = self._without_jobs(works)
                elif not is_away(error) and not self._is_broken():
                    await self._find_whose(works, error)
                    return
                await self._let_go()
                works = self._without_old(works)
                await asyncio.sleep(PAUSE_SECONDS)
            else:
                self._count(works, began)
                self._tell(works, results)
                return

    async def _attempt(self, works: Sequence[Work]) -> Sequence[Any]:
        """Write these once; returns what came of each."""
        if self._connection is None:
            self._connection = await self._engine.connect()
            self._driver = (await self._connection.get_raw_connection()).driver_connection
        first = works[0]
        if isinstance(first.job, Statements) and first.goes_alone and self._scribe is not None:
            with suppress(sqlite3.Error, Broken):  # whatever was wrong, and whether it is done: that is found out below
                await append_with(self._scribe, first.append, first.job.for_sqlite)
                return [None]
        if not first.is_plain:
            return await _transact(self._connection, works)
        if isinstance(self._driver, aiosqlite.Connection):
            self._driver = self._scribe = await Scribe.start(str(self._engine.url.database), WRITING)
        appends = [work.append for work in works if work.append is not None]
        try:
            if await append_at_once(self._driver, appends):
                return [None] * len(works)
        except Exception as error:
            if is_away(error):
                raise
        async with self._connection.begin():
            return await settle(self._connection, appends)

    async def _find_whose(self, works: Sequence[Work], error: Exception) -> None:
        """One of these was refused, and took the others with it."""
        if len(works) > 1:
            for work in works:
                await self._persist([work])
        else:
            self._tell(works, [error])

    def _without_lost(self, works: Sequence[Work]) -> Sequence[Work]:
        for work in works:
            if work.append is not None and work.append.hold.lost is not None:
                self._tell([work], [work.append.hold.lost])
        return [work for work in works if work.append is None or work.append.hold.lost is None]

    def _without_jobs(self, works: Sequence[Work]) -> Sequence[Work]:
        error = Unavailable("the database went away as this was committed: it may be done, or not")
        jobs = [work for work in works if work.append is None]
        self._tell(jobs, [error] * len(jobs))
        return [work for work in works if work.append is not None]

    def _without_old(self, works: Sequence[Work]) -> Sequence[Work]:
        """Of these, those that have not waited long enough. Who stands in line or between for too long is told, too."""
        limit = self._loop.time() - self.retry_us / 1_000_000
        old = [work for work in works if work.asked <= limit]
        for queue in (self._line, self._between):
            while queue and queue[0].asked <= limit:
                old.append(queue.popleft())
        self._tell(old, [Unavailable("the database does not answer")] * len(old))
        return [work for work in works if work.asked > limit]

    def _count(self, works: Sequence[Work], began: float) -> None:
        """These are committed now."""
        self._written_at = self._loop.time()
        self._loop.call_soon(self._committed, self._written_at - began, len(works))

    def _tell(self, works: Sequence[Work], results: Sequence[Any]) -> None:
        """Tell those who wait what came of it."""
        for work, result in zip(works, results, strict=True):
            if work.append is not None and isinstance(result, Exception):
                work.append.hold.lost = work.append.hold.lost or _as_storage_error(result)
        for work, result in zip(works, results, strict=True):
            try:
                work.tell(result)
            except Exception as error:  # noqa: BLE001 - the others are told all the same
                self._loop.call_exception_handler({"message": "being told of what is written", "exception": error})

    def _is_broken(self) -> bool:
        """Whether the connection is gone, whatever the error says that was seen first."""
        return isinstance(self._driver, asyncpg.Connection) and bool(self._driver.is_closed())

    async def _let_go(self) -> None:
        """Of the connection, whatever state it is in."""
        connection, self._connection = self._connection, None
        scribe, self._scribe = self._scribe, None
        if connection is not None:
            with suppress(Exception):
                await connection.invalidate()
            with suppress(Exception):
                await connection.close()
        if scribe is not None:
            await scribe.close()
        self._driver = None


class _CommitUnanswered(Exception):
    """Whatever the reason: what was written may be there, or not."""


async def _transact(connection: AsyncConnection, works: Sequence[Work]) -> Sequence[Any]:
    """Write these in one transaction; returns what came of each."""
    transaction = await connection.begin()
    try:
        if len(works) == 1:
            results = [await _do(connection, works[0])]
        else:
            results = [await _do_apart(connection, work) for work in works]
    except BaseException:
        with suppress(Exception):  # what happened first is what is told
            await transaction.rollback()
        raise
    try:
        await transaction.commit()
    except Exception as error:
        raise _CommitUnanswered from error
    return results


async def _do(connection: AsyncConnection, work: Work) -> Any:
    if work.append is not None:
        [written] = await settle(connection, [work.append])
        if written is not True or work.job is None:
            return written  # what was written before was so together with its job
    return await work.job(connection) if work.job is not None else None


async def _do_apart(connection: AsyncConnection, work: Work) -> Any:
    """Do it in a savepoint of its own: an error undoes this alone."""
    try:
        async with connection.begin_nested():
            return await _do(connection, work)
    except Exception as error:
        if is_away(error):
            raise
        return error


def _as_storage_error(error: Exception) -> StorageError:
    return error if isinstance(error, StorageError) else StorageError(f"could not be kept: {error}")
