"""A server killed at any instant under people who play on: nothing acknowledged is lost, and nothing is done twice.

``pytest tests/server/test_kills.py --kills 200`` kills each store's server so often; without it, a few times.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from itertools import pairwise
from pathlib import Path
from random import Random
from time import monotonic
from typing import Self

import aiohttp
import msgspec
import pytest
from sqlalchemy import select

from slamomatic.server.storage import schema
from slamomatic.server.storage.database import Database
from slamomatic.table.calls import Seated
from slamomatic.table.log import Entry, GameBegan, GameMoved, decode
from slamomatic.table.memory import Memory, rebuilt
from tests.server.guests import PATIENCE_SECONDS
from tests.server.survivors import Survivor, at_home, in_public

BACK_SECONDS = 3.0
"""After a restart every table is back within this time."""
TABLES = (("classic", 2), ("modern", 3), ("classic-junior", 4))
LONGEST_PEACE_SECONDS = 0.8


class Tower:
    """A server on one port and one database, that is killed and started again."""

    def __init__(self, store_url: str, log: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/"
        self._log = log
        self._process: Process | None = None
        limits = log.with_suffix(".limits")
        rate = {"burst": 10**6, "per_second": 10**6}
        limits.write_bytes(msgspec.json.encode({"calls": rate, "openings": rate, "messages": rate}))
        place = ("--data", str(log.parent)) if store_url.startswith("sqlite") else ("--database-url", store_url)
        self._command = (
            sys.executable, "-c", "from slamomatic.cli import main; main()", "serve",
            "--host", "127.0.0.1", "--port", str(self.port), "--limits", str(limits), *place,
        )  # fmt: skip

    async def start(self) -> None:
        with self._log.open("a") as log:
            self._process = await asyncio.create_subprocess_exec(
                *self._command, stdin=DEVNULL, stdout=PIPE, stderr=log, env=dict(os.environ)
            )
        assert self._process.stdout is not None
        async with asyncio.timeout(3 * PATIENCE_SECONDS):
            greeting = await self._process.stdout.readline()
        assert greeting.startswith(b"Slam-o-matic is open"), self._log.read_text()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.communicate()

    async def kill(self, how: int = signal.SIGKILL) -> None:
        assert self._process is not None
        assert self._process.returncode is None, f"the server died by itself: {self._log.read_text()[-2000:]}"
        self._process.send_signal(how)
        await self._process.communicate()


async def log_of(store_url: str, code: str) -> dict[int, Entry]:
    """What the database has of a table."""
    database = await Database.open(store_url)
    try:
        async with database.read() as connection:
            rows = await connection.execute(
                select(schema.entries.c.seq, schema.entries.c.version, schema.entries.c.body)
                .where(schema.entries.c.code == code)
                .order_by(schema.entries.c.seq)
            )
            return {seq: decode(version, body) for seq, version, body in rows}
    finally:
        await database.close()


async def seat_people(session: aiohttp.ClientSession, url: str, rng: Random) -> list[list[Survivor]]:
    """Some tables, full of survivors."""
    tables = []
    for edition, people in TABLES:
        async with session.post(f"{url}api/tables", json={"name": "One", "edition": edition}) as answer:
            seats = [msgspec.convert(await answer.json(), Seated)]
        for number in range(2, people + 1):
            path = f"{url}api/tables/{seats[0].code}/join"
            async with session.post(path, json={"name": f"No {number}"}) as answer:
                seats.append(msgspec.convert(await answer.json(), Seated))
        tables.append([Survivor(session, url, seated, Random(rng.random())) for seated in seats])
    return tables


async def all_back(survivors: list[Survivor]) -> float:
    """How long it takes until every one of them has been welcomed, in seconds."""
    began = monotonic()
    async with asyncio.timeout(PATIENCE_SECONDS):
        for survivor in survivors:
            await survivor.came_back.wait()
    return monotonic() - began


def check(table: list[Survivor], entries: dict[int, Entry]) -> None:
    """Everybody's book and the log tell one story, and in it everything asked for was done once at most."""
    assert sorted(entries) == list(range(len(entries))), "a log without a gap"
    record = rebuilt(entries.values())
    assert record.state is not None
    memory = Memory()
    played: dict[int, GameBegan | GameMoved] = {}
    for entry in entries.values():
        memory.take(entry)
        if isinstance(entry, GameBegan | GameMoved):
            played[memory.told_seq] = entry
    for survivor in table:
        for seq, told in survivor.book.items():
            entry = played[seq]
            events = (entry.dealt,) if isinstance(entry, GameBegan) else entry.events
            assert in_public(events) == told, "shown, and not what the log has"
    positions = sorted(played)
    asked = {
        (max(position for position in positions if position <= after), act.command)
        for survivor in table
        for after, act in survivor.acts.items()
    }
    for position, follows in pairwise(positions):
        move = played[follows]
        if isinstance(move, GameMoved) and move.race is None:
            (command,) = move.commands
            assert (position, command) in asked, "done, and nobody asked for it in this position"


@pytest.fixture
def kills(request: pytest.FixtureRequest) -> int:
    return int(request.config.getoption("--kills"))


async def test_a_server_killed_at_any_instant_loses_nothing_and_does_nothing_twice(
    store_url: str, tmp_path: Path, kills: int
) -> None:
    rng = Random(20261130)
    worst = 0.0
    async with Tower(store_url, tmp_path / "server.log") as tower, aiohttp.ClientSession() as session:
        tables = await seat_people(session, tower.url, rng)
        survivors = [survivor for table in tables for survivor in table]
        async with at_home(survivors) as tasks:
            await all_back(survivors)
            for _ in range(kills):
                await asyncio.sleep(rng.random() * LONGEST_PEACE_SECONDS)
                await tower.kill()
                for survivor in survivors:
                    survivor.came_back.clear()
                await tower.start()
                worst = max(worst, await all_back(survivors))
                assert not any(task.done() for task in tasks), [task for task in tasks if task.done()]
        await tower.kill(signal.SIGTERM)
    moves = sum(len(survivor.book) for survivor in survivors)
    races = sum(survivor.races for survivor in survivors)
    print(f"{kills} kills: {moves} moves seen, {races} races, all back after at most {worst:.2f} s of an open port")
    for table in tables:
        check(table, await log_of(store_url, table[0].seated.code))
    assert {survivor.gaps for survivor in survivors} == {0}, "what was missed came with the welcome"
    assert moves > kills
    assert worst < BACK_SECONDS


async def test_a_server_told_to_stop_says_so_and_everyone_comes_back(store_url: str, tmp_path: Path) -> None:
    rng = Random(7)
    async with Tower(store_url, tmp_path / "server.log") as tower, aiohttp.ClientSession() as session:
        tables = await seat_people(session, tower.url, rng)
        survivors = [survivor for table in tables for survivor in table]
        async with at_home(survivors):
            await all_back(survivors)
            await asyncio.sleep(0.5)
            await tower.kill(signal.SIGTERM)
            for survivor in survivors:
                survivor.came_back.clear()
            await tower.start()
            await all_back(survivors)
            await asyncio.sleep(0.3)
        await tower.kill(signal.SIGTERM)
    for table in tables:
        check(table, await log_of(store_url, table[0].seated.code))
