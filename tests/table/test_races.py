"""From contact to verdict: who takes part, who is last, and what the game makes of it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from slamomatic.game import CLASSIC, MODERN, Choose, Draw, Edition, Lay, Verdict
from slamomatic.game.events import CardDrawn, Dealt, Judged, Outcome, PairLaid
from slamomatic.table.log import GameMoved
from slamomatic.table.protocol import (
    Act,
    Assist,
    Cue,
    CueKind,
    Land,
    Level,
    Moved,
    RaceView,
    Reach,
    Release,
    Touch,
    Touched,
)
from slamomatic.unit.evidence import FRAME_US, PAINTING_US
from tests.table.evening import Evening, Scene, deal_of, evening_of
from tests.table.pages import MS, SECOND, Page
from tests.table.puppets import Puppet, puppets

CONTACT = 220 * MS
HANDS = {1: "5 5 8 8", 2: "2 3 4 6", 3: "1 7 9 10"}
FOUR = {**HANDS, 4: "1 2 3 6"}


def slam(dealt: Dealt, *touches: tuple[int, int], held_ms: int | None = 60, **kind: object) -> Scene:
    """Hand 1 draws and slams; the others touch so many ms after the contact; then the race is settled."""
    evening, pages = evening_of(dealt, **kind)  # type: ignore[arg-type]
    pages[1].says(Act(Draw(1)))
    evening.wait(SECOND)
    pages[1].says(Reach(), Land())
    if held_ms is not None:
        pages[1].says(Release(held_ms * MS))
    for seat, after_ms in touches:
        evening.later(CONTACT + after_ms * MS, pages[seat].touches)
    evening.wait(5 * SECOND)
    return evening, pages


def race(evening: Evening) -> RaceView:
    """The last race."""
    races = [entry.race for entry in evening.log if isinstance(entry, GameMoved) and entry.race is not None]
    return races[-1]


def outcome(page: Page) -> Outcome:
    """What the rules made of the last verdict."""
    events = [event for moved in page.all(Moved) for event in moved.events if isinstance(event, Judged)]
    return events[-1].outcome


def settled_after(page: Page) -> int:
    """From the contact to the verdict."""
    contact = next(at for cue, at in page.timed(Cue) if cue.kind is CueKind.CONTACT)
    verdict = next(at for moved, at in page.timed(Moved) if moved.race)
    return verdict - contact


@pytest.mark.parametrize("way_ms", [90, 150])
def test_b5_the_last_hand_loses_whatever_came_first_down_the_line(way_ms: int) -> None:
    def page(evening: Evening, name: str) -> Page:
        far = name == "Bob"
        return Page(evening, name, down=lambda: way_ms * MS * far, up=lambda: way_ms * MS * far)

    evening, pages = evening_of(deal_of(CLASSIC, HANDS, dealer=3), page=page)
    pages[1].says(Act(Draw(1)))
    evening.wait(5 * SECOND)
    pages[1].says(Reach(), Land())
    evening.later(CONTACT + way_ms * MS + 250 * MS, pages[2].touches)  # far away, but the quicker hand
    evening.later(CONTACT + 300 * MS, pages[3].touches)
    evening.wait(SECOND)
    assert [mark.time_us for mark in race(evening).marks] == [250 * MS, 300 * MS]
    assert race(evening).verdict == Verdict(last=(3,))


def test_all_who_race_see_the_same_race() -> None:
    _, pages = slam(deal_of(CLASSIC, HANDS, dealer=3), (2, 250), (3, 300))
    races = [[moved.race for moved in page.all(Moved) if moved.race] for page in pages.values()]
    assert races[0] == races[1] == races[2]


def test_b9_an_empty_hand_has_no_part_in_a_race() -> None:
    evening, pages = slam(deal_of(CLASSIC, {**HANDS, 3: ""}, dealer=3), (3, 200), (2, 250))
    assert [mark.seat for mark in race(evening).marks] == [2]
    assert pages[1].all(Touched) == [Touched(2)], "and its touches are not even seen"


def test_b9_nor_in_a_fake() -> None:
    evening, pages = evening_of(deal_of(CLASSIC, {**HANDS, 3: ""}, dealer=3))
    pages[1].says(Act(Draw(1)))
    evening.wait(SECOND)
    pages[1].reaches()
    pages[3].touches()
    pages[1].withdraws()
    evening.wait(SECOND)
    assert race(evening).verdict == Verdict()


def test_b10_if_all_others_are_empty_there_is_no_race_and_no_short_press() -> None:
    evening, pages = slam(deal_of(MODERN, {1: "5 5 8", 2: "", 3: ""}, dealer=3), held_ms=1)
    assert race(evening).marks == ()
    assert race(evening).verdict == Verdict()
    assert outcome(pages[2]) is Outcome.PAIR
    assert settled_after(pages[2]) == 0, "there is nothing to wait for"


def test_b10_and_no_fake() -> None:
    evening, pages = evening_of(deal_of(MODERN, {1: "5 5 8", 2: ""}, dealer=2))
    pages[1].says(Act(Draw(1)))
    evening.wait(SECOND)
    pages[1].reaches()
    pages[1].withdraws()
    assert pages[1].refused() is not None
    evening.wait(1_500 * MS)
    assert pages[2].last(Cue).kind is CueKind.CONTACT, "a hand that hovers too long lands"


def test_b12_who_does_not_touch_is_last_when_the_window_closes() -> None:
    evening, pages = slam(deal_of(CLASSIC, HANDS, dealer=3), (2, 250))
    assert race(evening).verdict == Verdict(last=(3,))
    assert settled_after(pages[1]) == 2_500 * MS


def test_b12_of_several_who_do_not_touch_the_slammer_chooses() -> None:
    evening, pages = slam(deal_of(CLASSIC, FOUR, dealer=4), (3, 250))
    assert race(evening).verdict == Verdict(last=(2, 4))
    pages[1].says(Act(Lay(1, (5, 5))))  # type: ignore[arg-type]
    assert pages[1].last(Moved).view.legal == (Choose(1, 2), Choose(1, 4))
    pages[1].says(Act(Choose(1, 4)))
    assert {getattr(command, "loser", None) for command in pages[1].last(Moved).view.legal} == {4}


@pytest.mark.parametrize(("after_ms", "last"), [(399, ()), (400, ()), (401, (2,))])
def test_b15_an_only_opponent_loses_if_he_misses_the_duel_limit(after_ms: int, last: tuple[int, ...]) -> None:
    evening, _ = slam(deal_of(CLASSIC, {1: "5 5 8", 2: "2 3"}, dealer=2), (2, after_ms))
    assert race(evening).verdict == Verdict(last=last)
    assert race(evening).duel_limit_us == 400 * MS


def test_b15_the_sheets_word_is_that_he_is_always_last() -> None:
    strict = replace(CLASSIC, name="By the sheet", duel_limit_ms=0)
    evening, _ = slam(deal_of(strict, {1: "5 5 8", 2: "2 3"}, dealer=2), (2, 150))
    assert race(evening).verdict == Verdict(last=(2,))
    assert race(evening).duel_limit_us is None


def test_b15_it_is_no_matter_in_a_race_of_several() -> None:
    evening, _ = slam(deal_of(CLASSIC, HANDS, dealer=3), (2, 250), (3, 300))
    assert race(evening).duel_limit_us is None


@pytest.mark.parametrize("edition", [CLASSIC, MODERN], ids=lambda edition: edition.name)
def test_c7_m7_what_cannot_be_told_apart_jams(edition: Edition) -> None:
    evening, pages = slam(deal_of(edition, HANDS, dealer=3), (2, 250), (3, 251))
    assert race(evening).verdict == Verdict(jam=True)
    if edition is MODERN:
        assert outcome(pages[2]) is Outcome.VOID
    else:
        pages[1].says(Act(Lay(1, (5, 5))))  # type: ignore[arg-type]
        laid, drawn = pages[2].last(Moved).events
        assert isinstance(laid, PairLaid)
        assert isinstance(drawn, CardDrawn)


@pytest.mark.parametrize(("held_ms", "short"), [(0, True), (29, True), (30, False), (500, False), (None, False)])
def test_m8_a_press_released_too_soon_is_short(held_ms: int | None, short: bool) -> None:
    evening, pages = slam(deal_of(MODERN, HANDS, dealer=3), (2, 250), (3, 300), held_ms=held_ms)
    assert race(evening).verdict == (Verdict(short=True) if short else Verdict(last=(3,)))
    assert (race(evening).marks == ()) == short, "nothing else of that action counts"
    if short:
        assert outcome(pages[2]) is Outcome.SHORT


def test_m8_who_uses_a_switch_is_never_short() -> None:
    evening, pages = evening_of(deal_of(MODERN, HANDS, dealer=3))
    pages[1].says(Assist(never_short=True), Act(Draw(1)))
    evening.wait(SECOND)
    pages[1].says(Reach(), Land(), Release(0))
    evening.wait(5 * SECOND)
    assert race(evening).verdict == Verdict(last=(2, 3))


def test_m8_nor_is_anybody_where_the_edition_knows_no_such_foul() -> None:
    evening, _ = slam(deal_of(CLASSIC, HANDS, dealer=3), (2, 250), (3, 300), held_ms=0)
    assert race(evening).verdict == Verdict(last=(3,))


def test_m8_only_the_slammers_own_hand_can_be_short() -> None:
    evening, pages = evening_of(deal_of(MODERN, HANDS, dealer=3))
    pages[1].says(Act(Draw(1)))
    evening.wait(SECOND)
    pages[1].reaches()
    pages[1].says(Release(0))  # before it landed: no press has ended
    pages[1].lands()
    pages[2].says(Release(0))
    evening.wait(5 * SECOND)
    assert race(evening).verdict == Verdict(last=(2, 3))


def test_m9_c8_without_a_pair_the_race_is_run_all_the_same() -> None:
    evening, pages = slam(deal_of(CLASSIC, {**HANDS, 1: "5"}, pile="8 9 10", dealer=3), (2, 250), (3, 300))
    assert race(evening).verdict == Verdict(last=(3,))
    assert outcome(pages[2]) is Outcome.EMPTY


def test_a_race_is_over_as_soon_as_all_have_touched() -> None:
    _, pages = slam(deal_of(CLASSIC, HANDS, dealer=3), (2, 250), (3, 300))
    assert settled_after(pages[1]) == 300 * MS


def test_bots_race_by_the_time_they_were_given() -> None:
    dealt = deal_of(CLASSIC, HANDS, dealer=3)
    evening, _ = slam(dealt, (2, 250), bots={3: Level.SHARP}, maker=puppets(Puppet(react_ms=260)))
    assert [mark.time_us for mark in race(evening).marks] == [250 * MS, 260 * MS]


@pytest.mark.parametrize(("jump_ms", "time_ms"), [(100, -120), (400, 180), (500, 260)])
def test_a_bot_that_cannot_wait_touches_when_it_would_have_or_when_it_reacts_if_that_is_sooner(
    jump_ms: int, time_ms: int
) -> None:
    dealt = deal_of(CLASSIC, HANDS, dealer=3)
    evening, _ = slam(dealt, (2, 400), bots={3: Level.SHARP}, maker=puppets(Puppet(react_ms=260, jump_ms=jump_ms)))
    assert [mark.time_us for mark in race(evening).marks] == [400 * MS, time_ms * MS]


# The lines of those who race are measured while they do.


def pings(evening: Evening, since_us: int) -> dict[int, list[int]]:
    """When each seat was pinged since then."""
    found: dict[int, list[int]] = {}
    for at_us, to, data in evening.sent:
        if at_us >= since_us and data == b"ping":
            assert to is not None
            found.setdefault(to, []).append(at_us - since_us)
    return found


def at_rest(evening: Evening) -> int:
    """A moment at which no probe at rest comes for a while."""
    evening.until(lambda: evening.table.probe_us > evening.now)
    evening.table.probe_us = evening.now + 60 * SECOND
    return evening.now


def test_a_train_of_pings_runs_beside_a_race_from_the_reach_to_the_touch() -> None:
    evening, pages = evening_of(deal_of(CLASSIC, {**FOUR, 3: ""}, dealer=4), bots={4: Level.SHARP})
    pages[1].says(Act(Draw(1)))
    evening.wait(SECOND)
    begun = at_rest(evening)
    pages[1].slams()
    evening.later(CONTACT + 253 * MS, pages[2].touches)
    evening.wait(3 * SECOND)
    train = [*range(0, CONTACT + 253 * MS, 10 * MS)]
    assert pings(evening, begun) == {2: sorted([*train, CONTACT])}, "the others have no hand in it, or are bots"


def test_the_train_stops_with_the_verdict_whoever_is_silent() -> None:
    evening, pages = evening_of(deal_of(CLASSIC, HANDS, dealer=3))
    pages[1].says(Act(Draw(1)))
    evening.wait(SECOND)
    begun = at_rest(evening)
    pages[1].slams()
    evening.wait(5 * SECOND)
    assert max(map(max, pings(evening, begun).values())) < CONTACT + 2_500 * MS
    assert evening.table.train() == []


def test_who_touches_before_the_contact_is_pinged_on_until_his_page_has_shown_it() -> None:
    evening, pages = evening_of(deal_of(CLASSIC, HANDS, dealer=3), page=lambda e, n: Page(e, n, frame=lambda: 15 * MS))
    pages[1].says(Act(Draw(1)))
    evening.wait(SECOND)
    begun = at_rest(evening)
    pages[1].slams()
    evening.later(50 * MS, pages[2].touches)
    evening.wait(3 * SECOND)
    assert pings(evening, begun)[2] == sorted([*range(0, CONTACT + 15 * MS, 10 * MS), CONTACT])


def test_the_ping_that_proves_the_contact_leaves_right_after_it() -> None:
    evening, pages = evening_of(deal_of(CLASSIC, HANDS, dealer=3))
    pages[1].says(Act(Draw(1)))
    evening.wait(SECOND)
    pages[1].says(Reach())
    evening.wait(303 * MS)
    pages[1].lands()
    sent = [(to, data) for at_us, to, data in evening.sent if at_us == evening.now]
    for seat in (2, 3):
        mine = [data for to, data in sent if to == seat]
        assert b'"contact"' in mine[-2]
        assert mine[-1] == b"ping"


def test_the_table_is_not_woken_for_the_train() -> None:
    evening, pages = evening_of(deal_of(CLASSIC, HANDS, dealer=3))
    pages[1].says(Act(Draw(1)))
    evening.wait(SECOND)
    at_rest(evening)
    pages[1].reaches()
    woken: list[int] = []
    tick = evening.table.tick
    evening.table.tick = lambda now: (woken.append(now), tick(now))[1]  # type: ignore[func-returns-value, method-assign]
    evening.wait(1_499 * MS)
    assert woken == []


def test_pings_in_a_race_say_nothing_of_the_path_at_rest() -> None:
    way_us = [20 * MS]
    evening, pages = evening_of(
        deal_of(CLASSIC, HANDS, dealer=3), page=lambda e, n: Page(e, n, down=lambda: way_us[0], up=lambda: way_us[0])
    )
    pages[1].says(Act(Draw(1)))
    evening.wait(10 * SECOND)
    network = evening.table.sittings[2].hand.network
    at_rest(evening)
    evening.wait(SECOND)
    pages[1].slams()
    evening.wait(30 * MS)  # on its way here the reach has overtaken nothing
    way_us[0] = 5 * MS
    evening.wait(3 * SECOND)
    assert network.idle_us == 40 * MS
    assert network.least_us == 10 * MS, "but the shortest way there is, is the shortest whenever it is seen"


def test_a_page_that_keeps_its_word_back_is_held_to_the_ping_that_followed_the_contact() -> None:
    way_us = [100 * MS]

    def page(evening: Evening, name: str) -> Page:
        never = 10 * SECOND if name == "Bob" else 0
        return Page(evening, name, down=lambda: way_us[0], frame=lambda: never)

    evening, pages = evening_of(deal_of(CLASSIC, HANDS, dealer=3), page=page)
    evening.wait(8 * SECOND)
    way_us[0] = 0  # the line was slow, and is no longer
    pages[1].says(Act(Draw(1)))
    evening.wait(SECOND)
    pages[1].slams()
    evening.wait(CONTACT + 250 * MS)
    pages[2].says(Touch(pages[2].last(Cue).cue, None))
    pages[3].touches()
    evening.wait(SECOND)
    by_server_us = 250 * MS - FRAME_US // 2 - PAINTING_US
    assert [mark.time_us for mark in race(evening).marks] == [by_server_us, 250 * MS]
    assert [mark.doubt is None for mark in race(evening).marks] == [False, True]


def test_a_bots_hand_is_as_fast_however_late_the_table_is_woken() -> None:
    dealt = deal_of(CLASSIC, HANDS, dealer=3)
    bots = {2: Level.SHARP, 3: Level.SHARP}
    evening, _ = slam(dealt, bots=bots, maker=puppets(Puppet(react_ms=260)), lateness=lambda: 97 * MS)
    assert [mark.time_us for mark in race(evening).marks] == [260 * MS, 260 * MS]


def test_what_a_page_owes_to_a_late_table_is_not_held_against_it() -> None:
    evening, pages = evening_of(deal_of(CLASSIC, HANDS, dealer=3), lateness=lambda: 300 * MS)
    pages[1].says(Act(Draw(1)))
    evening.wait(SECOND)
    pages[1].slams()
    evening.until(lambda: pages[2].last(Cue).kind is CueKind.CONTACT)
    evening.later(250 * MS, pages[2].touches)
    evening.later(300 * MS, pages[3].touches)
    evening.wait(5 * SECOND)
    assert [mark.time_us for mark in race(evening).marks] == [250 * MS, 300 * MS], "the contact is when it was shown"
