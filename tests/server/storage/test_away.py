"""A database that goes away and comes back: nothing acknowledged is lost, nothing is done twice, no log has a gap."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from functools import partial
from tempfile import TemporaryDirectory

import pytest
import pytest_asyncio
from sqlalchemy import func, insert, select
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncConnection

from slamomatic.server.storage.database import Database, Unavailable
from slamomatic.server.storage.logs import Claim, Logs
from slamomatic.server.storage.schema import secrets
from tests.server.storage.appending import NOW_US, append, ask, entry, opened
from tests.stores import Postgres


class Power:
    """What a database runs on."""

    def __init__(self, url: str, server: Postgres | None) -> None:
        self._name = make_url(url).database or ""
        self._server = server

    @asynccontextmanager
    async def off(self) -> AsyncIterator[None]:
        """The database is away: PostgreSQL refuses to be spoken to, SQLite's file is another's."""
        if self._server is None:
            with closing(sqlite3.connect(self._name, isolation_level=None, timeout=10)) as connection:
                connection.execute("BEGIN IMMEDIATE")
                yield
            return
        await self._server.execute(f"ALTER DATABASE {self._name} ALLOW_CONNECTIONS false")
        await self.blink()
        yield
        await self._server.execute(f"ALTER DATABASE {self._name} ALLOW_CONNECTIONS true")

    async def blink(self) -> None:
        """Every connection to the database breaks, whatever it is at."""
        assert self._server is not None
        await self._server.execute(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{self._name}'"
        )


@pytest.fixture
def power(request: pytest.FixtureRequest, store_url: str) -> Power:
    is_sqlite = store_url.startswith("sqlite")
    return Power(store_url, None if is_sqlite else request.getfixturevalue("postgres"))


async def _keep(connection: AsyncConnection, name: str) -> None:
    await connection.execute(insert(secrets).values(name=name, value=b""))


async def test_what_waits_while_the_database_is_away_is_written_when_it_is_back(
    database: Database, power: Power
) -> None:
    logs = Logs(database, "one")
    claims = [await opened(logs, f"TAB{number}") for number in range(5)]
    database.writer.retry_us = 600_000_000
    async with power.off():
        told = [
            ask(logs, claim, entry(seq), also=partial(_keep, name=claim.code) if seq == 5 else None)
            for seq in range(10)
            for claim in claims
        ]
        job = asyncio.create_task(database.write(partial(_keep, name="job")))
        await asyncio.sleep(0.2)  # time to try, and fail
        assert not any(one.done() for one in told)
    assert await asyncio.gather(*told) == [None] * 50
    await job
    for claim in claims:
        assert (await logs.rows(claim))[0] == [entry(seq) for seq in range(10)]
    assert await _secrets(database) == 6


async def test_who_has_waited_too_long_is_told_and_the_log_has_no_gap(database: Database, power: Power) -> None:
    logs = Logs(database, "one")
    claim = await opened(logs)
    await append(logs, claim, entry(0))
    async with power.off():
        database.writer.retry_us = 0
        told = [ask(logs, claim, entry(seq)) for seq in range(1, 5)]
        job = asyncio.create_task(database.write(partial(_keep, name="job")))
        assert all(isinstance(error, Unavailable) for error in await asyncio.gather(*told))
        with pytest.raises(Unavailable):
            await job
        with pytest.raises(Unavailable):
            await logs.claim("AAAA", NOW_US)
        database.writer.retry_us = 600_000_000
    with pytest.raises(Unavailable):  # as before: what came before it may be missing
        await append(logs, claim, entry(5))
    again = await logs.claim("AAAA", NOW_US)
    rows, _ = await logs.rows(again)
    assert rows == [entry(0)]
    await append(logs, again, entry(1))
    assert await _secrets(database) == 0


async def test_connections_that_break_at_any_instant_lose_nothing_and_do_nothing_twice(
    postgres_url: str, postgres: Postgres
) -> None:
    database = await Database.open(postgres_url)
    database.writer.retry_us = 600_000_000
    logs = Logs(database, "one")
    claims = [await opened(logs, f"TAB{number}") for number in range(4)]
    over = False

    async def play(claim: Claim, ahead: int) -> int:
        """With so many on their way at a time; every third with a job that would fail if it were done twice."""
        seq = 0
        while not over:
            told = []
            for _ in range(ahead):
                name = f"{claim.code} {seq}"
                also = partial(_keep, name=name) if seq % 3 == 2 else None
                told.append(ask(logs, claim, entry(seq), also=also))
                seq += 1
            assert await asyncio.gather(*told) == [None] * ahead
        return seq

    players = [asyncio.create_task(play(claim, ahead)) for claim, ahead in zip(claims, (1, 2, 7, 40), strict=True)]
    power = Power(postgres_url, postgres)
    for _ in range(40):
        await power.blink()
    over = True
    lengths = await asyncio.gather(*players)
    for claim, length in zip(claims, lengths, strict=True):
        assert (await logs.rows(claim))[0] == [entry(seq) for seq in range(length)]
    assert await _secrets(database) == sum(length // 3 for length in lengths)
    await database.close()


class Line:
    """A line to PostgreSQL that can break after a request has arrived, before its answer is back."""

    def __init__(self, url: str, folder: str) -> None:
        self.url = make_url(url).update_query_dict({"host": folder}).render_as_string(hide_password=False)
        self._here = f"{folder}/.s.PGSQL.5432"
        self._there = f"{make_url(url).query['host']}/.s.PGSQL.5432"
        self._breaks_at: Callable[[bytes], bool] | None = None
        self._ends: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        server = await asyncio.start_unix_server(self._connect, self._here)
        try:
            yield
        finally:
            server.close()
            for end in self._ends:
                end.cancel()
            await asyncio.gather(*self._ends, return_exceptions=True)

    def break_at(self, breaks_at: Callable[[bytes], bool]) -> None:
        """Once, at the next request that is such a one."""
        self._breaks_at = breaks_at

    async def _connect(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        server, to_server = await asyncio.open_unix_connection(self._there)
        broken = asyncio.Event()

        async def carry(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
            while data := await source.read(65_536):
                if source is client and self._breaks_at is not None and self._breaks_at(data):
                    self._breaks_at = None
                    broken.set()
                elif source is server and broken.is_set():
                    break  # the answer is here, so what was asked is done; nobody will ever hear of it
                target.write(data)
            to_client.close()
            to_server.close()

        for way in (carry(client, to_server), carry(server, to_client)):
            end = asyncio.create_task(way)
            self._ends.add(end)


def _is_execution(request: bytes) -> bool:
    return request.startswith(b"B")


def _is_commit(request: bytes) -> bool:
    return b"COMMIT" in request


@pytest_asyncio.fixture
async def line(postgres_url: str) -> AsyncIterator[Line]:
    with TemporaryDirectory(prefix="slamomatic-") as folder:
        line = Line(postgres_url, folder)
        async with line.open():
            yield line


async def test_a_commit_that_was_not_answered_is_found_out_and_not_done_twice(line: Line) -> None:
    database = await Database.open(line.url)
    logs = Logs(database, "one")
    claim = await opened(logs)
    line.break_at(_is_execution)
    assert await asyncio.gather(*(ask(logs, claim, entry(seq)) for seq in (0, 1))) == [None, None]
    line.break_at(_is_commit)
    await append(logs, claim, entry(2), also=partial(_keep, name="a"))
    assert (await logs.rows(claim))[0] == [entry(0), entry(1), entry(2)]
    assert await _secrets(database) == 1
    await database.close()


async def test_a_job_whose_commit_was_not_answered_is_left_at_that(line: Line) -> None:
    database = await Database.open(line.url)
    line.break_at(_is_commit)
    with pytest.raises(Unavailable, match="may be done, or not"):
        await database.write(partial(_keep, name="a"))
    assert await _secrets(database) == 1
    await database.close()


async def test_who_reads_while_the_database_is_away_is_told_and_reads_on_when_it_is_back(
    postgres_url: str, postgres: Postgres
) -> None:
    database = await Database.open(postgres_url)
    await database.write(partial(_keep, name="a"))
    power = Power(postgres_url, postgres)
    async with power.off():
        with pytest.raises(Unavailable):
            await _secrets(database)
    assert await _secrets(database) == 1

    async def break_off() -> None:
        async with database.read() as connection:
            await power.blink()
            await connection.scalar(select(func.count()).select_from(secrets))

    with pytest.raises(Unavailable):
        await break_off()
    assert await _secrets(database) == 1
    await database.close()


async def test_what_a_reader_does_wrong_himself_is_his_own(database: Database) -> None:
    with pytest.raises(ConnectionResetError):
        async with database.read():
            raise ConnectionResetError("the one who asked has gone")


async def _secrets(database: Database) -> int:
    async with database.read() as connection:
        return int(await connection.scalar(select(func.count()).select_from(secrets)) or 0)
