"""Chance that nobody foresees, from the system: many numbers at a call, for a call costs as much as a message."""

from __future__ import annotations

import os
from collections.abc import Iterator

_AT_ONCE = 512
_BYTES = 8
_SPARE_BITS = 11
"""A float holds 53 of 64 bits."""


class SystemChance:
    """Like ``random.SystemRandom``, of which tables need no more than this."""

    __slots__ = ("_numbers",)

    def __init__(self) -> None:
        self._numbers = _numbers()

    def random(self) -> float:
        """A number, 0 <= x < 1."""
        return next(self._numbers)


def _numbers() -> Iterator[float]:
    for piece in random_pieces(_BYTES):
        yield (int.from_bytes(piece, "big") >> _SPARE_BITS) * 2.0**-53


def random_pieces(size: int) -> Iterator[bytes]:
    """So many bytes each that nobody can guess, without end."""
    while True:
        block = os.urandom(size * _AT_ONCE)
        yield from (block[at : at + size] for at in range(0, len(block), size))
