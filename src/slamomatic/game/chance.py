"""Chance, handed in: the rules never own a generator.

The one thing asked of a generator is ``random()``, whose sequence Python promises to keep for a given seed; so the
same seed gives the same game on every machine and in every later version.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")


class Rng(Protocol):
    """A source of chance: ``random.Random(seed)`` for a game to be dealt again, the system's own for a live one."""

    def random(self) -> float:
        """A number, 0 <= x < 1."""
        ...


def pick(rng: Rng, items: Sequence[T]) -> T:
    """One of the items, each as likely as the next; takes exactly one number from the generator."""
    return items[int(rng.random() * len(items))]


def shuffled(rng: Rng, items: Iterable[T]) -> tuple[T, ...]:
    """The items in a random order (Fisher and Yates, from the end)."""
    deck = list(items)
    for last in range(len(deck) - 1, 0, -1):
        at = int(rng.random() * (last + 1))
        deck[last], deck[at] = deck[at], deck[last]
    return tuple(deck)


class Fated:
    """Chance that has already spoken: makes :func:`pick` return the item at ``index`` of ``count``.

    A recorded game is judged again by the same rules that played it, with what chance did then.
    """

    def __init__(self, index: int, count: int) -> None:
        self._number = (index + 0.5) / count

    def random(self) -> float:
        """The number that leads to the recorded choice."""
        return self._number
