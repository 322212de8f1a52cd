"""Races as three sides know them: what was planned, what truly was, and what the house made of it. Times in ms."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from slamomatic.game.verdict import Action
from slamomatic.table.protocol import Cue, CueKind, Mark, Moved, RaceView, ServerMessage, Touched

LEAST_MS, MOST_MS = 180.0, 240.0
"""From seeing the contact to touching, of everyone but the last."""
HAIR_MS, CLEAR_MS, FAR_MS = 0.0, 35.0, 100.0
"""How much later the last one is: clearly, or by a hair."""
HAIRS = 0.12
"""So many races are meant to be decided by a hair."""


class Plan:
    """When each seat means to touch in each race; whoever is asked first deals the race."""

    def __init__(self, seats: Sequence[int], chance: Random, last: int | None = None) -> None:
        """``last``: this seat is clearly last in every race."""
        self._seats = tuple(seats)
        self._chance = chance
        self._last = last
        self._races: dict[str, dict[int, float]] = {}

    def touch_ms(self, cue: str, seat: int) -> float:
        """From having shown this contact to touching."""
        if cue not in self._races:
            self._races[cue] = self._deal()
        return self._races[cue][seat]

    def _deal(self) -> dict[int, float]:
        chance = self._chance
        times = {seat: chance.uniform(LEAST_MS, MOST_MS) for seat in self._seats}
        by_a_hair = self._last is None and chance.random() < HAIRS
        late_ms = chance.uniform(HAIR_MS, CLEAR_MS) if by_a_hair else chance.uniform(CLEAR_MS, FAR_MS)
        times[self._last or chance.choice(self._seats)] = max(times.values()) + late_ms
        return times


@dataclass(frozen=True)
class Told:
    """What the house told everyone of one slam."""

    cue: str
    """Of its contact."""
    arrived: tuple[int, ...]
    """In what order the touches reached the house."""
    race: RaceView


class Listener:
    """Gathers what the house tells of slams, from all that one socket hears."""

    def __init__(self) -> None:
        self.told: list[Told] = []
        self._news = asyncio.Event()
        self._cue = ""
        self._arrived: list[int] = []

    def hear(self, message: ServerMessage) -> None:
        match message:
            case Cue(kind=CueKind.REACH):
                self._arrived = []
            case Cue(cue=cue, kind=CueKind.CONTACT):
                self._cue = cue
            case Touched(seat=seat):
                self._arrived.append(seat)
            case Moved(race=RaceView(action=Action.SLAM) as race):
                self.told.append(Told(self._cue, tuple(self._arrived), race))
                self._news.set()
            case _:
                pass

    async def until(self, slams: int) -> None:
        """Wait until so many have been told of."""
        while len(self.told) < slams:
            self._news.clear()
            await self._news.wait()


@dataclass(frozen=True)
class Race:
    """One slam, and when everyone truly touched."""

    told: Told
    truth: Mapping[int, float]
    """From having shown the contact to touching, by each racer's own clock."""

    @property
    def truly_last(self) -> int:
        return max(self.truth, key=self.truth.__getitem__)

    @property
    def margin_ms(self) -> float:
        """By how much the last one was last."""
        *_, other, last = sorted(self.truth.values())
        return last - other

    @property
    def is_jam(self) -> bool:
        return self.told.race.verdict.jam

    @property
    def is_right(self) -> bool:
        """The house ruled, and the loser is who truly was last."""
        return self.told.race.verdict.last == (self.truly_last,)

    @property
    def arrived_last(self) -> int:
        return self.told.arrived[-1]

    def mark(self, seat: int) -> Mark:
        """What the house told of this seat's hand."""
        return next(mark for mark in self.told.race.marks if mark.seat == seat)

    def error_ms(self, seat: int) -> float:
        """By how much later the house believes this seat's touch to have been than it was."""
        time_us = self.mark(seat).time_us
        assert time_us is not None
        return time_us / 1_000 - self.truth[seat]


def races(told: Sequence[Told], truths: Mapping[int, Mapping[str, float]]) -> list[Race]:
    """The races in which every one of these seats took part, and by his own hand."""
    return [
        Race(each, {seat: truth[each.cue] for seat, truth in truths.items()})
        for each in told
        if all(each.cue in truth for truth in truths.values())
    ]
