"""The one real clock: what is to be done later is never done sooner."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from slamomatic.server.clock import after_us, now_us
from slamomatic.server.main import _loop_factory


@pytest.mark.parametrize("loop", [_loop_factory(), None])
def test_nothing_is_done_before_its_time(loop: Any) -> None:
    async def be_busy() -> None:
        while True:  # noqa: ASYNC110 - a loop with nothing else to do oversleeps, and hides what is early
            await asyncio.sleep(0)

    async def measure() -> list[int]:
        busy = asyncio.create_task(be_busy())
        rng = random.Random(1)
        early: list[int] = []
        for _ in range(200):
            due_us = now_us() + rng.randrange(-500, 3_000)
            done = asyncio.get_running_loop().create_future()
            after_us(due_us - now_us(), lambda done=done: done.set_result(now_us()))  # type: ignore[misc]
            early.append(due_us - await done)
        busy.cancel()
        return early

    with asyncio.Runner(loop_factory=loop) as runner:
        assert max(runner.run(measure())) <= 0
