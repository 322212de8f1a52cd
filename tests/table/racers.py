"""People who race, one slam after the other, behind any network: honest ones, sleepy ones, and liars of every kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from slamomatic.game import CLASSIC, Choose, Draw, Edition, Lay, Pass, Slam, Take
from slamomatic.game.engine import legal
from slamomatic.table.log import GameMoved
from slamomatic.table.protocol import Act, Cue, CueKind, Phase, RaceView
from tests.table.evening import Evening, deal_of, evening_of
from tests.table.pages import MS, SECOND, Delay, Page, at_once

FRAME_US = 16_700


class Racer(Page):
    """Somebody who touches so long after his screen has shown the contact, and never before."""

    reaction_us: int | None = 300 * MS
    """None: never."""

    def sees(self, cue: Cue) -> None:
        """A hand moves."""
        if cue.kind is CueKind.CONTACT and cue.seat != self.seat and self.reaction_us is not None:
            self.evening.later(self.reaction_us, self.touches)


def screen(chance: Random, frame_us: int = FRAME_US) -> Delay:
    """A screen: a cue waits for the next frame."""
    return lambda: round(chance.random() * frame_us)


def path(chance: Random, base_us: int, jitter_us: int = 0) -> Delay:
    """One way: so long at least, and a little more each time."""
    return lambda: base_us + (round(chance.expovariate(1 / jitter_us)) if jitter_us else 0)


def racers(
    *makers: Callable[[Evening, str], Page], edition: Edition = CLASSIC, lateness: Delay = at_once, seed: int = 1
) -> tuple[Evening, dict[int, Page]]:
    """A table at which hand 1 can slam for an hour, and these follow, from hand 2 on."""
    seats = range(1, 2 + len(makers))
    hands = {seat: "1 1 " * 200 if seat == 1 else "2 3 4 6 " * 40 for seat in seats}
    queue: Iterator[Callable[[Evening, str], Page]] = iter((Page, *makers))
    dealt = deal_of(edition, hands, pile="7 " * 1_000, dealer=seats[-1])

    def page(evening: Evening, name: str) -> Page:
        return next(queue)(evening, name)

    return evening_of(dealt, page=page, lateness=lateness, seed=seed)


def turn_to_slam(evening: Evening, within_us: int = 600 * SECOND) -> bool:
    """Everybody does what is due, until hand 1 may reach; False if it does not come to that."""
    end_us = evening.now + within_us
    while evening.now < end_us and evening.phase() is Phase.PLAYING:
        table, state = evening.table, evening.table.state
        seat = state.to_act
        if table.reach is None and seat is not None:
            commands = legal(state)
            if seat == 1 and Slam(1) in commands and evening.now >= table.reach_again_us:
                return True
            kinds = (Draw, Lay, Take, Choose) if seat == 1 else (Draw, Lay, Take, Choose, Pass)
            act = next((command for command in commands if isinstance(command, kinds)), None)
            page = evening.sockets.get(seat)
            if act is not None and page is not None and table.sittings[seat].here:
                evening.arrives(page, Act(act))
        evening.wait(100 * MS)
    return False


def run(evening: Evening, pages: dict[int, Page]) -> RaceView:
    """Hand 1 slams, the others do what they do, and the unit judges."""
    assert turn_to_slam(evening)
    played = len(races(evening))
    pages[1].slams()
    evening.until(lambda: len(races(evening)) > played, 10 * SECOND)
    return races(evening)[-1]


def races(evening: Evening) -> list[RaceView]:
    """Every race of the evening."""
    return [entry.race for entry in evening.log if isinstance(entry, GameMoved) and entry.race is not None]
