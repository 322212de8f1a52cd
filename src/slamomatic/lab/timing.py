"""Timing as :mod:`timeit` does it, with the garbage collector at rest; but in this process's own seconds.

What else the machine does meanwhile is no part of the figure: a rate is games a second of one core.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import process_time
from typing import TypeVar

T = TypeVar("T")


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """What the work came to, and the seconds of a core it took."""
    was_collecting = gc.isenabled()
    gc.disable()
    try:
        began = process_time()
        result = work()
        return result, process_time() - began
    finally:
        if was_collecting:
            gc.enable()
