"""The logs of the tables: committed before anyone is told, one owner at a time, nothing acknowledged ever lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy import insert, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from slamomatic.server.storage.database import Database
from slamomatic.server.storage.logs import (
    LEASE_US,
    TOUCH_US,
    Claim,
    Elsewhere,
    Logs,
    LostTable,
    NoTable,
    Row,
    StorageError,
)
from slamomatic.server.storage.schema import secrets, tables

NOW_US = 1_764_500_000_000_000
SECOND_US = 1_000_000


@pytest_asyncio.fixture
async def database(store_url: str) -> AsyncIterator[Database]:
    database = await Database.open(store_url)
    yield database
    await database.close()


def entry(seq: int, text: str = "") -> Row:
    return Row(seq, 2, f"{seq} {text}".encode())


async def append(logs: Logs, claim: Claim, *rows: Row, also: Any = None) -> None:
    told: asyncio.Future[StorageError | None] = asyncio.get_running_loop().create_future()
    logs.append(claim, rows, told.set_result, also)
    error = await told
    if error is not None:
        raise error


async def opened(logs: Logs, code: str = "AAAA") -> Claim:
    claim = await logs.open(code, NOW_US)
    assert claim is not None
    return claim


async def test_a_log_is_what_was_appended_in_order(database: Database) -> None:
    logs = Logs(database, "one")
    claim = await opened(logs)
    assert await logs.rows(claim) == ([], NOW_US)
    await asyncio.gather(*(append(logs, claim, entry(3 * n), entry(3 * n + 1), entry(3 * n + 2)) for n in range(400)))
    rows, _ = await logs.rows(claim)
    assert rows == [entry(seq) for seq in range(1_200)]


async def test_a_code_is_used_once_for_ever(database: Database) -> None:
    logs = Logs(database, "one")
    await opened(logs)
    assert await logs.open("AAAA", NOW_US) is None
    await logs.close_table("AAAA", NOW_US)
    assert await logs.open("AAAA", NOW_US) is None
    both = await asyncio.gather(logs.open("BBBB", NOW_US), Logs(database, "two").open("BBBB", NOW_US))
    assert sum(claim is not None for claim in both) == 1


async def test_there_is_no_table_to_claim_where_none_is_open(database: Database) -> None:
    logs = Logs(database, "one")
    with pytest.raises(NoTable):
        await logs.claim("AAAA", NOW_US)
    claim = await opened(logs)
    await append(logs, claim, entry(0))
    await logs.close_table("AAAA", NOW_US)
    with pytest.raises(NoTable):
        await logs.claim("AAAA", NOW_US)
    with pytest.raises(LostTable):
        await append(logs, claim, entry(1))
    async with database.read() as connection:
        assert await connection.scalar(text("SELECT count(*) FROM entries")) == 0


async def test_an_entry_that_is_not_the_next_is_refused(database: Database) -> None:
    logs = Logs(database, "one")
    claim = await opened(logs)
    await append(logs, claim, entry(0))
    for wrong in (0, 2):
        with pytest.raises(LostTable):
            await append(logs, claim, entry(wrong))
    with pytest.raises(LostTable):
        await append(logs, claim, entry(1), entry(3))
    await append(logs, claim, entry(1))


async def test_a_table_is_not_taken_from_a_server_that_is_alive(database: Database) -> None:
    one, two = Logs(database, "one"), Logs(database, "two")
    await opened(one)
    await one.beat(NOW_US + 5 * SECOND_US)
    with pytest.raises(Elsewhere, match="one"):
        await two.claim("AAAA", NOW_US + 5 * SECOND_US + LEASE_US - 1)
    claim = await two.claim("AAAA", NOW_US + 5 * SECOND_US + LEASE_US)
    assert claim == Claim("AAAA", 2)
    assert await two.rows(claim) == ([], NOW_US + 5 * SECOND_US)
