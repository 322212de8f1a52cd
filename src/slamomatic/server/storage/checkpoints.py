"""SQLite's write-ahead log, carried over into the file now and then, beside the writer and not by it.

SQLite would do so itself, every thousand pages, in the middle of a commit; with many tables that is every second, and
whoever slams just then waits for it. A connection of its own does it without stopping the writer, and seldom; only the
little that was written meanwhile is left to the writer, so that it begins the log anew. A log that grows is slow: with
each commit the disk has to write down how long it is now, too.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import aiosqlite

from slamomatic.server.storage.scribe import Broken

log = logging.getLogger(__name__)

EVERY_SECONDS = 3.0
"""With more to carry over at a time, the disk keeps the writer waiting for longer."""
MOST_PAGES = 65_536
"""With so many pages (256 MiB) in the log the writer is made to begin it anew, which may hold it up for a moment."""


async def keep_short(file: Path, rest: Callable[[], Awaitable[None]], stopping: asyncio.Event) -> None:
    """Carry the log over again and again, until stopped; ``rest``: have the writer do so with what is left.

    Not to be cancelled: a thread of SQLite's would be left behind, with nobody to tell.
    """
    async with aiosqlite.connect(file, isolation_level=None) as connection:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(EVERY_SECONDS):
                    await stopping.wait()
                    return
            try:
                if await carried_over(connection, "PASSIVE") > MOST_PAGES:
                    await carried_over(connection, "RESTART")
                await rest()
            except (sqlite3.Error, Broken) as error:  # a full disk, a locked file: the writer says so, this tries again
                log.warning("the log of the database is carried over later: %s", error)


async def carried_over(connection: aiosqlite.Connection, how: str) -> int:
    """Carry over what can be; returns how many pages the log has."""
    async with connection.execute(f"PRAGMA wal_checkpoint({how})") as cursor:
        row = await cursor.fetchone()
    return 0 if row is None else int(row[1])
