"""Timing as :mod:`timeit` does it: with the garbage collector at rest, and nothing else in the measured time."""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import perf_counter
from typing import TypeVar

T = TypeVar("T")


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """What the work came to, and the seconds it took."""
    was_collecting = gc.isenabled()
    gc.disable()
    try:
        began = perf_counter()
        result = work()
        return result, perf_counter() - began
    finally:
        if was_collecting:
            gc.enable()
