"""The logs of the tables: each is what was appended, in order, by its one owner."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from sqlalchemy import func, insert, select, update
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
from slamomatic.server.storage.schema import entries, secrets, tables
from tests.server.storage.appending import NOW_US, SECOND_US, append, ask, entry, opened


async def _count(database: Database, table: object = entries) -> int:
    async with database.read() as connection:
        return int(await connection.scalar(select(func.count()).select_from(table)) or 0)  # type: ignore[arg-type]


def _keep(name: str) -> Callable[[AsyncConnection], object]:
    return lambda connection: connection.execute(insert(secrets).values(name=name, value=b""))


async def test_a_log_is_what_was_appended_in_order(database: Database) -> None:
    logs = Logs(database, "one")
    claim = await opened(logs)
    assert await logs.rows(claim) == ([], NOW_US)
    await asyncio.gather(*(append(logs, claim, entry(3 * n), entry(3 * n + 1), entry(3 * n + 2)) for n in range(400)))
    rows, _ = await logs.rows(claim)
    assert rows == [entry(seq) for seq in range(1_200)]


async def test_any_bytes_are_kept_as_they_are_and_a_very_long_append_too(database: Database) -> None:
    logs = Logs(database, "one")
    claim = await opened(logs, "Ab9_")
    rows = [Row(0, 1, bytes(range(256))), Row(1, 2, b""), *(entry(seq) for seq in range(2, 5_000))]
    await append(logs, claim, *rows)
    await append(logs, claim, entry(5_000))
    assert (await logs.rows(claim))[0] == [*rows, entry(5_000)]


async def test_who_appended_first_is_told_first_and_never_before_append_returned(database: Database) -> None:
    logs = Logs(database, "one")
    claims = [await opened(logs, code) for code in ("AAAA", "BBBB")]
    told: list[tuple[str, int]] = []
    last = asyncio.Event()
    for seq in range(50):
        for claim in claims:

            def done(error: StorageError | None, code: str = claim.code, seq: int = seq) -> None:
                assert error is None
                told.append((code, seq))
                if len(told) == 100:
                    last.set()

            logs.append(claim, [entry(seq)], done, _keep(f"{claim.code} {seq}") if seq % 7 == 3 else None)  # type: ignore[arg-type]
    assert told == []
    await last.wait()
    assert told == [(claim.code, seq) for seq in range(50) for claim in claims]


async def test_an_ear_that_fails_keeps_nobody_else_from_hearing(database: Database) -> None:
    logs = Logs(database, "one")
    claim = await opened(logs)
    failures: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context["exception"]))
    error = RuntimeError("not listening")

    def fail(_: StorageError | None) -> None:
        raise error

    logs.append(claim, [entry(0)], fail)
    await append(logs, claim, entry(1))
    assert failures == [error]


async def test_a_code_is_used_once_for_ever(database: Database) -> None:
    logs = Logs(database, "one")
    await opened(logs)
    assert await logs.open("AAAA", NOW_US) is None
    await logs.close_table("AAAA", NOW_US)
    assert await logs.open("AAAA", NOW_US) is None
    both = await asyncio.gather(logs.open("BBBB", NOW_US), Logs(database, "two").open("BBBB", NOW_US))
    assert sum(claim is not None for claim in both) == 1


async def test_a_closed_table_is_gone_with_its_log(database: Database) -> None:
    logs = Logs(database, "one")
    with pytest.raises(NoTable):
        await logs.claim("AAAA", NOW_US)
    claim = await opened(logs)
    other = await opened(logs, "BBBB")
    await append(logs, claim, entry(0))
    await append(logs, other, entry(0))
    await Logs(database, "two").close_table("AAAA", NOW_US)  # a server that does not hold it
    with pytest.raises(LostTable):
        await append(logs, claim, entry(1))
    with pytest.raises(LostTable):
        await logs.rows(claim)
    with pytest.raises(NoTable):
        await logs.claim("AAAA", NOW_US)
    assert await _count(database) == 1


async def test_what_is_not_the_next_entry_is_refused_before_it_is_sent(database: Database) -> None:
    logs = Logs(database, "one")
    claim = await opened(logs)
    await append(logs, claim, entry(0))
    for wrong in ([entry(0)], [entry(2)], [entry(1), entry(3)], [entry(2), entry(1)]):
        with pytest.raises(LostTable, match="goes on with entry 1"):
            await append(logs, claim, *wrong)
    await append(logs, claim, entry(1))
    assert (await logs.rows(claim))[0] == [entry(0), entry(1)]


async def test_a_claim_never_given_writes_nothing(database: Database) -> None:
    logs = Logs(database, "one")
    claim = await opened(logs)
    for forged in (Claim("BBBB", 1), Claim("AAAA", 2), Claim("AAAA", 0)):
        with pytest.raises(LostTable):
            await append(logs, forged, entry(0))
        with pytest.raises(LostTable):
            await logs.rows(forged)
    await append(logs, claim, entry(0))


async def test_entries_and_their_job_are_written_both_or_neither(database: Database) -> None:
    logs = Logs(database, "one")
    claim, other = await opened(logs), await opened(logs, "BBBB")
    await append(logs, claim, entry(0), also=_keep("a"))
    told = [
        ask(logs, other, entry(0)),
        ask(logs, claim, entry(1), also=_keep("a")),  # there is one already
        ask(logs, claim, entry(2)),
        ask(logs, other, entry(1), also=_keep("b")),
    ]
    first, failed, after_it, last = await asyncio.gather(*told)
    assert first is last is None
    assert isinstance(failed, StorageError)
    assert after_it is failed
    claim = await logs.claim("AAAA", NOW_US)
    assert (await logs.rows(claim))[0] == [entry(0)]
    assert (await logs.rows(other))[0] == [entry(0), entry(1)]
    assert await _count(database, secrets) == 2


async def test_an_append_that_cannot_be_is_refused_alone(database: Database) -> None:
    logs = Logs(database, "one")
    claims = [await opened(logs, f"TAB{number}") for number in range(5)]
    rows = [entry(0), entry(0), Row(0, 2, None), entry(0), entry(0)]  # type: ignore[arg-type]
    results = await asyncio.gather(*(ask(logs, claim, row) for claim, row in zip(claims, rows, strict=True)))
    assert [error is None for error in results] == [True, True, False, True, True]
    assert await _count(database) == 4


async def test_a_table_is_not_taken_from_a_server_that_is_alive(database: Database) -> None:
    one, two = Logs(database, "one"), Logs(database, "two")
    await opened(one)
    await one.beat(NOW_US + 5 * SECOND_US)
    with pytest.raises(Elsewhere, match="one"):
        await two.claim("AAAA", NOW_US + 5 * SECOND_US + LEASE_US - 1)
    claim = await two.claim("AAAA", NOW_US + 5 * SECOND_US + LEASE_US)
    assert claim == Claim("AAAA", 2)
    assert await two.rows(claim) == ([], NOW_US + 5 * SECOND_US)


async def test_a_table_let_go_is_anyones_at_once_as_of_when_it_was_let_go(database: Database) -> None:
    one, two = Logs(database, "one"), Logs(database, "two")
    claim = await opened(one)
    told = ask(one, claim, entry(0))
    await one.beat(NOW_US + SECOND_US)
    await one.release([claim, Claim("BBBB", 1)])
    assert await told is None
    taken = await two.claim("AAAA", NOW_US + 2 * SECOND_US)
    assert await two.rows(taken) == ([entry(0)], NOW_US + SECOND_US)
    with pytest.raises(LostTable):
        await append(one, claim, entry(1))


async def test_a_server_that_starts_again_takes_its_own_at_once_as_of_its_last_beat(database: Database) -> None:
    before = Logs(database, "one")
    claim = await opened(before)
    await append(before, claim, entry(0))
    await before.beat(NOW_US + 3 * SECOND_US)
    # It is killed, starts again twice, and only then somebody comes back to the table.
    for restart in (1, 2):
        await Logs(database, "one").beat(NOW_US + (3 + restart * 1_000) * SECOND_US)
    again = Logs(database, "one")
    taken = await again.claim("AAAA", NOW_US + 5_000 * SECOND_US)
    assert await again.rows(taken) == ([entry(0)], NOW_US + 3 * SECOND_US)
    with pytest.raises(LostTable):
        await append(before, claim, entry(1))


async def test_many_who_claim_at_once_get_each_what_is_theirs(database: Database) -> None:
    one, two = Logs(database, "one"), Logs(database, "two")
    for number in range(60):
        claim = await opened(one, f"T{number:03}")
        await append(one, claim, *(entry(seq) for seq in range(number % 3)))
    await opened(two, "THEIRS")
    again = Logs(database, "one")
    codes = [f"T{number:03}" for number in range(60)]
    claims = await asyncio.gather(
        *(again.claim(code, NOW_US) for code in [*codes, "NONE", "THEIRS"]), return_exceptions=True
    )
    assert claims[:60] == [Claim(code, 2) for code in codes]
    assert isinstance(claims[60], NoTable)
    assert isinstance(claims[61], Elsewhere)
    for number, taken in enumerate(claims[:60]):
        assert isinstance(taken, Claim)
        await append(again, taken, entry(number % 3))
        assert (await again.rows(taken))[0] == [entry(seq) for seq in range(number % 3 + 1)]


async def test_that_a_table_is_played_at_is_written_down_once_a_minute(database: Database) -> None:
    logs = Logs(database, "one")
    played, left = await opened(logs, "PLAY"), await opened(logs, "LEFT")

    async def touched_us(code: str) -> int:
        async with database.read() as connection:
            return int(await connection.scalar(select(tables.c.touched_us).where(tables.c.code == code)) or 0)

    for second in range(1, 130):
        await append(logs, played, entry(second - 1))
        await logs.beat(NOW_US + second * SECOND_US)
        passed_us = second * SECOND_US
        assert await touched_us("PLAY") == NOW_US + passed_us - passed_us % TOUCH_US
    assert await touched_us("LEFT") == NOW_US
    assert left.epoch == 1


async def test_the_longest_forgotten_tables_are_found_first(database: Database) -> None:
    logs = Logs(database, "one")
    for number, code in enumerate(["OLD", "NEW", "MIDDLE", "CLOSED"]):
        await opened(logs, code, NOW_US + (number * 3 % 4) * SECOND_US)  # 0, 3, 2, 1
    await logs.close_table("CLOSED", NOW_US)
    assert await logs.stale(NOW_US + 10 * SECOND_US, 10) == ["OLD", "MIDDLE", "NEW"]
    assert await logs.stale(NOW_US + 10 * SECOND_US, 2) == ["OLD", "MIDDLE"]
    assert await logs.stale(NOW_US + 3 * SECOND_US, 10) == ["OLD", "MIDDLE"]
    assert await logs.stale(NOW_US, 10) == []


async def test_each_commit_is_told_with_its_time_and_how_many_were_in_it(database: Database) -> None:
    logs = Logs(database, "one")
    claims = [await opened(logs, f"TAB{number}") for number in range(20)]
    commits: list[tuple[float, int]] = []
    database.on_commit = lambda seconds, jobs: commits.append((seconds, jobs))
    await asyncio.gather(*(append(logs, claim, entry(0)) for claim in claims))
    assert sum(jobs for _, jobs in commits) == 20
    assert len(commits) < 20
    assert all(seconds > 0 for seconds, _ in commits)


async def test_a_counter_that_fails_stops_nothing(database: Database) -> None:
    logs = Logs(database, "one")
    claim = await opened(logs)
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    database.on_commit = lambda *_: 1 / 0  # type: ignore[assignment]
    for seq in range(3):
        await append(logs, claim, entry(seq))


async def test_after_the_end_nothing_is_taken_and_what_was_asked_before_is_done(store_url: str) -> None:
    database = await Database.open(store_url)
    logs = Logs(database, "one")
    claim = await opened(logs)
    told = ask(logs, claim, entry(0))
    await database.close()
    assert told.done()
    assert told.result() is None
    assert isinstance(await ask(logs, claim, entry(1)), StorageError)
    again = await Database.open(store_url)
    assert await _count(again) == 1
    await again.close()


async def test_jobs_of_others_and_appends_do_not_wait_for_each_other_to_run_out(database: Database) -> None:
    logs = Logs(database, "one")
    claims = [await opened(logs, f"T{number:03}") for number in range(3)]
    order: list[str] = []

    async def job(name: str) -> None:
        await database.write(lambda connection: connection.execute(update(tables).values(opened_us=NOW_US)))
        order.append(name)

    async def play(claim: Claim) -> None:
        for seq in range(10):
            await append(logs, claim, entry(seq))
        order.append("played")

    await asyncio.gather(*(job("job") for _ in range(200)), *(play(claim) for claim in claims))
    assert order.index("played") < len(order) - 50
