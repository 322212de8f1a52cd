"""A server that is killed at any instant: everything it has acknowledged is there, whole, in order and once."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

from sqlalchemy import func, select

from slamomatic.server.storage.database import Database
from slamomatic.server.storage.logs import Logs
from slamomatic.server.storage.schema import secrets
from tests.server.storage.appending import NOW_US, entry

ROOT = Path(__file__).parents[3]
KILLS = 5
TABLES = 5


async def test_nothing_is_acknowledged_before_it_is_committed(store_url: str) -> None:
    rng = random.Random(1)
    acknowledged = dict.fromkeys((f"T{number}" for number in range(TABLES)), 0)
    for life in range(KILLS):
        for code, seq in _live_and_be_killed(store_url, rng.randrange(1, 300)):
            assert seq == acknowledged[code]
            acknowledged[code] = seq + 1
        database = await Database.open(store_url)
        logs = Logs(database, "one")
        with_job = 0
        for code in acknowledged:
            claim = await logs.claim(code, NOW_US)
            assert claim.epoch == 2 * (life + 1)
            rows, _ = await logs.rows(claim)
            assert rows == [entry(seq, code) for seq in range(len(rows))]
            assert len(rows) >= acknowledged[code]
            acknowledged[code] = len(rows)
            with_job += sum(seq % 5 == 4 for seq in range(len(rows)))
        async with database.read() as connection:
            assert await connection.scalar(select(func.count()).select_from(secrets)) == with_job
        await database.close()
    assert sum(acknowledged.values()) > KILLS


def _live_and_be_killed(url: str, after: int) -> list[tuple[str, int]]:
    """What a server acknowledged in its life: it is killed once it has acknowledged so much, while it goes on."""
    read, write = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", f"{__package__}.server", url, str(write)], pass_fds=[write], cwd=ROOT
    )
    os.close(write)
    acknowledged: list[tuple[str, int]] = []
    with os.fdopen(read) as lines:
        for line in lines:
            if not line.endswith("\n"):
                break  # killed in the middle of the word
            code, seq = line.split()
            acknowledged.append((code, int(seq)))
            if len(acknowledged) == after:
                process.kill()
    process.wait()
    assert len(acknowledged) >= after
    return acknowledged
