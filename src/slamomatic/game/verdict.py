"""What the unit says of one action: a race enters the rules as one simultaneous thing.

A verdict names seats, never cards: whether the slam had a pair is for the rules to know.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from itertools import chain, combinations

import msgspec

from slamomatic.game.edition import EarlyTouch, Edition


class Action(StrEnum):
    """What the active player's hand did."""

    SLAM = "slam"
    """It landed: a contact."""
    FAKE = "fake"
    """It was withdrawn untouched."""


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
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
    return _possible(edition.early_touch, edition.full_press_ms > 0, edition.duel_limit_ms > 0, racers, action)


@lru_cache(maxsize=512)
def _possible(
    early_touch: EarlyTouch, short_counts: bool, duel_limit: bool, racers: tuple[int, ...], action: Action
) -> tuple[Verdict, ...]:
    if not racers:
        return (Verdict(),)
    if action is Action.FAKE:
        return tuple(Verdict(early=early) for early in _subsets(racers))
    verdicts = [
        Verdict(early=early, last=last, jam=jam)
        for early in _subsets(racers)
        for last, jam in _endings(early_touch, duel_limit, racers, early)
    ]
    if short_counts:
        verdicts.append(Verdict(short=True))
    return tuple(verdicts)


def _endings(
    early_touch: EarlyTouch, duel_limit: bool, racers: tuple[int, ...], early: tuple[int, ...]
) -> list[tuple[tuple[int, ...], bool]]:
    """Who can be last, and whether it can jam, once it is known who was early: ``(last, jam)`` each."""
    late = tuple(seat for seat in racers if seat not in early)
    is_duel = len(racers) == 1
    if late:
        endings = [(last, False) for last in _subsets(late) if last]
        if is_duel and duel_limit:  # B15: he touched in time
            endings.append(((), False))
    elif early_touch is EarlyTouch.PAYS or (is_duel and duel_limit):  # M10: all were early; B15: the only one was
        endings = [((), False)]
    else:  # C6: the latest of the early is last
        endings = [((seat,), False) for seat in racers]
    may_jam = len(late if early_touch is EarlyTouch.PAYS else racers) > 1
    return [*endings, ((), True)] if may_jam else endings


def _subsets(seats: tuple[int, ...]) -> list[tuple[int, ...]]:
    return list(chain.from_iterable(combinations(seats, size) for size in range(len(seats) + 1)))
