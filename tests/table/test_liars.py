"""Liars at the table: whatever their page says, it gains them nothing that the rules do not give to everybody.

Each is truly the last hand, by 40 ms. What the rules give: a signal that cannot be honest makes nobody last by itself,
twice in 25 races; then the race jams. From the third on the server alone times that hand. And nobody else ever loses
for it.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from msgspec.structs import replace

from slamomatic.game import CLASSIC, MODERN, Edition
from slamomatic.table.protocol import (
    Cue,
    CueKind,
    Flagged,
    Locked,
    RaceView,
    RefusalCode,
    Refused,
    Shown,
    Touch,
    Touched,
)
from slamomatic.table.timing import TRAIN_US
from slamomatic.unit import Doubt, Flag, Jam
from slamomatic.unit.evidence import SLACK_US
from tests.table.evening import Evening
from tests.table.pages import MS, SECOND, Page
from tests.table.racers import Racer, path, racers, run, screen, turn_to_slam

LIAR, QUICK, SLOW = 2, 3, 4
SESSION = 25
JITTER_US = 4 * MS
"""What the liar's path may do to a ping."""
FREE = 2
"""So many signals that cannot be honest are forgiven in a session."""

STRICT = replace(CLASSIC, name="Strict", early_touch=MODERN.early_touch, jam=MODERN.jam)
"""Early hands cannot be last, and a jam is void, as in Modern; but a game is long enough for a session."""

Scene = tuple[Evening, dict[int, Page]]


class Claimer(Racer):
    """Claims what it likes."""

    claim_us: Callable[[int], int] = staticmethod(lambda honest_us: honest_us)

    def claims(self) -> int:
        return self.claim_us(super().claims())


class Delayer(Racer):
    """Shows the hand as it comes, and says so later; its claim fits what it says."""

    delay_us = 0

    def tells(self, cue: Cue) -> None:
        line = self.line
        self.shown_at = None
        self.evening.later(self.delay_us, lambda: self.tells_at_last(cue) if line == self.line else None)

    def tells_at_last(self, cue: Cue) -> None:
        self.shown_at = self.evening.now
        super().tells(cue)


class Jumper(Racer):
    """Touches before the contact, and pretends that it was after it."""

    claim_us = 200 * MS

    def sees(self, cue: Cue) -> None:
        if cue.kind is CueKind.REACH and cue.seat != self.seat:
            self.evening.later(100 * MS, lambda: self.says(Touch(cue.cue, self.claim_us)))


class Deaf(Racer):
    """Answers no ping: no page can do that, but a program of one's own can."""

    def pinged(self, sent_us: int) -> None:
        pass


class DeafClaimer(Deaf, Claimer):
    """And claims what it likes."""


class DeafDelayer(Deaf, Delayer):
    """And says late that it has shown the hand."""


def scene(kind: type[Racer], edition: Edition = CLASSIC, *, latest_us: int = 340 * MS, **traits: object) -> Scene:
    """The liar sits at hand 2 and touches last, behind a middling path; the others are honest."""
    chance = Random(3)

    def maker(kind: type[Racer], reaction_us: int, base_us: int, **traits: object) -> Callable[[Evening, str], Page]:
        def make(evening: Evening, name: str) -> Page:
            down, up = path(chance, base_us, MS), path(chance, base_us // 2, MS)
            page = kind(evening, name, down=down, up=up, frame=screen(chance))
            page.reaction_us = reaction_us
            for trait, value in traits.items():
                setattr(page, trait, value)
            return page

        return make

    return racers(
        maker(kind, latest_us, 20 * MS, **traits),
        maker(Racer, 280 * MS, 90 * MS),
        maker(Racer, 300 * MS, 5 * MS),
        edition=edition,
    )


def session(scene: Scene) -> list[RaceView]:
    """As many races as a session has."""
    return [run(*scene) for _ in range(SESSION)]


def mark(race: RaceView) -> tuple[int | None, Doubt | None]:
    """What the unit made of the liar."""
    read = next(mark for mark in race.marks if mark.seat == LIAR)
    return read.time_us, read.doubt


def check_nothing_is_gained(found: list[RaceView]) -> None:
    """He is last, but for the doubts that are forgiven everybody; and never is anybody else."""
    assert {race.verdict.last for race in found} <= {(LIAR,), ()}
    jams = [race for race in found if not race.verdict.last]
    assert len(jams) <= FREE
    assert all(race.jam is Jam.DOUBT and race.alike[0] == LIAR for race in jams)


def flags(scene: Scene, seat: int) -> tuple[Flag, ...]:
    """What the host was told last of this seat."""
    _, pages = scene
    told = [message.flags for message in pages[1].all(Flagged) if message.seat == seat]
    return told[-1] if told else ()


def test_an_honest_page_is_believed_wherever_it_lives_and_never_flagged() -> None:
    at_table = scene(Racer)
    for race in session(at_table):
        assert race.verdict.last == (LIAR,)
        assert [(mark.time_us, mark.doubt) for mark in race.marks] == [
            (340 * MS, None),
            (280 * MS, None),
            (300 * MS, None),
        ]
    assert not at_table[1][1].all(Flagged)


@pytest.mark.parametrize(
    "claim_us",
    [lambda _: 0, lambda _: -100 * MS, lambda _: -60 * SECOND, lambda us: us - 60 * MS, lambda us: us - SECOND],
    ids=["0 ms", "-100 ms", "-60 s", "60 ms less", "1 s less"],
)
@pytest.mark.parametrize("edition", [CLASSIC, STRICT], ids=lambda edition: edition.name)
def test_a_claim_its_connection_disproves_gains_nothing(claim_us: Callable[[int], int], edition: Edition) -> None:
    """Nothing: he is last as ever, and two jams; a claim before the contact makes no early touch of it."""
    at_table = scene(Claimer, edition, claim_us=claim_us)
    found = session(at_table)
    check_nothing_is_gained(found)
    assert not any(mark.early for race in found for mark in race.marks)
    assert mark(found[0])[1] is Doubt.CLAIM
    assert mark(found[-1])[1] is Doubt.TIMED_BY_SERVER
    assert Flag.STRIKES in flags(at_table, LIAR)
    assert flags(at_table, QUICK) == flags(at_table, SLOW) == ()


@pytest.mark.parametrize("shaved_ms", [10, 20, 35])
def test_a_little_shaved_off_each_time_gains_no_more_than_the_trains_interval_and_is_flagged(shaved_ms: int) -> None:
    """Nothing: no reading is better than a train's interval and the path's leeway below the truth, and it is seen."""
    at_table = scene(Claimer, claim_us=lambda us: us - shaved_ms * MS)
    found = session(at_table)
    check_nothing_is_gained(found)
    believed = [time_us for time_us, doubt in map(mark, found) if doubt is not Doubt.TIMED_BY_SERVER]
    assert all(time_us is not None and time_us > 340 * MS - TRAIN_US - SLACK_US - JITTER_US for time_us in believed)
    assert flags(at_table, LIAR)


@pytest.mark.parametrize("delay_ms", [15, 30, 60, 120, 400])
def test_a_word_kept_back_gains_nothing(delay_ms: int) -> None:
    """Nothing: a word is read as if it had come a frame after the cue at the latest, and who is always late is seen."""
    at_table = scene(Delayer, delay_us=delay_ms * MS)
    check_nothing_is_gained(session(at_table))
    assert flags(at_table, LIAR)


def test_a_second_touch_is_no_touch() -> None:
    """Nothing: the first one counts, whatever the second claims; nor is it seen by anybody."""
    evening, pages = scene(Racer)
    liar = pages[LIAR]
    assert turn_to_slam(evening)
    pages[1].slams()
    evening.until(lambda: pages[1].all(Touched).count(Touched(LIAR)) == 1)
    for claim_us in (0, -100 * MS, None):
        liar.says(Touch(liar.last(Cue).cue, claim_us))
    evening.wait(SECOND)
    assert pages[1].all(Touched).count(Touched(LIAR)) == 1
    assert pages[1].all(Touched).count(Touched(QUICK)) == 1


def test_a_touch_before_the_race_and_one_in_it_are_one_touch() -> None:
    """Nothing: who was early was early, though he touches again when it would have been right."""
    at_table = scene(Jumper)
    evening, pages = at_table
    race = run(evening, pages)
    time_us, _ = mark(race)
    assert time_us is not None
    assert time_us < 0


@pytest.mark.parametrize("claim_ms", [0, 200, 300])
@pytest.mark.parametrize("edition", [CLASSIC, STRICT], ids=lambda edition: edition.name)
def test_an_early_touch_is_early_whatever_it_claims(edition: Edition, claim_ms: int) -> None:
    """Nothing: in a slam it counts as it was, in a fake it has been fooled, as anybody's who guessed wrong."""
    evening, pages = scene(Jumper, edition, claim_us=claim_ms * MS)
    assert next(mark.early for mark in run(evening, pages).marks if mark.seat == LIAR)
    assert turn_to_slam(evening)
    pages[1].reaches()
    evening.wait(300 * MS)
    pages[1].withdraws()
    evening.wait(2 * SECOND)
    assert pages[1].heard[-1] is not None
    race = evening.table.record.race
    assert race is not None
    assert race.action == "fake"
    assert race.verdict.early == (LIAR,)


def test_a_touch_with_the_contacts_cue_that_comes_before_its_own_word_was_early() -> None:
    """Nothing: a script may read the cue before the screen shows it; its touch is then before the contact."""
    evening, pages = scene(Racer, latest_us=60 * SECOND)
    liar = pages[LIAR]
    liar.frame = lambda: 12 * MS
    assert turn_to_slam(evening)
    pages[1].slams()
    evening.until(lambda: liar.all(Cue) and liar.last(Cue).kind is CueKind.CONTACT)
    liar.says(Touch(liar.last(Cue).cue, 150 * MS))
    evening.wait(SECOND)
    race = evening.table.record.race
    assert race is not None
    assert next(mark.early for mark in race.marks if mark.seat == LIAR)


def test_an_old_cue_opens_nothing() -> None:
    """Nothing, and less: the hand that plays an old cue rests, and one older still was never sent."""
    evening, pages = scene(Racer, latest_us=60 * SECOND)
    liar = pages[LIAR]
    run(evening, pages)
    oldest = [cue.cue for cue in liar.all(Cue)]
    run(evening, pages)
    old = [cue.cue for cue in liar.all(Cue) if cue.cue not in oldest]
    assert turn_to_slam(evening)
    pages[1].slams()
    evening.wait(300 * MS)
    for cue in oldest:
        liar.says(Touch(cue, 0), Shown(cue, 0, 0))
        evening.wait(100 * MS)
        assert liar.refused() is RefusalCode.UNKNOWN_CUE
    assert not liar.all(Locked)
    liar.says(Touch(old[-1], 0))
    evening.wait(100 * MS)
    assert liar.last(Locked).for_ms == 700
    assert Touched(LIAR) not in pages[1].all(Touched)


def test_a_guessed_cue_opens_nothing() -> None:
    """Nothing: 52 random bits are guessed by nobody, and what is guessed wrong is an error."""
    evening, pages = scene(Racer)
    assert turn_to_slam(evening)
    pages[1].reaches()
    evening.wait(100 * MS)
    liar = pages[LIAR]
    for guess in ("0" * 13, liar.last(Cue).cue[:-1], liar.last(Cue).cue.upper() + " ", ""):
        liar.says(Touch(guess, 0))
        evening.wait(50 * MS)
        assert liar.last(Refused).code is RefusalCode.UNKNOWN_CUE
    assert not liar.all(Locked), "an error, not a foul"


def test_who_answers_no_ping_is_timed_by_arrivals_whatever_he_claims() -> None:
    """Nothing: without evidence no claim is believed. No page can do it, and the server hangs up after 10 seconds."""
    found = session(scene(DeafClaimer, claim_us=lambda _: 0))
    check_nothing_is_gained(found)
    assert {doubt for _, doubt in map(mark, found)} == {Doubt.UNWITNESSED}


@pytest.mark.parametrize("delay_ms", [30, 330])
def test_who_answers_no_ping_cannot_be_late_to_show_either(delay_ms: int) -> None:
    """Nothing: a path nobody knows is allowed no time at all."""
    check_nothing_is_gained(session(scene(DeafDelayer, delay_us=delay_ms * MS)))


def test_a_program_that_holds_its_pongs_back_until_it_has_touched_gains_three_races_and_is_flagged() -> None:
    """A way down may be held up now and then, and a claim is believed then; not where that is the rule."""

    class Holder(Claimer):
        held: list[int] | None = None

        def sees(self, cue: Cue) -> None:
            if cue.kind is CueKind.CONTACT:
                self.held = []
            super().sees(cue)

        def pinged(self, sent_us: int) -> None:
            if self.held is None:
                super().pinged(sent_us)
            else:
                self.held.append(sent_us)

        def touches(self) -> None:
            super().touches()
            held, self.held = self.held or [], None
            for sent_us in held:
                super().pinged(sent_us)

    at_table = scene(Holder, claim_us=lambda us: us - 60 * MS)
    found = session(at_table)
    assert all(race.verdict.last == (LIAR,) for race in found[3:])
    assert Flag.SILENCE in flags(at_table, LIAR)
    assert flags(at_table, QUICK) == flags(at_table, SLOW) == ()
