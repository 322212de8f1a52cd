"""A server to be killed: it takes its tables, then appends to all of them for ever, and tells what is acknowledged.

Run as `python -m tests.server.storage.server URL FD`; it writes a line `CODE SEQ` to FD for each acknowledged entry.
"""

from __future__ import annotations

import asyncio
import os
import sys

from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from slamomatic.server.storage.database import Database
from slamomatic.server.storage.logs import Claim, Logs, StorageError
from slamomatic.server.storage.schema import secrets
from tests.server.storage.appending import NOW_US, entry

TABLES = 5
AT_ONCE = 3
"""So many appends to each table are on their way at any time."""


class _Player:
    def __init__(self, logs: Logs, claim: Claim, seq: int, ear: int) -> None:
        self._logs = logs
        self._claim = claim
        self._seq = seq
        self._ear = ear

    def play(self) -> None:
        """Append the next entry; every fifth with a job in the same transaction."""
        seq, code = self._seq, self._claim.code
        self._seq += 1

        async def also(connection: AsyncConnection) -> None:
            await connection.execute(insert(secrets).values(name=f"{code} {seq}", value=b""))

        def done(error: StorageError | None) -> None:
            assert error is None, error
            os.write(self._ear, f"{code} {seq}\n".encode())
            self.play()

        self._logs.append(self._claim, [entry(seq, code)], done, also if seq % 5 == 4 else None)


async def _run(url: str, ear: int) -> None:
    database = await Database.open(url)
    logs = Logs(database, "one")
    players = []
    for number in range(TABLES):
        claim = await logs.open(f"T{number}", NOW_US) or await logs.claim(f"T{number}", NOW_US)
        players.append(_Player(logs, claim, len((await logs.rows(claim))[0]), ear))
    for player in players * AT_ONCE:
        player.play()
    await asyncio.Event().wait()


asyncio.run(_run(sys.argv[1], int(sys.argv[2])))
