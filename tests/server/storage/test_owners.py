"""Two servers on one database: whatever they do, a log has one writer at a time, and the database sees to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import NullPool, select, text, update
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from slamomatic.server.storage.database import Database
from slamomatic.server.storage.logs import LEASE_US, Claim, Logs, LostTable, Row
from slamomatic.server.storage.schema import entries, tables
from tests.server.storage.appending import NOW_US, append, ask, entry, opened


@asynccontextmanager
async def _two(url: str) -> AsyncIterator[tuple[Database, Database]]:
    """The databases of two servers, each with its own connections."""
    one, two = await Database.open(url), await Database.open(url)
    try:
        yield one, two
    finally:
        await one.close()
        await two.close()


async def _log(database: Database, code: str = "AAAA") -> list[tuple[int, int, bytes]]:
    """(seq, epoch, body) of each entry."""
    async with database.read() as connection:
        query = select(entries.c.seq, entries.c.epoch, entries.c.body).where(entries.c.code == code)
        return [tuple(row) for row in await connection.execute(query.order_by(entries.c.seq))]


async def test_a_late_writer_is_refused_and_the_log_is_the_new_owners(store_url: str) -> None:
    async with _two(store_url) as (first, second):
        one, two = Logs(first, "one"), Logs(second, "two")
        old = await opened(one)
        await append(one, old, entry(0, "one"))
        new = await two.claim("AAAA", NOW_US + LEASE_US)
        # The old owner has heard of nothing: it writes what it thinks comes next, before and after the new one does.
        late = [ask(one, old, entry(1, "late")), ask(one, old, entry(2, "later"))]
        assert all(isinstance(error, LostTable) for error in await asyncio.gather(*late))
        await append(two, new, entry(1, "two"))
        with pytest.raises(LostTable):
            await append(one, old, entry(3, "latest"))
        assert await _log(first) == [(0, 1, b"0 one"), (1, 2, b"1 two")]


async def test_others_in_the_same_batch_as_a_late_writer_are_written(store_url: str) -> None:
    async with _two(store_url) as (first, second):
        one, two = Logs(first, "one"), Logs(second, "two")
        claims = [await opened(one, f"TAB{number}") for number in range(6)]
        await two.claim("TAB2", NOW_US + LEASE_US)
        await two.close_table("TAB4", NOW_US)
        results = await asyncio.gather(*(ask(one, claim, entry(0), entry(1)) for claim in claims))
        assert [isinstance(error, LostTable) for error in results] == [False, False, True, False, True, False]
        for number, error in enumerate(results):
            assert len(await _log(second, f"TAB{number}")) == (2 if error is None else 0)


async def test_an_entry_with_a_number_that_is_there_is_refused_whoever_sends_it(store_url: str) -> None:
    async with _two(store_url) as (first, second):
        logs = Logs(first, "one")
        claim = await opened(logs)
        # An entry behind its back, in its own epoch: no server of ours does that.
        await second.write(
            lambda connection: connection.execute(
                entries.insert().values(code="AAAA", seq=1, epoch=1, version=2, body=b"1 ghost")
            )
        )
        results = await asyncio.gather(
            ask(logs, claim, entry(0)), ask(logs, claim, entry(1), entry(2)), ask(logs, claim, entry(3))
        )
        assert results[0] is None
        assert isinstance(results[1], LostTable)
        assert isinstance(results[2], LostTable)
        assert await _log(first) == [(0, 1, b"0 "), (1, 1, b"1 ghost")]


async def test_a_takeover_not_yet_committed_is_waited_for(store_url: str) -> None:
    async with _two(store_url) as (first, second):
        logs = Logs(first, "one")
        claim = await opened(logs)
        taken, go_on = asyncio.Event(), asyncio.Event()

        async def take_slowly(connection: AsyncConnection) -> None:
            await connection.execute(update(tables).values(epoch=tables.c.epoch + 1, owner="two"))
            taken.set()
            await go_on.wait()

        takeover = asyncio.create_task(second.write(take_slowly))
        await taken.wait()
        told = ask(logs, claim, entry(0))
        if make_url(store_url).get_backend_name() == "postgresql":
            await _until_one_waits_for_the_other(second, told)
        go_on.set()
        await takeover
        assert isinstance(await told, LostTable)
        assert await _log(first) == []


@pytest.mark.parametrize("with_job", [False, True], ids=["at once", "with a job"])
async def test_a_takeover_between_check_and_insert_waits_for_the_insert(postgres_url: str, with_job: bool) -> None:
    async def no_job(_: AsyncConnection) -> None:
        pass

    async with _two(postgres_url) as (first, second), _gate(postgres_url) as gate:
        one, two = Logs(first, "one"), Logs(second, "two")
        old = await opened(one)
        told = ask(one, old, entry(0, "one"), also=no_job if with_job else None)
        await gate.until_waiting(1)  # it has been checked, and is about to be inserted
        claim = asyncio.create_task(two.claim("AAAA", NOW_US + LEASE_US))
        await gate.until_waiting(2, claim)
        assert not claim.done()
        await gate.open()
        assert await told is None
        rows, _ = await two.rows(await claim)
        assert rows == [entry(0, "one")]


class _Gate:
    """Entries wait at it, after their table was checked and before they are inserted."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def until_waiting(self, count: int, end: asyncio.Future[Any] | None = None) -> None:
        """Until so many connections wait for something, or what was to wait has come to its end."""
        waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
        while not (end is not None and end.done()) and await self._connection.scalar(waiting) != count:
            pass

    async def open(self) -> None:
        await self._connection.execute(text("SELECT pg_advisory_unlock(1)"))


_PASS_THE_GATE = """
CREATE FUNCTION gate() RETURNS trigger LANGUAGE plpgsql
AS 'BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NEW; END'
"""


@asynccontextmanager
async def _gate(url: str) -> AsyncIterator[_Gate]:
    engine = create_async_engine(url, isolation_level="AUTOCOMMIT", poolclass=NullPool)
    async with engine.connect() as connection:
        for statement in (
            _PASS_THE_GATE,
            "CREATE TRIGGER gate BEFORE INSERT ON entries FOR EACH ROW EXECUTE FUNCTION gate()",
            "SELECT pg_advisory_lock(1)",
        ):
            await connection.execute(text(statement))
        yield _Gate(connection)


async def _until_one_waits_for_the_other(database: Database, end: asyncio.Future[Any]) -> None:
    """Until a connection waits for a lock another one holds, or does not and has come to its end."""
    while not end.done():
        async with database.read() as connection:
            if await connection.scalar(text("SELECT count(*) FROM pg_locks WHERE NOT granted")):
                return


_steps = st.lists(
    st.one_of(
        st.tuples(st.just("append"), st.sampled_from([0, 1]), st.integers(1, 3)),
        st.tuples(st.just("claim"), st.sampled_from([0, 1]), st.just(0)),
        st.tuples(st.just("wait"), st.just(0), st.just(0)),
    ),
    max_size=25,
)


def test_however_two_servers_take_turns_the_log_is_what_was_acknowledged(store_url: str) -> None:
    with asyncio.Runner() as runner:
        databases = [runner.run(Database.open(store_url)) for _ in range(2)]
        codes = iter(range(1_000_000))

        @given(_steps)
        def property_(steps: list[tuple[str, int, int]]) -> None:
            runner.run(_take_turns(databases, f"T{next(codes):06}", steps))

        try:
            property_()
        finally:
            for database in databases:
                runner.run(database.close())


async def _take_turns(databases: list[Database], code: str, steps: list[tuple[str, int, int]]) -> None:
    """Each server believes what it was told last, and asks without waiting for what it asked before."""
    servers = [Logs(database, f"{code} {number}") for number, database in enumerate(databases)]
    claims: list[Claim | None] = [await servers[0].open(code, NOW_US), None]
    assert claims[0] is not None
    nexts = [0, 0]
    now_us, words = NOW_US, iter(range(1_000))
    asked: list[tuple[int, list[Row], asyncio.Future[object]]] = []
    for step, who, count in steps:
        claim = claims[who]
        if step == "claim":
            now_us += LEASE_US
            claims[who] = claim = await servers[who].claim(code, now_us)
            nexts[who] = len((await servers[who].rows(claim))[0])
        elif step == "append" and claim is not None:
            rows = [entry(nexts[who] + number, str(next(words))) for number in range(count)]
            nexts[who] += count
            asked.append((claim.epoch, rows, ask(servers[who], claim, *rows)))  # type: ignore[arg-type]
        elif step == "wait":
            await asyncio.gather(*(told for _, _, told in asked))
    await asyncio.gather(*(told for _, _, told in asked))
    kept = [(row.seq, epoch, row.body) for epoch, rows, told in asked if told.result() is None for row in rows]
    assert await _log(databases[0], code) == sorted(kept)
    assert [seq for seq, _, _ in sorted(kept)] == list(range(len(kept)))
    epochs = [epoch for _, epoch, _ in sorted(kept)]
    assert epochs == sorted(epochs)
