"""The only real clock of the house: whole microseconds that never go back, with no date in them."""

from __future__ import annotations

from time import monotonic_ns


def now_us() -> int:
    """Now, on the one clock everything at a table is measured by."""
    return monotonic_ns() // 1_000
