"""The database: many read, one writes. See `engines.py` for the two stores and `writer.py` for the one writer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from time import monotonic
from typing import Self, TypeVar, cast

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from slamomatic.server.storage import checkpoints
from slamomatic.server.storage.engines import file_of, is_away, is_locked, reading_engine, shown, url_of, writing_engine
from slamomatic.server.storage.errors import StorageError, Unavailable
from slamomatic.server.storage.migrating import migrate
from slamomatic.server.storage.writer import PAUSE_SECONDS, Writer

__all__ = ["Database", "StorageError", "Unavailable", "url_of"]

T = TypeVar("T")

OPENING_SECONDS = 5.0
"""So long it is tried to open an SQLite file that another server is just making ready."""


class Database:
    """Whatever is kept. Made by `open`; to be closed."""

    def __init__(self, reading: AsyncEngine, writing: AsyncEngine, file: Path | None) -> None:
        self._reading = reading
        self._writing = writing
        self.writer = Writer(writing, self._committed)
        self._stopping = asyncio.Event()
        keeping = None if file is None else checkpoints.keep_short(file, self.writer.carry_over, self._stopping)
        self._checkpoints = None if keeping is None else asyncio.create_task(keeping)
        self.on_commit: Callable[[float, int], None] | None = None
        """Called after each commit with the seconds it took and how many appends and jobs were in it."""

    @classmethod
    async def open(cls, url: str) -> Self:
        """The database of this address (see `url_of`), its tables brought up to date.

        Raises:
            StorageError: it cannot be reached, or was made by a newer version of the code.
        """
        writing = writing_engine(url)
        try:
            await _bring_up_to_date(writing)
        except StorageError:
            await writing.dispose()
            raise
        except Exception as error:
            await writing.dispose()
            why = str(getattr(error, "orig", error)).strip() or type(error).__name__
            raise StorageError(f"cannot open the database {shown(url)}: {why}") from error
        return cls(reading_engine(url), writing, file_of(url))

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A connection that sees the database as it was at one moment, and cannot write.

        Raises:
            Unavailable: the database does not answer.
        """
        with _told_if_away(Exception):
            connection = await self._reading.connect()
        try:
            with _told_if_away(DBAPIError):  # another error that passes here is the caller's own
                async with connection.begin():
                    yield connection
        finally:
            await connection.close()

    async def write(self, job: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Have the one writer do this job in its next transaction; returns what the job did, after the commit.

        The job may be run more than once before it is committed, and so has no effects but those in the database. What
        it raises is raised here, and undone; jobs it shares the transaction with are not touched by it.

        Raises:
            Unavailable: the database does not answer.
        """
        return cast(T, await self.writer.write(job, in_line=False))

    async def close(self) -> None:
        """Finish what was asked for, and let the database go."""
        await self.writer.close()
        if self._checkpoints is not None:
            self._stopping.set()
            await asyncio.wait([self._checkpoints])
        await self._reading.dispose()
        await self._writing.dispose()

    def _committed(self, seconds: float, count: int) -> None:
        if self.on_commit is not None:
            self.on_commit(seconds, count)


async def _bring_up_to_date(engine: AsyncEngine) -> None:
    """The tables are of the newest version. Of servers that start at once on a new SQLite file one is to make it ready,
    and SQLite does not let the others wait for that but may refuse them: they ask again.
    """
    until = monotonic() + OPENING_SECONDS
    while True:
        try:
            async with engine.begin() as connection:
                await connection.run_sync(migrate)
            return
        except DBAPIError as error:
            if not is_locked(error) or monotonic() > until:
                raise
        await asyncio.sleep(PAUSE_SECONDS)


@contextmanager
def _told_if_away(kind: type[Exception]) -> Iterator[None]:
    try:
        yield
    except kind as error:
        if is_away(error):
            raise Unavailable("the database does not answer") from error
        raise
