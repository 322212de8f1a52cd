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
    async def measure() -> list[int]:
        rng = random.Random(1)
        early: list[int] = []
        for _ in range(200):
            due_us = now_us() + rng.randrange(-500, 3_000)
            done = asyncio.Event()
            after_us(due_us - now_us(), done.set)
            await done.wait()
            early.append(due_us - now_us())
            await asyncio.sleep(rng.random() / 1_000)
        return early

    with asyncio.Runner(loop_factory=loop) as runner:
        assert max(runner.run(measure())) <= 0
