"""What the unit costs: judging a race, and hearing one pong of its ping train, beside ruling by order of arrival.

The races are real ones: hands behind lines with jitter, each page's word and touch, a whole ping train heard, and a
full standing from the races before. To rule by arrivals is as cheap as a verdict can be, and often wrong. The runs
alternate, so that all sides meet the same machine.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from statistics import mean, median
from typing import NamedTuple

import msgspec

from slamomatic.game import CLASSIC, Action, Verdict
from slamomatic.game.edition import EarlyTouch
from slamomatic.lab.timing import timed
from slamomatic.table.timing import MS, REACH_US, TRAIN_US, WAY_BACK_US, WINDOW_US
from slamomatic.unit import Hand, Race, UnitRules
from slamomatic.unit.standing import SESSION

HANDS = (2, 3, 4)
FRAME_US = 16_700
GRAIN_US = 100
IDLE_PINGS = 40
LONGEST_US = 1_000 * MS
"""Nobody here takes so long."""

RULES = UnitRules(
    early_may_be_last=CLASSIC.early_touch is EarlyTouch.FREE,
    duel_limit_us=CLASSIC.duel_limit_ms * MS,
    full_press_us=CLASSIC.full_press_ms * MS,
    window_us=WINDOW_US,
    way_back_us=WAY_BACK_US,
)


class UnitCost(msgspec.Struct, frozen=True, kw_only=True):
    """What races of so many hands cost, in microseconds of one core: the median of the runs."""

    hands: int
    judge_us: float
    """A verdict with its evidence, all having arrived."""
    pong_us: float
    """One pong heard."""
    arrival_order_us: float
    """A verdict by order of arrival."""


class UnitBench(msgspec.Struct, frozen=True, kw_only=True):
    """All sides of one run."""

    races: int
    """In each run."""
    runs: int
    """Of each side."""
    pongs: float
    """Heard of each hand in a race, on average."""
    costs: tuple[UnitCost, ...]


class Heard(NamedTuple):
    """A race of which all has arrived, and what else is needed to time it."""

    race: Race
    touches: dict[int, int]
    """When each hand's touch arrived."""
    pongs: list[tuple[int, int, int]]
    """Of which seat, sent when, answered when."""


def bench_unit(races: int, runs: int, seed: int) -> UnitBench:
    """Time judging so many races for each number of hands."""
    sets = {hands: races_among(hands, races, Random(f"{seed}, {hands} hands")) for hands in HANDS}
    costs = tuple(_cost(hands, heard, runs) for hands, heard in sets.items())
    pongs = mean(len(heard.pongs) / hands for hands, all_heard in sets.items() for heard in all_heard)
    return UnitBench(races=races, runs=runs, pongs=round(pongs, 1), costs=costs)


def _cost(hands: int, all_heard: list[Heard], runs: int) -> UnitCost:
    pongs = sum(len(heard.pongs) for heard in all_heard)
    sides: tuple[tuple[Callable[[list[Heard]], None], int], ...] = (
        (_judge, len(all_heard)),
        (_by_arrival, len(all_heard)),
        (_hear_again, pongs),
    )
    figures: list[list[float]] = [[] for _ in sides]
    for _ in range(runs):
        for (work, count), costs in zip(sides, figures, strict=True):
            _, seconds = timed(partial(work, all_heard))
            costs.append(seconds * 1e6 / count)
    judge_us, arrival_order_us, pong_us = (round(median(costs), 2) for costs in figures)
    return UnitCost(hands=hands, judge_us=judge_us, pong_us=pong_us, arrival_order_us=arrival_order_us)


# What is timed.


def _judge(all_heard: list[Heard]) -> None:
    for heard in all_heard:
        heard.race.judge()


def _by_arrival(all_heard: list[Heard]) -> None:
    for heard in all_heard:
        touches = heard.touches
        Verdict(last=(max(touches, key=touches.__getitem__),))


def _hear_again(all_heard: list[Heard]) -> None:
    """Each pong once more: it costs what it did the first time."""
    for heard in all_heard:
        answered = heard.race.answered
        for seat, sent_us, now_us in heard.pongs:
            answered(seat, sent_us, now_us)


# What it is timed with.


def races_among(hands: int, count: int, rng: Random) -> list[Heard]:
    """Races among people who have sat together for a while: each race is judged, and remembered, before the next."""
    lines = {seat: _Line(rng) for seat in range(1, hands + 1)}
    heard = []
    for number in range(SESSION + count):
        race = _race(lines, number * 10_000 * MS, rng)
        for seat, trace in race.race.judge().traces.items():
            lines[seat].hand.standing.add(trace)
        heard.append(race)
    return heard[SESSION:]


class _Line:
    """One player's way to the server and back, in order; and his page."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.base_us = rng.randrange(5 * MS, 60 * MS)
        self.jitter_us = self.base_us / 20
        self.hand = Hand()
        for number in range(IDLE_PINGS):
            sent_us = -number * 1_000 * MS
            self.hand.network.pong(sent_us, sent_us + 2 * self.way_us())

    def way_us(self) -> int:
        """One packet's time one way."""
        return self.base_us // 2 + round(self.rng.expovariate(1 / self.jitter_us))

    def signals(self, began_us: int, contact_us: int) -> list[_Signal]:
        """What arrives of this player in one race, in order."""
        rng = self.rng
        there_us, leaving = 0, []
        sent = [*range(began_us, contact_us, TRAIN_US), *range(contact_us, contact_us + LONGEST_US, TRAIN_US)]
        for sent_us in sent:
            there_us = max(there_us, sent_us + self.way_us())
            leaving.append((there_us, "pong", sent_us))
            if sent_us == contact_us:  # the cue and the ping right after it
                shown_us = there_us + rng.randrange(FRAME_US)
                reaction_us = round(rng.gauss(230, 25) + rng.expovariate(1 / 60)) * MS
                leaving += [(shown_us, "shown", 0), (shown_us + reaction_us, "touched", reaction_us)]
        arrived_us, signals = 0, []
        for left_us, what, value in sorted(leaving):
            arrived_us = max(arrived_us, left_us + self.way_us())
            signals.append(_Signal(arrived_us, what, value))
        touched_us = next(signal.at_us for signal in signals if signal.what == "touched")
        return [signal for signal in signals if signal.what != "pong" or signal.value < touched_us]


class _Signal(NamedTuple):
    at_us: int
    what: str
    value: int
    """When a ping was sent, or what a touch claims."""


def _race(lines: dict[int, _Line], began_us: int, rng: Random) -> Heard:
    contact_us = began_us + REACH_US + rng.randrange(200 * MS)
    race = Race(tuple(lines), RULES, {seat: line.hand for seat, line in lines.items()})
    heard = Heard(race, {}, [])
    signals = [(signal, seat) for seat, line in lines.items() for signal in line.signals(began_us, contact_us)]
    for (at_us, what, value), seat in sorted(signals):
        if race.action is None and at_us >= contact_us:
            race.ended(Action.SLAM, contact_us)
        match what:
            case "pong":
                lines[seat].hand.network.pong(value, at_us, idle=False)
                race.answered(seat, value, at_us)
                heard.pongs.append((seat, value, at_us))
            case "shown":
                race.shown(seat, at_us, FRAME_US, GRAIN_US)
            case _:
                race.touched(seat, at_us, value)
                heard.touches[seat] = at_us
    return heard
