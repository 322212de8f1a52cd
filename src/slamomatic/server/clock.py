"""The only real clock of the house: whole microseconds since 1970 that never go back while the process runs.

It is set by the wall once, at the start, and goes by the machine's steady clock from then on: what a log says of a time
means the same to the server that reads it later, and no correction of the wall clock makes a hand late.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from time import monotonic_ns, time_ns

_SET_US = (time_ns() - monotonic_ns()) // 1_000


def steady_us(us: int) -> int:
    """The same moment on the machine's steady clock, which all its processes share."""
    return us - _SET_US


def now_us() -> int:
    """Now, on the one clock everything at a table is measured by."""
    return _SET_US + monotonic_ns() // 1_000


def after_us(us: int, act: Callable[[], None]) -> asyncio.TimerHandle:
    """Do this in so long; in whole milliseconds, rounded up: loops differ in how fine timers are, and none is early."""
    return asyncio.get_running_loop().call_later(max(1, math.ceil(us / 1000)) / 1000, act)
