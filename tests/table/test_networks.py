"""Any networks, any pages: every race ends in time, with a verdict the rules know, and by the hands.

Paths have a delay, two unequal ways, jitter and stalls, and keep their order; they are cut at any instant. Pages draw
at 30 to 120 frames a second, by clocks fine and coarse; some hide, some sleep, some never say what they have shown,
answer no ping, or say whatever comes to their mind.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from slamomatic.game import CLASSIC, MODERN, Edition
from slamomatic.table.memory import rebuilt
from slamomatic.table.protocol import Cue, CueKind, Leave, Moved, Release, Shown, Touched
from slamomatic.table.timing import WAY_BACK_US, WINDOW_US
from slamomatic.unit import Doubt
from tests.table.evening import Evening, check_verdicts
from tests.table.pages import MS, SECOND, Delay, Page
from tests.table.racers import Racer, path, racers, races, run, screen, turn_to_slam

FRAMES_US = (8_300, 16_700, 33_300)
GRAINS_US = (100, 1_000, 16_700)
LONGEST_PAGE_US = 1_450 * MS
"""So long after a withdrawal the slowest page is still waited for, and no longer: a second for the answer to the ping
that followed it, and if that comes while others are waited for, for what a frame and a hand's way back add to it."""


class Anybody(Racer):
    """Touches when it likes, before or after, or not at all; some are liars, deaf or dumb."""

    def __init__(self, evening: Evening, name: str, chance: Random, **kind: object) -> None:
        super().__init__(evening, name, **kind)  # type: ignore[arg-type]
        self.chance = chance
        self.is_deaf = chance.random() < 0.1
        self.is_dumb = chance.random() < 0.15
        self.is_liar = chance.random() < 0.25
        self.sleeps = chance.choice((0.0, 0.1, 0.6))

    def sees(self, cue: Cue) -> None:
        if cue.seat == self.seat or self.chance.random() < self.sleeps:
            return
        if cue.kind is CueKind.CONTACT or self.chance.random() < 0.1:
            self.evening.later(self.chance.randrange(900 * MS), self.touches)

    def claims(self) -> int:
        return self.chance.randrange(-2 * SECOND, 2 * SECOND) if self.is_liar else super().claims()

    def tells(self, cue: Cue) -> None:
        if self.is_dumb:
            return
        if self.is_liar:
            wait_us = self.chance.choice((0, 5 * MS, 60 * MS, 2 * SECOND))
            shown = Shown(cue.cue, self.chance.choice((0, 1, 60_000_000)), self.chance.choice((0, 1, 60_000_000)))
            self.evening.later(wait_us, lambda: self.says(shown))
        else:
            super().tells(cue)

    def pinged(self, sent_us: int) -> None:
        if not self.is_deaf:
            super().pinged(sent_us)


def any_path(chance: Random) -> Delay:
    """One way through any network, with stalls in which everything waits."""
    base_us = chance.choice((0, 2, 20, 80, 300, 700)) * MS
    jitter_us = chance.choice((0, 1, 10)) * MS
    stalls = chance.choice((0.0, 0.002))
    steady = path(chance, base_us, jitter_us)
    return lambda: steady() + (chance.random() < stalls) * chance.randrange(1, 3_000) * MS


def anybody(chance: Random) -> Callable[[Evening, str], Page]:
    """A page of any kind, anywhere."""

    def make(evening: Evening, name: str) -> Page:
        frame_us = chance.choice(FRAMES_US)
        return Anybody(
            evening,
            name,
            chance,
            down=any_path(chance),
            up=any_path(chance),
            frame=screen(chance, frame_us),
            frame_us=frame_us,
            grain_us=chance.choice(GRAINS_US),
        )

    return make


class Trouble:
    """Lines are cut and made anew, pages hide and come back, at any instant."""

    def __init__(self, evening: Evening, pages: dict[int, Page], chance: Random, mean_us: int) -> None:
        self.evening, self.pages, self.chance, self.mean_us = evening, pages, chance, mean_us
        self.comes()

    def comes(self) -> None:
        self.evening.later(round(self.chance.expovariate(1 / self.mean_us)), self.strikes)

    def strikes(self) -> None:
        page = self.chance.choice(list(self.pages.values()))
        if not page.connected:
            page.connects()
        else:
            deed = self.chance.choice((page.loses_connection, page.hides, page.returns, page.touches))
            deed()
        self.comes()


def check_deadlines(evening: Evening, lateness_us: int) -> int:
    """From each end of a hover to its verdict it takes no longer than the rules and the slowest page allow."""
    told: list[tuple[int, Cue | Moved]] = []
    for message, at_us in zip(evening.watched(), [at for at, to, _ in evening.sent if to is None], strict=True):
        is_end = isinstance(message, Cue) and message.kind is not CueKind.REACH
        if is_end or (isinstance(message, Moved) and message.race is not None):
            assert isinstance(message, Cue | Moved)
            told.append((at_us, message))
    for (cue_us, cue), (verdict_us, verdict) in pairwise(told):
        if isinstance(cue, Cue):
            assert isinstance(verdict, Moved), "every race has a verdict before the next"
            longest_us = WINDOW_US if cue.kind is CueKind.CONTACT else WAY_BACK_US + LONGEST_PAGE_US
            assert verdict_us - cue_us <= longest_us + lateness_us
    return len(told) // 2


def troubled(seed: int, edition: Edition, people: int, lateness_ms: int, mean_s: float) -> Evening:
    """Some reaches of every kind, among anybody, with lines that are cut and pages that hide."""
    chance = Random(seed)
    evening, pages = racers(
        *(anybody(chance) for _ in range(people)),
        edition=edition,
        lateness=lambda: chance.randrange(lateness_ms * MS + 1),
        seed=seed,
    )
    evening.watch()
    Trouble(evening, pages, chance, round(mean_s * SECOND))
    for _ in range(8):
        if not turn_to_slam(evening, 30 * SECOND):
            break
        pages[1].reaches()
        evening.wait(chance.choice((0, 100, 700, 2_000)) * MS)
        chance.choice((pages[1].lands, pages[1].lands, pages[1].withdraws))()
        pages[1].says(Release(chance.randrange(100 * MS)))
        evening.wait(4 * SECOND)
    evening.wait(4 * SECOND)
    return evening


@settings(max_examples=60)
@given(
    seed=st.integers(0, 2**32),
    edition=st.sampled_from((CLASSIC, MODERN)),
    people=st.integers(1, 3),
    lateness_ms=st.sampled_from((0, 3, 200)),
    mean_s=st.sampled_from((0.2, 1.0, 5.0)),
)
def test_whatever_the_networks_and_pages_every_race_ends_with_a_verdict_by_the_deadline(
    seed: int, edition: Edition, people: int, lateness_ms: int, mean_s: float
) -> None:
    evening = troubled(seed, edition, people, lateness_ms, mean_s)
    check_verdicts(evening.log)
    check_deadlines(evening, lateness_ms * MS)
    assert rebuilt(evening.log) == evening.table.record


def test_there_are_races_of_every_kind_in_those_evenings() -> None:
    evenings = [troubled(seed, CLASSIC, 3, 3, 2.0) for seed in range(12)]
    found = [race for evening in evenings for race in races(evening)]
    assert sum(check_deadlines(evening, 3 * MS) for evening in evenings) > 40
    assert {race.action.value for race in found} == {"slam", "fake"}
    marks = [mark for race in found for mark in race.marks]
    assert {mark.doubt for mark in marks} >= {None, *Doubt}
    assert any(mark.time_us is None for mark in marks)
    assert any(race.verdict.last for race in found)
    assert any(race.verdict.early for race in found)
    assert {race.jam for race in found} > {None}


ONE_WAY_MS = st.integers(0, 250)
WAYS = st.tuples(ONE_WAY_MS, ONE_WAY_MS)


@settings(max_examples=60)
@given(
    seed=st.integers(0, 2**32),
    ways=st.tuples(WAYS, WAYS, WAYS),
    jitter_ms=st.sampled_from((0, 1, 5)),
    reactions_ms=st.permutations((240, 270, 300)),
    frames_us=st.tuples(*[st.sampled_from(FRAMES_US[:2])] * 3),
    grains_us=st.tuples(*[st.sampled_from(GRAINS_US[:2])] * 3),
)
def test_b5_the_last_hand_loses_however_the_ways_are_dealt(
    seed: int,
    ways: tuple[tuple[int, int], ...],
    jitter_ms: int,
    reactions_ms: list[int],
    frames_us: tuple[int, ...],
    grains_us: tuple[int, ...],
) -> None:
    chance = Random(seed)

    def honest(at: int) -> Callable[[Evening, str], Page]:
        def make(evening: Evening, name: str) -> Page:
            down_ms, up_ms = ways[at]
            page = Racer(
                evening,
                name,
                down=path(chance, down_ms * MS, jitter_ms * MS),
                up=path(chance, up_ms * MS, jitter_ms * MS),
                frame=screen(chance, frames_us[at]),
                frame_us=frames_us[at],
                grain_us=grains_us[at],
            )
            page.reaction_us = reactions_ms[at] * MS
            return page

        return make

    evening, pages = racers(honest(0), honest(1), honest(2), seed=seed)
    evening.wait(5 * SECOND)
    race = run(evening, pages)
    assert race.verdict.last == (2 + reactions_ms.index(300),)
    for mark, reaction_ms in zip(race.marks, reactions_ms, strict=True):
        assert mark.time_us is not None
        assert mark.doubt is None
        assert abs(mark.time_us - reaction_ms * MS) <= max(mark.band_us, 1_500)


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32), at_ms=st.integers(-200, 2_600), away_ms=st.integers(0, 3_000))
def test_b17_a_line_cut_at_any_instant_of_a_race_costs_the_others_nothing(seed: int, at_ms: int, away_ms: int) -> None:
    chance = Random(seed)

    def maker(reaction_ms: int) -> Callable[[Evening, str], Page]:
        def make(evening: Evening, name: str) -> Page:
            page = Racer(evening, name, down=path(chance, 30 * MS, MS), up=path(chance, 30 * MS, MS))
            page.reaction_us = reaction_ms * MS
            return page

        return make

    evening, pages = racers(maker(260), maker(280), maker(320), seed=seed)
    assert turn_to_slam(evening)
    pages[1].slams()
    evening.wait(220 * MS + at_ms * MS)
    pages[2].loses_connection()
    evening.wait(away_ms * MS)
    pages[2].connects()
    evening.wait(4 * SECOND)
    race = evening.table.record.race
    assert race is not None
    marks = {mark.seat: mark for mark in race.marks}
    if at_ms >= 0:  # lost in the race, a hand that has not touched is silent
        assert race.verdict.last == ((2,) if marks[2].time_us is None else (4,))
        assert marks[2].time_us in (None, 260 * MS)
    else:  # lost before it, it is a bot's, as fast as that one is; or his own again
        assert marks[2].time_us is not None
        assert race.verdict.last in ((2,), (4,)) or race.verdict.jam
    assert (marks[3].time_us, marks[4].time_us) == (280 * MS, 320 * MS)
    assert marks[3].doubt is None
    assert marks[4].doubt is None


def test_who_comes_back_in_a_race_is_measured_by_the_way_he_came_back_on() -> None:
    way_ms = [150]

    def make(evening: Evening, name: str) -> Page:
        page = Racer(evening, name, down=lambda: way_ms[0] * MS, up=lambda: way_ms[0] * MS)
        page.reaction_us = None
        return page

    evening, pages = racers(make, make)
    evening.wait(5 * SECOND)
    assert turn_to_slam(evening)
    pages[1].reaches()
    pages[2].loses_connection()
    way_ms[0] = 10  # another network
    pages[2].connects()
    evening.wait(100 * MS)
    pages[1].lands()
    evening.until(lambda: pages[2].cue is not None and pages[2].cue.kind is CueKind.CONTACT)
    evening.wait(300 * MS)
    pages[2].touches()
    evening.wait(3 * SECOND)
    race = evening.table.record.race
    assert race is not None
    assert [mark.time_us for mark in race.marks] == [300 * MS, None]
    assert race.marks[0].doubt is None


def test_what_was_touched_before_the_line_was_lost_is_judged_by_that_line() -> None:
    """Nor is a line cut right after the touch a way to a claim that nothing disproves."""

    def make(shaved_us: int) -> Callable[[Evening, str], Page]:
        class Claimer(Racer):
            reaction_us = 300 * MS

            def claims(self) -> int:
                return super().claims() - shaved_us

        return lambda evening, name: Claimer(evening, name, down=path(evening.rng, 20 * MS), up=lambda: 30 * MS)

    found = []
    for shaved_us, cuts in ((0, False), (0, True), (200 * MS, False), (200 * MS, True)):
        evening, pages = racers(make(shaved_us), make(0))
        pages[3].reaction_us = 600 * MS  # type: ignore[attr-defined]
        evening.wait(5 * SECOND)
        assert turn_to_slam(evening)
        pages[1].slams()
        evening.until(lambda: Touched(2) in pages[1].heard)  # noqa: B023 - heard at once
        if cuts:
            pages[2].loses_connection()
            pages[2].connects()
        evening.wait(3 * SECOND)
        race = evening.table.record.race
        assert race is not None
        found.append((race.marks, evening.table.sittings[2].hand.standing.strikes))
    honest, honest_cut, liar, liar_cut = found
    assert honest == honest_cut
    assert liar == liar_cut
    assert honest[0][0].time_us == 300 * MS
    assert liar[1] == 1


def test_who_gets_up_in_a_race_leaves_a_hand_that_is_last_and_no_record_to_whoever_plays_on() -> None:
    evening, pages = racers(*[Racer] * 3)
    assert turn_to_slam(evening)
    standing = evening.table.sittings[2].hand.standing
    pages[2].reaction_us = 100 * MS  # type: ignore[attr-defined]
    pages[1].slams()
    evening.wait(220 * MS + 100 * MS)
    assert evening.table.reach is not None
    pages[2].says(Leave())
    evening.wait(4 * SECOND)
    race = evening.table.record.race
    assert race is not None
    assert race.marks[0].time_us == 100 * MS
    assert standing.races == 0
    assert evening.table.sittings[2].hand.standing.races == 0
    assert evening.table.sittings[3].hand.standing.races == 1
