"""The write-ahead log of SQLite is carried over beside the writer, and begun anew when it has grown long."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncConnection

from slamomatic.server.storage import checkpoints
from slamomatic.server.storage.database import Database

PAGE_BYTES = 4_096


@pytest.fixture
async def database(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Database]:
    monkeypatch.setattr(checkpoints, "EVERY_SECONDS", 0.05)
    opened = await Database.open(sqlite_url)
    yield opened
    await opened.close()


async def write_much(database: Database, times: int) -> None:
    async def job(connection: AsyncConnection) -> None:
        await connection.execute(text("INSERT OR REPLACE INTO secrets VALUES ('much', zeroblob(400000))"))

    for _ in range(times):
        await database.write(job)


def size_of(url: str, part: str = "") -> int:
    """Of the file, or of its log."""
    return Path(f"{make_url(url).database}{part}").stat().st_size


async def test_the_file_gets_what_is_in_the_log_while_the_writer_goes_on(database: Database, sqlite_url: str) -> None:
    before = size_of(sqlite_url)
    await write_much(database, 3)
    async with asyncio.timeout(10):
        while size_of(sqlite_url) < before + 400_000:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.02)
    await write_much(database, 3)


async def test_a_long_log_is_begun_anew(database: Database, sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "MOST_PAGES", 300)
    longest = 0
    for _ in range(40):
        await write_much(database, 2)
        await asyncio.sleep(0.05)
        longest = max(longest, size_of(sqlite_url, "-wal"))
    assert longest < 20 * 400_000, "80 times as much was written"
