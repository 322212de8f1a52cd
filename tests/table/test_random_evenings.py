"""Random evenings: anybody does anything at any time, and a table keeps its promises.

What must hold at every step is in :mod:`tests.table.evening`; here is what makes trouble, and how an evening ends.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from slamomatic.game import PRESETS, Choose, Draw, Lay, Pass, Take
from slamomatic.game.cards import Card
from slamomatic.table.guests import Guest
from slamomatic.table.log import Entry, SeatFlagged
from slamomatic.table.memory import rebuilt
from slamomatic.table.output import Refusal
from slamomatic.table.protocol import (
    Act,
    AddBot,
    Assist,
    Ban,
    CapRoundTrip,
    Emote,
    Hidden,
    Land,
    Leave,
    Level,
    LockSeats,
    NameDealer,
    Pace,
    Phase,
    Reach,
    Ready,
    Release,
    Remove,
    Rename,
    Say,
    SeatMessage,
    SetEdition,
    SetListed,
    SetPace,
    SetRated,
    Shown,
    Sit,
    Touch,
    VoteEnd,
    Withdraw,
)
from tests.table.evening import Evening, check_verdicts
from tests.table.pages import MS, SECOND, Delay, Player

WORDS: tuple[Callable[[Random], SeatMessage], ...] = (
    lambda r: Ready(ready=r.random() < 0.7),
    lambda r: Sit(r.randint(1, 4)),
    lambda r: Rename(r.randint(1, 4), r.choice(("Ann", "ann", "\u3164", "Zoë", "x" * 20, "  . "))),
    lambda r: SetEdition(r.choice(tuple(PRESETS.values()))),
    lambda r: SetPace(r.choice(tuple(Pace))),
    lambda r: SetListed(listed=r.random() < 0.5),
    lambda r: CapRoundTrip(r.choice((None, None, 50, 300, 1_000))),
    lambda r: SetRated(rated=r.random() < 0.3),
    lambda r: LockSeats(locked=r.random() < 0.3),
    lambda r: Ban(r.randint(1, 4)),
    lambda r: VoteEnd(end=r.random() < 0.8),
    lambda r: NameDealer(r.choice((None, 1, 2, 3, 4))),
    lambda r: AddBot(r.choice(tuple(Level)), r.choice((None, 1, 2, 3, 4))),
    lambda r: Remove(r.randint(1, 4)),
    lambda r: Leave(),
    lambda r: Hidden(hidden=r.random() < 0.5),
    lambda r: Assist(never_short=r.random() < 0.5),
    lambda r: Say(r.choice(tuple(Emote))),
    lambda r: Act(Draw(r.randint(1, 4))),
    lambda r: Act(Take(r.randint(1, 4), r.randint(1, 4), r.randint(0, 5))),
    lambda r: Act(Lay(r.randint(1, 4), (Card(5), Card(r.choice((5, 6)))))),
    lambda r: Act(Choose(r.randint(1, 4), r.randint(1, 4))),
    lambda r: Act(Pass(r.randint(1, 4))),
    lambda r: Act(Draw(r.randint(1, 4)), r.randint(0, 60)),
    lambda r: Reach(),
    lambda r: Land(),
    lambda r: Withdraw(),
    lambda r: Release(r.randint(0, 100 * MS)),
    lambda r: Shown(r.choice(("", "0123456789abc")), r.randint(0, 17 * MS), r.randint(0, 20 * MS)),
    lambda r: Touch(r.choice((None, None, "0123456789abc")), None),
)


class Trouble:
    """Everything that goes wrong in an evening, at random times."""

    def __init__(self, evening: Evening, chance: Random, mean_s: float) -> None:
        self.evening = evening
        self.chance = chance
        self.mean_s = mean_s
        self.pages: list[Player] = []
        self.newcomers = 0
        self.is_over = False

    def begins(self) -> None:
        self.evening.later(round(self.chance.expovariate(1 / self.mean_s) * SECOND), self._strikes)

    def newcomer(self) -> None:
        self.newcomers += 1
        page = Player(self.evening, f"P{self.newcomers}", self.chance, **networks(self.chance))
        page.sleeps = self.chance.choice((0.0, 0.1, 1.0))
        home = self.chance.choice((None, "an inn", f"home {self.newcomers}"))
        known = Guest(f"person {self.chance.randint(1, 6)}", None, None, home)
        page.guest = self.chance.choice((known, known, Guest(mark=home), None))
        try:
            self.evening.joins(page)
        except Refusal:
            return
        self.pages.append(page)

    def ends(self) -> None:
        """Everybody calms down, and somebody is here and awake."""
        self.is_over = True
        for page in self.pages:
            page.sleeps = 0
            page.thinks()
        for page in self.pages:
            if self.evening.table.seat_of(page.ticket):
                page.connects()
                return
        self.evening.watch()

    def _strikes(self) -> None:
        if self.is_over:
            return
        chance, evening = self.chance, self.evening
        here = [page for page in self.pages if evening.sockets.get(page.seat) is page]
        gone = [page for page in self.pages if evening.table.seat_of(page.ticket) and page not in here]
        if chance.random() < 0.15:
            self.newcomer()
        elif gone and chance.random() < 0.5:
            chance.choice(gone).connects()
        elif here:
            page = chance.choice(here)
            match chance.randrange(12):
                case 0:
                    page.loses_connection()
                case 1:
                    page.hides()
                case 2:
                    page.returns()
                case 3:
                    page.connects()
                case 4 | 5:
                    page.touches()
                case 6:
                    for each in here:
                        each.says(VoteEnd(end=True))
                case _:
                    speaker = evening.sockets.get(evening.host() or 0, page) if chance.random() < 0.5 else page
                    word = chance.choice(WORDS)(chance)
                    if not isinstance(word, Leave | Remove | Ban) or chance.random() < 0.2:
                        speaker.says(word)
        elif evening.watching:
            evening.unwatch()
        else:
            evening.watch()
        self.begins()


def networks(chance: Random) -> dict[str, Delay]:
    """A path with a delay, a jitter and now and then a spike, the two ways apart; and a screen."""
    base = chance.choice((0, 5, 30, 120)) * MS
    frame_us = chance.choice((0, 8_300, 16_700, 33_000))

    def way() -> int:
        jitter = round(chance.expovariate(1 / (base / 10 + 1)))
        return base // 2 + jitter + (chance.random() < 0.02) * 200 * MS

    return {"down": way, "up": way, "frame": lambda: round(chance.random() * frame_us)}


def troubled_evening(seed: int, *, mean_s: float, people: int, bots: int) -> tuple[Evening, Trouble]:
    chance = Random(seed)
    kind = chance.choice(("any", "any", "quick", "rated"))
    evening = Evening(
        edition=chance.choice(tuple(PRESETS.values())),
        pace=chance.choice((Pace.NORMAL, Pace.RELAXED, Pace.UNTIMED)),
        seed=seed,
        lateness=chance.choice((lambda: 0, lambda: chance.randrange(3 * MS), lambda: chance.randrange(400 * MS))),
        quick=kind == "quick",
        rated=kind == "rated",
    )
    trouble = Trouble(evening, chance, mean_s)
    for _ in range(people):
        trouble.newcomer()
    for _ in range(bots):
        host = evening.table.record.host
        if host in evening.sockets:
            evening.sockets[host].says(AddBot(chance.choice(tuple(Level))))
    trouble.begins()
    return evening, trouble


TROUBLES = {
    "seed": st.integers(0, 2**32),
    "mean_s": st.sampled_from((0.3, 2.0, 10.0)),
    "people": st.integers(1, 4),
    "bots": st.integers(0, 3),
}


def test_in_such_evenings_everything_happens_that_a_log_can_tell() -> None:
    missing = set(get_args(Entry)) - {SeatFlagged}
    for seed in range(400):
        evening, _ = troubled_evening(seed, mean_s=0.5, people=seed % 4 + 1, bots=seed % 3)
        evening.wait(60 * SECOND)
        missing -= {type(entry) for entry in evening.log}
        if not missing:
            return
    raise AssertionError(f"never seen in any evening: {missing}")


@settings(max_examples=60)
@given(**TROUBLES)
def test_whatever_people_do_a_table_keeps_its_promises(seed: int, mean_s: float, people: int, bots: int) -> None:
    evening, _ = troubled_evening(seed, mean_s=mean_s, people=people, bots=bots)
    evening.wait(180 * SECOND)
    assert rebuilt(evening.log) == evening.table.record
    check_verdicts(evening.log)


@settings(max_examples=40)
@given(restarts=st.booleans(), **TROUBLES)
def test_every_game_ends(seed: int, mean_s: float, people: int, bots: int, restarts: bool) -> None:
    evening, trouble = troubled_evening(seed, mean_s=mean_s, people=people, bots=bots)
    evening.wait(round(Random(seed).random() * 120 * SECOND))
    if restarts:
        evening.restart()
        assert evening.table.record == rebuilt(evening.log)
    if evening.phase() is Phase.PLAYING:
        trouble.ends()
        evening.until(lambda: evening.phase() is not Phase.PLAYING, 24 * 3_600 * SECOND)
    check_verdicts(evening.log)


@settings(max_examples=40)
@given(at=st.floats(0, 1), down_s=st.sampled_from((0, 1, 3, 600)), **TROUBLES)
def test_whenever_its_server_is_killed_a_table_goes_on_from_what_was_kept(
    seed: int, mean_s: float, people: int, bots: int, at: float, down_s: int
) -> None:
    """Whatever was not kept nobody has seen; so a table may come back from any beginning of its log."""
    before, trouble = troubled_evening(seed, mean_s=mean_s, people=people, bots=bots)
    before.wait(round(Random(seed).random() * 90 * SECOND))
    kept = before.log[: max(1, round(at * len(before.log)))]
    record = rebuilt(kept)
    evening = Evening(seed=seed + 1, entries=kept, now=max(before.now, record.timed_us + 3 * SECOND))
    assert evening.table.record.state == record.state, "every card is where it was"
    assert evening.table.record.seats == record.seats, "and every seat whose it was"
    evening.crash()
    evening.wait(down_s * SECOND)
    evening.comes_back(record.timed_us + 3 * SECOND)
    pages = []
    for old in trouble.pages:
        if evening.table.seat_of(old.ticket):
            page = Player(evening, old.name, Random(seed), **networks(Random(seed)))
            page.ticket, page.seq = old.ticket, old.seq
            pages.append(page)
    for page in pages:
        page.connects()
    if not pages:
        evening.watch()
    if evening.table.is_attended:
        evening.until(lambda: evening.phase() is not Phase.PLAYING, 24 * 3_600 * SECOND)
    check_verdicts(evening.log)
