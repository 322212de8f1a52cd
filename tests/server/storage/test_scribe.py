"""SQLite's own process: it outlives no server, dies of no signal for one, and what it leaves undone is found out."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
import pytest_asyncio
from sqlalchemy import select, text
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.ext.asyncio import AsyncConnection

from slamomatic.server.storage import pen, writer
from slamomatic.server.storage.appending import Hold
from slamomatic.server.storage.database import Database
from slamomatic.server.storage.logs import Claim, Logs, LostTable, StorageError
from slamomatic.server.storage.schema import servers
from slamomatic.server.storage.scribe import KEPT_SECONDS, LONG_SECONDS, Answer, Broken, Scribe
from slamomatic.server.storage.statements import Statements
from tests.server.storage.appending import NOW_US, append, ask, entry, opened

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are another matter there")

ONE_MORE = "INSERT INTO words VALUES (?)"


@pytest.fixture
def file(tmp_path: Path) -> str:
    return str(tmp_path / "words.db")


@pytest_asyncio.fixture
async def scribe(file: str) -> AsyncIterator[Scribe]:
    started = await Scribe.start(file, {"journal_mode": "WAL"})
    await started.carry_out("CREATE TABLE words (word TEXT PRIMARY KEY)")
    yield started
    await started.close()


def pid_of(scribe: Scribe) -> int:
    assert scribe._transport is not None
    return scribe._transport.get_pid()


async def test_answers_come_in_the_order_of_what_was_asked(scribe: Scribe) -> None:
    told: list[int] = []
    for number in range(100):
        scribe.write(ONE_MORE, (f"word {number}",), partial(lambda number, _: told.append(number), number))
    assert await scribe.carry_out("UPDATE words SET word = word || '!'") == 100
    assert told == list(range(100))


async def test_who_listens_between_turns_of_the_loop_hears_the_same_in_the_same_order(scribe: Scribe) -> None:
    told: list[tuple[int, Answer]] = []

    def hear(number: int, answer: Answer) -> None:
        told.append((number, answer))

    rng = random.Random(1)
    for number in range(300):
        if number % 3:
            scribe.write(ONE_MORE, (f"word {number}",), partial(hear, number))
        else:
            scribe.write("UPDATE words SET word = word", (), partial(hear, number))
        if rng.random() < 0.5:
            scribe.listen()
        if rng.random() < 0.5:
            await asyncio.sleep(rng.choice((0, 0.001)))
    await scribe.carry_out(ONE_MORE, ("last",))
    assert told == [(number, 1 if number % 3 else number // 3 * 2) for number in range(300)]


@pytest.mark.parametrize("crowded", [False, True])
async def test_the_core_is_given_away_while_the_pen_writes_but_not_where_others_take_it_for_long(
    scribe: Scribe, monkeypatch: pytest.MonkeyPatch, *, crowded: bool
) -> None:
    given: list[float] = []

    def let_others_run() -> None:
        given.append(time.monotonic())
        if crowded:
            time.sleep(2 * LONG_SECONDS)

    await asyncio.sleep(KEPT_SECONDS)  # its start may have taken long
    monkeypatch.setattr("slamomatic.server.storage.scribe._let_others_run", let_others_run)
    begun = time.monotonic()
    told: list[Answer] = []
    for number in range(20):
        scribe.write(ONE_MORE, (f"word {number}",), told.append)
        scribe.listen()
    while len(told) < 20:
        scribe.listen()
    taken = time.monotonic() - begun
    if crowded:
        assert 1 <= len(given) <= 1 + taken / KEPT_SECONDS
    else:
        assert len(given) >= 20
    assert told == [1] * 20
    given.clear()
    scribe.listen()
    assert given == [], "there is nothing to wait for"


async def test_what_is_committed_is_told_before_the_loop_comes_round_to_it(sqlite_url: str) -> None:
    database = await Database.open(sqlite_url)
    logs = Logs(database, "one")
    claim = await opened(logs)
    await append(logs, claim, entry(0))
    told = ask(logs, claim, entry(1))
    for _ in range(200):
        time.sleep(0.01)  # noqa: ASYNC251 - the loop is busy
        logs.listen()
        if told.done():
            break
    assert told.result() is None
    assert (await logs.rows(claim))[0] == [entry(0), entry(1)]
    await database.close()


async def test_what_is_asked_for_together_is_done_together_or_not_at_all(scribe: Scribe) -> None:
    two = "INSERT INTO words VALUES (?), (?)"
    await scribe.carry_out_together([(ONE_MORE, ("a",), 1), (two, ("b", "c"), 2), (ONE_MORE, ("d",), None)])
    with pytest.raises(sqlite3.Error, match="UNIQUE"):
        await scribe.carry_out_together([(ONE_MORE, ("e",), 1), (ONE_MORE, ("a",), 1)])
    with pytest.raises(sqlite3.Error, match="2 rows in place of 3"):
        await scribe.carry_out_together([(two, ("e", "f"), 3)])
    assert await scribe.carry_out("UPDATE words SET word = word || '!'") == 4


async def test_what_no_pipe_takes_is_refused_and_nobody_hears_anothers_answer(scribe: Scribe) -> None:
    told: list[Answer] = []
    scribe.write(ONE_MORE, ("before",), told.append)
    scribe.write(ONE_MORE, (object(),), told.append)
    assert await scribe.carry_out("UPDATE words SET word = word || '!'") == 1
    assert await scribe.carry_out(ONE_MORE, ("after",)) == 1
    refused, written = sorted(told, key=lambda answer: isinstance(answer, int))
    assert written == 1
    assert isinstance(refused, sqlite3.Error)


async def test_an_append_and_its_statements_are_kept_both_or_neither(sqlite_url: str) -> None:
    database = await Database.open(sqlite_url)
    one, two = Logs(database, "one"), Logs(database, "two")
    claim, other = await opened(one, "MINE"), await opened(one, "LOST")
    await append(one, claim, entry(0))
    await append(one, other, entry(0))
    await append(one, claim, entry(1), also=naming("kept"))
    assert await names(database) >= {"kept"}
    await one.release([Claim("LOST", 1)])
    await two.claim("LOST", NOW_US)
    one._hold(Hold("LOST", 1, 1, NOW_US, NOW_US))  # as a server that does not know yet
    with pytest.raises(LostTable):
        await append(one, Claim("LOST", 1), entry(1), also=naming("not kept"))
    with pytest.raises(StorageError, match="nonsense"):
        await append(one, claim, entry(2), also=Statements(_fails, [("nonsense", ())]))
    assert await names(database) & {"kept", "not kept"} == {"kept"}
    await database.close()


async def test_a_pen_that_dies_over_an_append_and_its_statements_does_both_once(sqlite_url: str) -> None:
    database = await Database.open(sqlite_url)
    database.writer.retry_us = 600_000_000
    logs = Logs(database, "one")
    claim = await opened(logs)
    rng = random.Random(1)
    for seq in range(40):
        told = ask(logs, claim, entry(seq), also=naming(f"name {seq}") if seq % 2 else None)
        await asyncio.sleep(rng.random() * 0.003)
        if (scribe := database.writer._scribe) is not None and not scribe._gone.done():
            with suppress(ProcessLookupError):
                os.kill(pid_of(scribe), signal.SIGKILL)
        assert await told is None
    assert (await logs.rows(claim))[0] == [entry(seq) for seq in range(40)]
    assert await names(database) >= {f"name {seq}" for seq in range(1, 40, 2)}
    await database.close()


def naming(name: str) -> Statements:
    """A job that leaves a trace."""
    return Statements.one(sqlite_insert(servers).values(name=name, alive_us=1).on_conflict_do_nothing())


async def names(database: Database) -> set[str]:
    async with database.read() as connection:
        return set((await connection.execute(select(servers.c.name))).scalars())


async def _fails(connection: AsyncConnection) -> None:
    await connection.execute(text("nonsense"))


async def test_an_error_is_told_with_sqlites_code_and_is_not_the_end(scribe: Scribe) -> None:
    await scribe.carry_out(ONE_MORE, ("once",))
    with pytest.raises(Exception, match="UNIQUE") as failed:
        await scribe.carry_out(ONE_MORE, ("once",))
    assert failed.value.sqlite_errorcode & 0xFF == 19  # type: ignore[attr-defined]
    assert await scribe.carry_out(ONE_MORE, ("twice",)) == 1


async def test_signals_meant_for_the_server_do_not_end_it(scribe: Scribe) -> None:
    await scribe.carry_out(ONE_MORE, ("before",))
    for number in (signal.SIGINT, signal.SIGTERM):
        os.kill(pid_of(scribe), number)
    assert await scribe.carry_out(ONE_MORE, ("after",)) == 1


async def test_whoever_waits_is_told_when_it_dies(scribe: Scribe) -> None:
    os.kill(pid_of(scribe), signal.SIGSTOP)
    told = asyncio.create_task(scribe.carry_out(ONE_MORE, ("lost",)))
    await asyncio.sleep(0)
    os.kill(pid_of(scribe), signal.SIGKILL)
    with pytest.raises(Broken):
        await told
    with pytest.raises(Broken):
        await scribe.carry_out(ONE_MORE, ("later",))


def test_it_ends_when_its_server_is_killed(file: str) -> None:
    starts = (
        "import asyncio, sys\n"
        "from slamomatic.server.storage.scribe import Scribe\n"
        "async def run():\n"
        "    scribe = await Scribe.start(sys.argv[1], {})\n"
        "    print(scribe._transport.get_pid(), flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "asyncio.run(run())\n"
    )
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", starts, file], stdout=pipe, stderr=pipe, text=True) as server:
        assert server.stdout is not None
        server.stdout.readline()
        server.kill()
        server.communicate(timeout=20)  # its standard error is the pen's too, and is closed once both have ended


async def test_a_pen_that_dies_at_any_instant_loses_nothing_and_writes_nothing_twice(sqlite_url: str) -> None:
    database = await Database.open(sqlite_url)
    database.writer.retry_us = 600_000_000
    logs = Logs(database, "one")
    claims = [await opened(logs, f"TAB{number}") for number in range(5)]
    rng = random.Random(1)
    over = False

    async def play(claim: str, ahead: int, *, can_wait: bool) -> int:
        seq = 0
        while not over:
            told = [ask(logs, by_code[claim], entry(seq + more), can_wait=can_wait) for more in range(ahead)]
            assert await asyncio.gather(*told) == [None] * ahead
            seq += ahead
        return seq

    by_code = {claim.code: claim for claim in claims}
    kinds = zip(by_code, (1, 1, 2, 7, 40), (False, True, False, True, False), strict=True)
    players = [asyncio.create_task(play(code, ahead, can_wait=waits)) for code, ahead, waits in kinds]
    killed = 0
    while killed < 25:
        await asyncio.sleep(rng.random() * 0.06)
        scribe = database.writer._scribe
        if scribe is not None and not scribe._gone.done():
            with suppress(ProcessLookupError):  # it is dead, and nobody has been told yet
                os.kill(pid_of(scribe), signal.SIGKILL)
                killed += 1
    over = True
    lengths = await asyncio.gather(*players)
    assert all(lengths)
    for claim, length in zip(claims, lengths, strict=True):
        assert (await logs.rows(claim))[0] == [entry(seq) for seq in range(length)]
    await database.close()


async def test_who_can_wait_shares_a_commit_and_who_cannot_takes_them_along(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "COMPANY_SECONDS", 600.0)
    database = await Database.open(sqlite_url)
    logs = Logs(database, "one")
    claims = [await opened(logs, f"TAB{number}") for number in range(3)]
    for claim in claims:
        await append(logs, claim, entry(0))
    commits: list[int] = []
    database.on_commit = lambda _, jobs: commits.append(jobs)
    waiting = [ask(logs, claim, entry(1), can_wait=True) for claim in claims]
    await asyncio.sleep(0.1)
    assert commits == []
    await append(logs, claims[0], entry(2))
    assert [told.done() for told in waiting] == [True] * 3
    await asyncio.sleep(0)
    assert commits == [4]
    await database.close()


async def test_who_can_wait_waits_a_moment_and_not_at_all_where_nothing_goes_on(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = await Database.open(sqlite_url)
    logs = Logs(database, "one")
    claim = await opened(logs)
    await append(logs, claim, entry(0))
    await ask(logs, claim, entry(1), can_wait=True)
    monkeypatch.setattr(writer, "COMPANY_SECONDS", 600.0)
    monkeypatch.setattr(writer, "QUIET", 0)
    await ask(logs, claim, entry(2), can_wait=True)
    await database.close()


def test_what_is_said_is_heard_whole(tmp_path: Path) -> None:
    things = [(), ("SELECT 1", [None, 1, "ä", b"\0" * 100_000]), 7]
    (tmp_path / "pipe").write_bytes(b"".join(map(pen.said, things)) + pen.said("cut off")[:-1])
    with (tmp_path / "pipe").open("rb") as source:
        assert list(pen.heard(source)) == things
