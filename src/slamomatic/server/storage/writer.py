"""The one writer: everything that waits is written in one transaction, then everyone who waited is told."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from slamomatic.server.storage.errors import Unavailable

T = TypeVar("T")

JOBS = 8
"""At most so many jobs share a transaction: what waits for the next one does not wait long."""


class _Job(NamedTuple):
    run: Callable[[AsyncConnection], Awaitable[Any]]
    told: asyncio.Future[Any]


class Writer:
    """Writes what it is given, in order."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._jobs: deque[_Job] = deque()
        self._asked = asyncio.Event()
        self._closing = False
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to write."""
        self._task = asyncio.create_task(self._run(), name="storage writer")

    async def write(self, job: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Do this job in the next transaction."""
        if self._closing:
            raise Unavailable("the database is closed")
        told: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._jobs.append(_Job(job, told))
        self._asked.set()
        return await told

    async def close(self) -> None:
        """Write what waits, then stop."""
        self._closing = True
        self._asked.set()
        if self._task is not None:
            await self._task

    async def _run(self) -> None:
        while self._jobs or not self._closing:
            await self._asked.wait()
            self._asked.clear()
            while self._jobs:
                batch = [self._jobs.popleft() for _ in range(min(JOBS, len(self._jobs)))]
                try:
                    results = await self._commit(batch)
                except Exception as error:  # noqa: BLE001 - whatever it was, the waiting are told
                    results = [error] * len(batch)
                for job, result in zip(batch, results, strict=True):
                    if job.told.done():
                        continue
                    if isinstance(result, BaseException):
                        job.told.set_exception(result)
                    else:
                        job.told.set_result(result)

    async def _commit(self, batch: list[_Job]) -> list[Any]:
        results: list[Any] = []
        async with self._engine.begin() as connection:
            for job in batch:
                try:
                    async with connection.begin_nested():
                        results.append(await job.run(connection))
                except Exception as error:  # noqa: BLE001 - its own caller is told
                    results.append(error)
        return results
