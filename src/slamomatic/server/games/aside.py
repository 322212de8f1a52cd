"""Long work beside the loop: in a thread, one piece after the other, without keeping the tables waiting.

A thread that computes holds the interpreter, and gives it up to the loop only after the interpreter's switch interval:
5 ms as Python comes, and the loop pays that each time it has waited for a socket. So it is set shorter here, and the
loop waits no longer than that.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

SHARE_SECONDS = 0.000_5
"""The loop waits so long at most for a thread that computes."""


class Aside:
    """One who works beside the loop."""

    def __init__(self) -> None:
        sys.setswitchinterval(min(SHARE_SECONDS, sys.getswitchinterval()))
        self._turn = asyncio.Lock()
        self._waiting = 0

    @property
    def waiting(self) -> int:
        """How much work is there that is not done."""
        return self._waiting

    async def do(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of this work, once what was asked before is done."""
        self._waiting += 1
        try:
            async with self._turn:
                return await asyncio.to_thread(work, *args, **kwargs)
        finally:
            self._waiting -= 1
