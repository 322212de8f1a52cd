"""What the unit says of one action: a race enters the rules as one simultaneous thing.

A verdict names seats, never cards: whether the slam had a pair is for the rules to know.
"""

from __future__ import annotations

from enum import StrEnum
from itertools import chain, combinations
from typing import assert_never

import msgspec

from slamomatic.game.edition import EarlyTouch, Edition


class Action(StrEnum):
    """What the active player's hand did."""

    SLAM = "slam"
    """It landed: a contact."""
    FAKE = "fake"
    """It was withdrawn untouched."""


class Verdict(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Who did what in one race, as the unit saw it.

    ``early``: seats that touched before contact; on a fake, those that fell for it. ``last``: the loser of the race, or
    several seats if more than one never touched (B12), or nobody. ``jam``: the two last cannot be told apart.
    ``short``: the slammer's own hand was not fully pressed (M8); then nothing else is told. Seats ascend.
    """

    early: tuple[int, ...] = ()
    last: tuple[int, ...] = ()
    jam: bool = False
    short: bool = False


def possible(edition: Edition, racers: tuple[int, ...], action: Action) -> tuple[Verdict, ...]:
    """Every verdict the unit can give when these seats take part, in a fixed order.

    ``racers`` are the opponents who hold a card (B9), in ascending order; with none of them there is no race (B10).
    """
    if not racers:
        return (Verdict(),)
    if action is Action.FAKE:
        return tuple(Verdict(early=early) for early in _subsets(racers))
    verdicts = [
        Verdict(early=early, last=last, jam=jam)
        for early in _subsets(racers)
        for last, jam in _endings(edition, racers, early)
    ]
    if edition.full_press_ms:
        verdicts.append(Verdict(short=True))
    return tuple(verdicts)


def _endings(edition: Edition, racers: tuple[int, ...], early: tuple[int, ...]) -> list[tuple[tuple[int, ...], bool]]:
    """Who can be last, and whether it can jam, once it is known who was early: ``(last, jam)`` each."""
    late = tuple(seat for seat in racers if seat not in early)
    compared = _compared(edition, racers, late)
    lasts = [last for last in _subsets(late) if last] or [(seat,) for seat in compared] or [()]
    if len(racers) == 1 and edition.duel_limit_ms:  # B15: he loses only if he has not touched in time
        lasts = [*lasts, ()] if late else [()]
    endings = [(last, False) for last in lasts]
    return [*endings, ((), True)] if len(compared) > 1 else endings


def _compared(edition: Edition, racers: tuple[int, ...], late: tuple[int, ...]) -> tuple[int, ...]:
    """Whose times are compared to find the last: C6 counts early touches too, by M10 their hands are already down."""
    match edition.early_touch:
        case EarlyTouch.FREE:
            return racers
        case EarlyTouch.PAYS:
            return late
        case _:
            assert_never(edition.early_touch)


def _subsets(seats: tuple[int, ...]) -> list[tuple[int, ...]]:
    return list(chain.from_iterable(combinations(seats, size) for size in range(len(seats) + 1)))
