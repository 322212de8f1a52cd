"""A hand on its way: when it may reach, how long it hovers, when it is seen to land, and what touches mean."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from slamomatic.game import CLASSIC, MODERN, Draw, Edition, Pass, Slam, Take
from slamomatic.game.events import Judged, Outcome
from slamomatic.table.log import GameMoved
from slamomatic.table.protocol import (
    Act,
    Cue,
    CueKind,
    Land,
    Level,
    Locked,
    Moved,
    RaceView,
    Reach,
    RefusalCode,
    Refused,
    Shown,
    Touch,
    Touched,
    Welcome,
    Withdraw,
)
from tests.table.evening import Evening, Scene, deal_of, evening_of
from tests.table.pages import MS, SECOND, Page
from tests.table.puppets import Puppet, fakes, puppets, slams

TRIO = deal_of(CLASSIC, {1: "5 5 8 8", 2: "2 3 4 6", 3: "1 7 9 10"}, dealer=3)
TRIO_MODERN = replace(TRIO, edition=MODERN, pile=tuple(card for card in TRIO.pile or () if card != 12))
REACH = 220 * MS


def free(dealt: object = TRIO, **kind: object) -> Scene:
    """Hand 1 has drawn and is free to reach."""
    evening, pages = evening_of(dealt, **kind)  # type: ignore[arg-type]
    pages[1].says(Act(Draw(1)))
    evening.wait(SECOND)
    return evening, pages


def cues(page: Page) -> list[tuple[CueKind, int]]:
    """What this page was shown, and when, from the first of it on."""
    seen = page.timed(Cue)
    return [(cue.kind, at - seen[0][1]) for cue, at in seen]


def race(page: Page) -> RaceView:
    """The last race."""
    found = [moved.race for moved in page.all(Moved) if moved.race is not None]
    return found[-1]


# How long it takes.


@pytest.mark.parametrize("landed_ms", [0, 100, 219, 220, 221, 1_000])
@pytest.mark.parametrize("end", [Land(), Withdraw()], ids=["slam", "fake"])
def test_a_reach_is_seen_for_220_ms_at_least(landed_ms: int, end: Land | Withdraw) -> None:
    evening, pages = free()
    pages[1].reaches()
    evening.wait(landed_ms * MS)
    pages[1].says(end)
    evening.wait(5 * SECOND)
    kind = CueKind.CONTACT if isinstance(end, Land) else CueKind.WITHDRAW
    for page in pages.values():
        assert cues(page) == [(CueKind.REACH, 0), (kind, max(REACH, landed_ms * MS))]


def test_a_reach_is_seen_for_220_ms_though_the_table_is_woken_late() -> None:
    for seed in range(20):
        late = Random(seed)
        evening, pages = free(maker=puppets(Puppet(does=slams)), lateness=lambda late=late: late.randrange(400 * MS))
        pages[1].loses_connection()
        evening.wait(20 * SECOND)
        (_, _), (_, contact_us) = cues(pages[2])[:2]
        assert contact_us >= REACH


def test_b7_a_hand_hovers_1500_ms_and_is_then_withdrawn() -> None:
    evening, pages = free()
    pages[1].reaches()
    evening.wait(5 * SECOND)
    assert cues(pages[2]) == [(CueKind.REACH, 0), (CueKind.WITHDRAW, 1_500 * MS)]
    assert race(pages[2]).action == "fake"


def test_b7_or_lands_if_no_fake_is_left() -> None:
    evening, pages = free()
    for _ in range(CLASSIC.free_fakes):
        pages[1].reaches()
        pages[1].withdraws()
        evening.wait(3 * SECOND)
    assert pages[1].last(Moved).view.fakes_left == 0
    pages[1].reaches()
    pages[1].withdraws()
    assert pages[1].refused() is RefusalCode.ILLEGAL
    evening.wait(1_499 * MS)
    assert pages[2].last(Cue).kind is CueKind.REACH
    evening.wait(MS)
    assert pages[2].last(Cue).kind is CueKind.CONTACT


def test_how_a_reach_ends_is_said_once() -> None:
    evening, pages = free()
    pages[1].says(Reach(), Withdraw(), Land())
    assert pages[1].refused() is RefusalCode.NOT_NOW
    evening.wait(SECOND)
    assert race(pages[1]).action == "fake"


def test_between_two_reaches_there_is_a_second() -> None:
    evening, pages = free()
    pages[1].reaches()
    pages[1].withdraws()
    evening.until(lambda: evening.table.reach is None)
    settled = evening.now
    evening.wait(999 * MS)
    pages[1].reaches()
    assert pages[1].refused() is RefusalCode.NOT_NOW
    evening.wait(MS)
    pages[1].reaches()
    assert evening.table.reach is not None
    assert evening.now == settled + SECOND


def test_bots_too_leave_a_second_between_reaches() -> None:
    evening, pages = evening_of(TRIO, bots={1: Level.SHARP}, maker=puppets(Puppet(does=fakes)))
    evening.wait(20 * SECOND)
    settled = [at for moved, at in pages[2].timed(Moved) if moved.race]
    began = [at for cue, at in pages[2].timed(Cue) if cue.kind is CueKind.REACH]
    assert len(began) == CLASSIC.free_fakes
    assert all(begin >= end + SECOND for begin, end in zip(began[1:], settled, strict=False))


# Who may reach, and what rests meanwhile.


def test_only_who_is_free_to_slam_may_reach() -> None:
    evening, pages = evening_of(TRIO)
    pages[2].reaches()
    assert pages[2].last(Refused).text == "it is for hand 1 to act"
    pages[1].reaches()
    assert pages[1].last(Refused).text == "draw from the pile first"
    assert evening.table.reach is None
    assert not pages[3].all(Cue)


def test_b9_an_empty_hand_cannot_reach() -> None:
    evening, pages = free(deal_of(CLASSIC, {1: "", 2: "2 3", 3: "1 7"}, pile="5 6 8", dealer=3))
    pages[1].slams()
    evening.wait(300 * MS)
    pages[2].touches()
    pages[3].touches()
    evening.wait(SECOND)
    pages[2].says(Act(Take(2, 1, 0)))  # C8: the only card goes
    evening.wait(SECOND)
    pages[1].reaches()
    assert pages[1].last(Refused).text == "without cards you have no part at the unit: pass"


def test_while_a_hand_is_on_its_way_nothing_else_is_done() -> None:
    evening, pages = free()
    pages[1].reaches()
    for message in (Act(Pass(1)), Reach()):
        pages[1].says(message)
        assert pages[1].refused() is RefusalCode.NOT_NOW
    pages[2].says(Reach())
    assert pages[2].refused() is RefusalCode.NOT_NOW
    pages[1].lands()
    evening.wait(300 * MS)
    pages[1].says(Act(Pass(1)))
    assert pages[1].refused() is RefusalCode.NOT_NOW, "nor until the verdict is there"


def test_only_the_hand_that_reaches_lands_or_goes_back() -> None:
    evening, pages = free()
    pages[1].lands()
    assert pages[1].refused() is RefusalCode.NOT_NOW
    pages[1].reaches()
    for message in (Land(), Withdraw()):
        pages[2].says(message)
        assert pages[2].refused() is RefusalCode.NOT_NOW
    evening.wait(SECOND)
    assert pages[3].last(Cue).kind is CueKind.REACH


def test_the_game_hears_of_a_slam_only_with_its_verdict() -> None:
    evening, pages = free()
    before = evening.table.record
    pages[1].slams()
    evening.wait(300 * MS)
    assert evening.table.record is before
    pages[2].touches()
    pages[3].touches()
    evening.wait(SECOND)
    assert isinstance(evening.log[-1], GameMoved)
    assert evening.log[-1].commands[0] == Slam(1)


def test_who_leaves_while_his_hand_hovers_has_faked() -> None:
    evening, pages = free()
    pages[1].reaches()
    pages[1].loses_connection()
    evening.wait(3 * SECOND)
    assert race(pages[2]).action == "fake"


# Touches.


def test_one_touch_a_race() -> None:
    evening, pages = free()
    pages[1].slams()
    evening.wait(REACH + 250 * MS)
    pages[2].touches()
    evening.wait(50 * MS)
    pages[2].touches()
    pages[3].touches()
    evening.wait(SECOND)
    assert [mark.time_us for mark in race(pages[1]).marks] == [250 * MS, 300 * MS]
    assert pages[1].all(Touched) == [Touched(2), Touched(3)]


def test_a_hand_that_comes_down_is_seen_by_all() -> None:
    evening, pages = free()
    evening.watch()
    pages[1].reaches()
    pages[2].touches()
    for page in pages.values():
        assert page.all(Touched) == [Touched(2)]
    assert Touched(2) in evening.watched()


def test_b13_a_touch_for_nothing_costs_a_short_rest() -> None:
    evening, pages = free()
    pages[2].touches()
    assert pages[2].last(Locked).for_ms == 700
    assert not pages[1].all(Locked), "and is nobody else's business"
    pages[1].slams()
    evening.wait(400 * MS)
    pages[2].touches()
    assert pages[2].last(Locked).for_ms == 300, "a resting hand has no part in a race; it rests no longer for it"
    evening.wait(300 * MS)
    pages[2].touches()
    assert pages[1].all(Touched) == [Touched(2)]


def test_b13_the_rest_is_over_before_the_next_race_can_begin() -> None:
    evening, pages = free()
    pages[1].reaches()
    pages[1].withdraws()
    evening.until(lambda: evening.table.reach is None)
    pages[2].touches()
    assert pages[2].all(Locked)
    evening.wait(SECOND)
    pages[1].slams()
    evening.wait(REACH)
    pages[2].touches()
    assert pages[1].all(Touched) == [Touched(2)]


def test_touches_for_a_cue_never_sent_are_refused() -> None:
    _, pages = free()
    pages[1].reaches()
    pages[2].says(Touch("0123456789abc", 100 * MS))
    assert pages[2].refused() is RefusalCode.UNKNOWN_CUE
    pages[2].says(Shown("0123456789abc", 0, 0))
    assert pages[2].refused() is RefusalCode.UNKNOWN_CUE
    assert not pages[1].all(Touched)


def test_a_cue_is_known_to_whom_it_was_sent_and_to_nobody_else() -> None:
    evening, pages = free()
    pages[2].loses_connection()
    pages[1].reaches()
    reach = pages[3].last(Cue).cue
    pages[1].withdraws()
    evening.wait(300 * MS)
    pages[2].connects()
    assert pages[2].all(Cue)[-1].kind is CueKind.WITHDRAW, "he came too late for the reach itself"
    for message in (Touch(reach, None), Shown(reach, 0, 0)):  # told by whoever saw it
        pages[2].says(message)
        assert pages[2].refused() is RefusalCode.UNKNOWN_CUE
    evening.wait(SECOND)
    assert evening.table.reach is None
    pages[2].says(Touch(reach, None))
    assert pages[2].refused() is RefusalCode.UNKNOWN_CUE, "nor was it sent to him when it is over"
    assert not pages[2].all(Locked), "an error, not a foul"
    pages[3].says(Touch(reach, None))
    assert pages[3].all(Locked), "whom it was sent knows it"


def test_nor_is_a_cue_of_another_table_known() -> None:
    _, elsewhere = free(seed=2)
    elsewhere[1].reaches()
    _, pages = free()
    pages[1].reaches()
    pages[2].says(Touch(elsewhere[2].last(Cue).cue, None))
    assert pages[2].refused() is RefusalCode.UNKNOWN_CUE
    assert not pages[1].all(Touched)


def test_who_comes_back_in_the_race_for_a_landed_hand_has_none_in_it_any_more() -> None:
    evening, pages = free()
    pages[1].slams()
    evening.wait(REACH + 100 * MS)
    pages[2].loses_connection()
    pages[2].connects()
    evening.wait(100 * MS)
    pages[2].touches()
    pages[3].touches()
    evening.wait(3 * SECOND)
    assert race(pages[1]).verdict.last == (2,), "a line that is cut in the race is no way to a doubt"


def test_a_touch_for_the_reach_before_has_no_part_in_this_one() -> None:
    evening, pages = free()
    pages[1].reaches()
    old = pages[2].last(Cue).cue
    pages[1].withdraws()
    evening.wait(3 * SECOND)
    pages[1].reaches()
    pages[2].says(Touch(old, None))
    assert pages[2].last(Locked).for_ms == 700
    pages[1].withdraws()
    evening.wait(3 * SECOND)
    assert race(pages[1]).verdict.early == ()
    pages[1].slams()
    pages[2].says(Touch(old, None))
    assert pages[2].refused() is RefusalCode.UNKNOWN_CUE, "of the one before that nobody remembers anything"


def test_a_word_for_the_reach_before_is_no_news() -> None:
    evening, pages = free()
    pages[1].reaches()
    old = pages[2].last(Cue).cue
    pages[1].withdraws()
    evening.wait(3 * SECOND)
    heard = len(pages[2].heard)
    pages[2].says(Shown(old, 0, 0))
    assert len(pages[2].heard) == heard


@pytest.mark.parametrize("up_ms", [0, 150])
def test_a_touch_before_the_contact_is_early_by_the_order_of_the_stream(up_ms: int) -> None:
    evening, pages = evening_of(TRIO, page=lambda table, name: Page(table, name, up=lambda: up_ms * MS))
    pages[1].says(Act(Draw(1)))
    evening.wait(SECOND)
    pages[1].slams()
    evening.wait(up_ms * MS + REACH - MS)
    assert pages[2].last(Cue).kind is CueKind.REACH
    pages[2].says(Touch(pages[2].last(Cue).cue, 400 * MS))  # whatever it claims
    evening.wait(20 * MS)
    pages[3].touches()
    evening.wait(3 * SECOND)
    marks = race(pages[1]).marks
    assert [mark.early for mark in marks] == [True, False]
    assert marks[0].time_us == -MS


def test_m10_an_early_touch_pays_a_card() -> None:
    evening, pages = free(TRIO_MODERN)
    pages[1].slams()
    pages[2].touches()
    evening.wait(400 * MS)
    pages[3].touches()
    evening.wait(SECOND)
    assert race(pages[1]).verdict.early == (2,)
    assert race(pages[1]).verdict.last == (3,)
    assert isinstance(evening.log[-1], GameMoved)


def test_c6_an_early_touch_counts_as_its_time_says() -> None:
    evening, pages = free()
    pages[1].slams()
    pages[2].touches()
    evening.wait(100 * MS)
    pages[3].touches()
    evening.wait(SECOND)
    assert race(pages[1]).verdict.early == (2, 3)
    assert race(pages[1]).verdict.last == (3,)


@pytest.mark.parametrize(("after_ms", "fooled"), [(-100, True), (0, True), (349, True), (350, False)])
def test_b8_who_touches_before_the_hand_is_back_has_fallen_for_it(after_ms: int, fooled: bool) -> None:
    evening, pages = free()
    pages[1].reaches()
    evening.wait(500 * MS + min(after_ms, 0) * MS)
    if after_ms < 0:
        pages[2].touches()
        evening.wait(-after_ms * MS)
    pages[1].withdraws()
    evening.wait(max(after_ms, 0) * MS)
    if after_ms >= 0:
        pages[2].touches()
    evening.wait(SECOND)
    assert race(pages[1]).verdict.early == ((2,) if fooled else ())


def test_b8_a_slow_line_makes_no_fool_of_anybody() -> None:
    slow: list[Page] = []

    def page(evening: Evening, name: str) -> Page:
        far = name == "Bob"
        slow.append(Page(evening, name, down=lambda: 150 * MS * far, up=lambda: 150 * MS * far))
        return slow[-1]

    evening, pages = evening_of(TRIO, page=page)
    pages[1].says(Act(Draw(1)))
    evening.wait(5 * SECOND)
    pages[1].reaches()
    evening.wait(500 * MS)
    pages[1].withdraws()
    evening.wait(150 * MS + 340 * MS)
    pages[2].touches()
    evening.wait(SECOND)
    assert race(pages[1]).verdict.early == (2,), "on his screen the hand was still on its way back"


def test_b17_a_stand_in_holds_back_from_a_withdrawn_hand_if_it_can() -> None:
    for stop_ms, fooled in ((50, ()), (150, (2,))):
        evening, pages = free(maker=puppets(Puppet(jump_ms=600, stop_ms=stop_ms)))
        pages[2].hides()
        pages[1].reaches()
        evening.wait(500 * MS)
        pages[1].withdraws()
        evening.wait(3 * SECOND)
        assert race(pages[1]).verdict.early == fooled


@pytest.mark.parametrize("edition", [CLASSIC, MODERN], ids=lambda edition: edition.name)
def test_a_fake_is_told_as_what_it_was(edition: Edition) -> None:
    evening, pages = free(TRIO if edition is CLASSIC else TRIO_MODERN)
    pages[1].reaches()
    pages[2].touches()
    pages[1].withdraws()
    evening.wait(SECOND)
    judged = [event for event in pages[3].last(Moved).events if isinstance(event, Judged)]
    assert [event.outcome for event in judged] == [Outcome.FOOLED]


def test_the_hovering_hand_is_in_the_welcome_of_a_watcher_too() -> None:
    evening, pages = free()
    pages[1].reaches()
    assert evening.watch().reaching == 1
    pages[1].lands()
    evening.wait(300 * MS)
    assert evening.watch().reaching is None
    evening.wait(5 * SECOND)
    pages[2].connects()
    assert pages[2].last(Welcome).reaching is None
    assert pages[2].last(Welcome).race == race(pages[1])
