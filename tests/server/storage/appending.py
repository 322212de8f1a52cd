"""What the tests of the logs append, and how they wait for it."""

from __future__ import annotations

import asyncio
from typing import Any

from slamomatic.server.storage.logs import Claim, Logs, Row, StorageError

NOW_US = 1_764_500_000_000_000
SECOND_US = 1_000_000


def entry(seq: int, word: str = "") -> Row:
    return Row(seq, 2, f"{seq} {word}".encode())


def ask(
    logs: Logs, claim: Claim, *rows: Row, also: Any = None, can_wait: bool = False
) -> asyncio.Future[StorageError | None]:
    """Append these; what `done` is told will be here."""
    told: asyncio.Future[StorageError | None] = asyncio.get_running_loop().create_future()
    logs.append(claim, rows, told.set_result, also, can_wait=can_wait)
    return told


async def append(logs: Logs, claim: Claim, *rows: Row, also: Any = None) -> None:
    """Append these, and raise what `done` is told."""
    if (error := await ask(logs, claim, *rows, also=also)) is not None:
        raise error


async def opened(logs: Logs, code: str = "AAAA", now_us: int = NOW_US) -> Claim:
    claim = await logs.open(code, now_us)
    assert claim is not None
    return claim
