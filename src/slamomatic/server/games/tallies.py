"""What a game says of each of its players: how fast his hand was, whom his fakes took in, what he fell for.

Laws of this room:
- only what a person's own hand did counts. While he was away a bot's hand stood in (B17), and that is nobody's number;
- whose hand it was, the mark tells: a bot's touches are stamped where they are made, so they carry neither a band nor a
  doubt; a page's clock has a grain, so a person's carry one or the other. And whoever never touched in a race was there
  himself, for a bot always follows a contact;
- a hand that held back from a fake left no mark, so it is taken for his own only if it was so in the races round that
  fake;
- where it cannot be told, nothing is counted.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

import msgspec

from slamomatic.game.commands import Fake, Judge, Slam
from slamomatic.game.evidence import Timing
from slamomatic.game.record import Move
from slamomatic.server.calls import EditionTally, Rating, Tally

MOST_REACTIONS = 1_000
"""So many of one's reactions are told, the newest ones."""


class GameTally(msgspec.Struct, frozen=True, omit_defaults=True):
    """One player's numbers in one game. The names are those of :class:`~slamomatic.server.calls.Tally`."""

    reactions_ms: tuple[int, ...] = ()
    fakes: int = 0
    fakes_worked: int = 0
    faked_at: int = 0
    fell: int = 0
    races: int = 0
    last: int = 0


class Played(NamedTuple):
    """A finished game as it goes into a person's numbers."""

    edition: str
    called_off: bool
    won: bool
    left: bool
    tally: GameTally | None
    """None: not counted yet."""


class _Reach(NamedTuple):
    """One hand on its way to the unit, and what came of it."""

    number: int
    """Of the move that judged it."""
    seat: int
    is_fake: bool
    judge: Judge
    timings: tuple[Timing, ...]


def game_tallies(moves: Sequence[Move], got_up: Mapping[int, int]) -> dict[int, GameTally]:
    """The numbers of every hand that did something in this game.

    ``got_up``: before which move somebody got up for good, by his seat; from there on a bot has it.
    """
    reaches = list(_reaches(moves))
    presence = _Presence(reaches, got_up)
    found: dict[int, GameTally] = {}

    def add(seat: int, more: GameTally) -> None:
        found[seat] = _together((found.get(seat, GameTally()), more))

    for reach in reaches:
        if reach.is_fake and presence.is_own(reach.seat, reach.number):
            add(reach.seat, GameTally(fakes=1, fakes_worked=int(bool(reach.judge.verdict.early))))
        for timing in reach.timings:
            if presence.has_moved(timing, reach):
                add(timing.seat, _fooled(timing, reach) if reach.is_fake else _raced(timing, reach))
    return dict(sorted(found.items()))


def summed(games: Iterable[Played], ratings: Mapping[str, Rating]) -> Tally:
    """A person's numbers, from his games, oldest first. A game called off has no winner, and is in no streak."""
    tallies: list[GameTally] = []
    editions: dict[str, tuple[int, int]] = {}
    streak = best = 0
    for game in games:
        if game.tally is not None:
            tallies.append(game.tally)
        if game.called_off:
            continue
        won = game.won and not game.left
        played, wins = editions.get(game.edition, (0, 0))
        editions[game.edition] = (played + 1, wins + won)
        if won:
            streak = max(streak, 0) + 1
            best = max(best, streak)
        else:
            streak = min(streak, 0) - 1
    whole = _together(tallies)
    return Tally(
        games=sum(played for played, _ in editions.values()),
        wins=sum(wins for _, wins in editions.values()),
        editions=tuple(
            EditionTally(edition, *editions.get(edition, (0, 0)), ratings.get(edition))
            for edition in sorted({*editions, *ratings})
        ),
        reactions_ms=whole.reactions_ms[-MOST_REACTIONS:],
        fakes=whole.fakes,
        fakes_worked=whole.fakes_worked,
        faked_at=whole.faked_at,
        fell=whole.fell,
        races=whole.races,
        last=whole.last,
        streak=streak,
        best_streak=best,
    )


def _reaches(moves: Sequence[Move]) -> Iterator[_Reach]:
    """Those that anybody raced for: an action and its verdict are two moves on end."""
    for number, (action, verdict) in enumerate(pairwise(moves), 1):
        match action.command, verdict.command:
            case Slam(seat) | Fake(seat), Judge() as judge:
                is_fake = isinstance(action.command, Fake)
                yield _Reach(number, seat, is_fake, judge, verdict.evidence.timings)
            case _:
                pass


class _Presence:
    """Who sat at his hand himself, as far as the races show."""

    def __init__(self, reaches: Iterable[_Reach], got_up: Mapping[int, int]) -> None:
        self._got_up = got_up
        self._raced: dict[int, list[tuple[int, bool]]] = {}
        """By seat, each race it took part in: which move it was, and whether the hand was the player's own."""
        for reach in reaches:
            if not reach.is_fake:
                for timing in reach.timings:
                    own = timing.time_us is None or _is_of_a_page(timing)
                    self._raced.setdefault(timing.seat, []).append((reach.number, own))

    def is_own(self, seat: int, number: int) -> bool:
        """Whether the player was at his hand in this move: he was in the race before it, and in the one after."""
        if self._is_gone(seat, number):
            return False
        raced = self._raced.get(seat, [])
        at = bisect_left(raced, (number, False))
        return all(own for _, own in raced[max(at - 1, 0) : at + 1])

    def has_moved(self, timing: Timing, reach: _Reach) -> bool:
        """Whether this was the player's own hand, moving or held still."""
        if self._is_gone(timing.seat, reach.number):
            return False
        if timing.time_us is not None:
            return _is_of_a_page(timing)
        return not reach.is_fake or self.is_own(timing.seat, reach.number)

    def _is_gone(self, seat: int, number: int) -> bool:
        return number >= self._got_up.get(seat, number + 1)


def _is_of_a_page(timing: Timing) -> bool:
    return bool(timing.band_us) or timing.doubt is not None


def _raced(timing: Timing, reach: _Reach) -> GameTally:
    verdict, time_us = reach.judge.verdict, timing.time_us
    is_measured = timing.doubt is None and timing.seat not in verdict.early
    return GameTally(
        reactions_ms=(round(time_us / 1000),) if is_measured and time_us is not None else (),
        races=1,
        last=int(timing.seat in verdict.last),
    )


def _fooled(timing: Timing, reach: _Reach) -> GameTally:
    return GameTally(faked_at=1, fell=int(timing.seat in reach.judge.verdict.early))


def _together(tallies: Collection[GameTally]) -> GameTally:
    return GameTally(
        reactions_ms=tuple(chain.from_iterable(tally.reactions_ms for tally in tallies)),
        fakes=sum(tally.fakes for tally in tallies),
        fakes_worked=sum(tally.fakes_worked for tally in tallies),
        faked_at=sum(tally.faked_at for tally in tallies),
        fell=sum(tally.fell for tally in tallies),
        races=sum(tally.races for tally in tallies),
        last=sum(tally.last for tally in tallies),
    )
