"""The only real clock of the house: whole microseconds since 1970 that never go back while the process runs.

It is set by the wall once, at the start, and goes by the machine's steady clock from then on: what a log says of a time
means the same to the server that reads it later, and no correction of the wall clock makes a hand late.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic_ns, time_ns

_SET_US = (time_ns() - monotonic_ns()) // 1_000
_MS_NS = 1_000_000


def steady_us(us: int) -> int:
    """The same moment on the machine's steady clock, which all its processes share."""
    return us - _SET_US


def now_us() -> int:
    """Now, on the one clock everything at a table is measured by."""
    return _SET_US + monotonic_ns() // 1_000


def after_us(us: int, act: Callable[[], None]) -> asyncio.Handle:
    """Do this in so long, and never sooner: in the first whole millisecond of the steady clock that is not before.

    Loops count in these: one that is asked for the time that is left, rounded up, is half the time early.
    """
    now = monotonic_ns()
    ms = -((now + 1_000 * us) // -_MS_NS) - now // _MS_NS
    return asyncio.get_running_loop().call_later(max(0, ms) / 1_000, act)
