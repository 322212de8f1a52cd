"""The unit rule by rule: whose hand was last, and what it does not pretend to know."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from slamomatic.game.edition import Edition
from slamomatic.game.verdict import Action, Verdict, possible
from slamomatic.unit import Race
from slamomatic.unit.adjudicator import PAINT_US, PRESS_NEWS_US, TAU_US
from tests.unit.races import (
    CLASSIC_RULES,
    CONTACT,
    MODERN_RULES,
    MS,
    Signal,
    editions,
    hear,
    race,
    rules_of,
    signals,
)

SEATS = st.sets(st.integers(1, 4), min_size=0, max_size=3).map(lambda seats: tuple(sorted(seats)))
ACTIONS = st.sampled_from(tuple(Action))
STRICT = replace(CLASSIC_RULES, duel_limit_us=0)


def verdict(run: Race) -> Verdict:
    return run.judge().verdict


def times_ms(run: Race) -> list[float | None]:
    return [None if reading.time_us is None else reading.time_us / MS for reading in run.judge().readings]


# What always holds.


@given(editions(), SEATS, ACTIONS, signals())
def test_every_verdict_is_one_the_rules_know(
    edition: Edition, seats: tuple[int, ...], action: Action, heard: list[Signal]
) -> None:
    run = Race(seats, rules_of(edition), dict.fromkeys(seats, 100 * MS))
    hear(run, heard, action)
    assert run.judge().verdict in possible(edition, seats, action)


@given(editions(), SEATS, ACTIONS, signals(), st.integers(-(10**12), 10**12))
def test_the_clock_may_read_anything(
    edition: Edition, seats: tuple[int, ...], action: Action, heard: list[Signal], shift_us: int
) -> None:
    now, then = (Race(seats, rules_of(edition), dict.fromkeys(seats, 100 * MS)) for _ in range(2))
    hear(now, heard, action)
    hear(then, heard, action, shift_us)
    assert now.judge() == then.judge()
    settles_us = now.settles_us()
    assert settles_us is not None
    assert then.settles_us() == settles_us + shift_us


@given(editions(), SEATS, ACTIONS, signals(), st.integers(0, 3_600_000))
def test_every_race_is_settled_in_time_however_slow_a_connection_makes_itself_look(
    edition: Edition, seats: tuple[int, ...], action: Action, heard: list[Signal], slow_rtt_ms: int
) -> None:
    rules = rules_of(edition)
    run = Race(seats, rules, dict.fromkeys(seats, slow_rtt_ms * MS))
    hear(run, heard, action)
    settles_us = run.settles_us()
    assert settles_us is not None
    assert CONTACT <= settles_us <= CONTACT + rules.window_us + rules.full_press_us + PRESS_NEWS_US


@given(
    st.lists(st.integers(100, 400), min_size=2, max_size=3),
    st.lists(st.integers(0, 150), min_size=3, max_size=3),
    st.lists(st.integers(0, 150), min_size=3, max_size=3),
)
def test_the_way_of_the_packets_cancels_out(reactions: list[int], down: list[int], up: list[int]) -> None:
    near = race(*reactions)
    far = race(*reactions, down_ms=tuple(down[: len(reactions)]), up_ms=tuple(up[: len(reactions)]))
    assert far.judge() == near.judge()


def test_a_hovering_hand_cannot_be_judged() -> None:
    run = Race((2, 3), CLASSIC_RULES, {2: 0, 3: 0})
    assert run.settles_us() is None
    with pytest.raises(RuntimeError, match="still hovers"):
        run.judge()


# Who is last.


def test_b5_the_slowest_hand_is_last() -> None:
    assert verdict(race(250, 310, 280)) == Verdict(last=(3,))


def test_a_touch_counts_once_and_the_first_one_counts() -> None:
    run = race(250, None)
    assert not run.touched(2, CONTACT + 100 * MS, None)
    assert run.touched(3, CONTACT + 300 * MS, None)
    assert not run.touched(3, CONTACT + 200 * MS, None)
    assert times_ms(run) == [250, 300]


def test_b9_who_takes_no_part_is_not_heard() -> None:
    run = race(250, 300)
    for stranger in (1, 4):
        assert not run.touched(stranger, CONTACT, None)
        run.shown(stranger, CONTACT, 0)
        run.answered(stranger, CONTACT, CONTACT)
    assert verdict(run) == Verdict(last=(3,))


def test_b10_without_opponents_there_is_nothing_to_judge_and_nothing_to_wait_for() -> None:
    for action in Action:
        run = race(rules=MODERN_RULES, action=action, held_ms=0)
        assert run.judge().verdict == Verdict()
        assert run.settles_us() == CONTACT


def test_b12_who_has_not_touched_when_the_window_closes_is_last() -> None:
    run = race(250, None)
    assert verdict(run) == Verdict(last=(3,))
    assert run.settles_us() == CONTACT + 2_500 * MS


def test_b12_all_who_have_not_touched_are_last() -> None:
    assert verdict(race(None, 900, None)) == Verdict(last=(2, 4))
    assert verdict(race(None, None, None)) == Verdict(last=(2, 3, 4))


@pytest.mark.parametrize(("reaction_ms", "last"), [(100, ()), (400, ()), (400.001, (2,)), (None, (2,))])
def test_b15_an_only_opponent_has_the_duel_limit(reaction_ms: float | None, last: tuple[int, ...]) -> None:
    assert verdict(race(reaction_ms)) == Verdict(last=last)


def test_b15_without_a_limit_an_only_opponent_is_always_last() -> None:
    assert verdict(race(1, rules=STRICT)) == Verdict(last=(2,))


def test_b15_an_only_opponent_never_jams() -> None:
    assert not verdict(race(400)).jam


# Early.


def test_who_touches_before_his_page_has_shown_the_contact_was_early() -> None:
    run = Race((2, 3), MODERN_RULES, {2: 400 * MS, 3: 400 * MS})
    run.ended(Action.SLAM, CONTACT)
    run.touched(2, CONTACT + 90 * MS, 300 * MS)
    run.shown(2, CONTACT + 90 * MS + 1, 0)
    run.shown(3, CONTACT + 100 * MS, 0)
    run.touched(3, CONTACT + 400 * MS, -50 * MS)
    assert verdict(run) == Verdict(early=(2,), last=(3,))


def test_c6_an_early_touch_counts_as_its_time_says() -> None:
    assert verdict(race(-50, 200)) == Verdict(early=(2,), last=(3,))
    assert verdict(race(-50, -100)) == Verdict(early=(2, 3), last=(2,))


def test_m10_an_early_hand_is_down_and_cannot_be_last() -> None:
    assert verdict(race(-50, 200, rules=MODERN_RULES)) == Verdict(early=(2,), last=(3,))
    assert verdict(race(-50, -100, rules=MODERN_RULES)) == Verdict(early=(2, 3))


def test_m10_an_early_hand_jams_with_nobody() -> None:
    assert verdict(race(-1, 1, rules=MODERN_RULES)) == Verdict(early=(2,), last=(3,))
    assert verdict(race(-1, 1)) == Verdict(early=(2,), jam=True), "C6: there its time counts"


def test_m10_the_silent_are_last_beside_the_early() -> None:
    assert verdict(race(-50, None, 200, rules=MODERN_RULES)) == Verdict(early=(2,), last=(3,))


# Jams.


@pytest.mark.parametrize(("apart_ms", "jam"), [(0, True), (4.999, True), (5, False), (6, False)])
def test_what_is_closer_than_tau_jams(apart_ms: float, jam: bool) -> None:
    assert verdict(race(300 - apart_ms, 300)) == (Verdict(jam=True) if jam else Verdict(last=(3,)))
    assert race(300, 300).judge().tau_us == TAU_US == 5 * MS


def test_only_the_two_last_can_jam() -> None:
    assert verdict(race(250, 250, 300)) == Verdict(last=(4,))
    assert verdict(race(250, 300, 300)) == Verdict(jam=True)


def test_nobody_jams_with_the_silent() -> None:
    assert verdict(race(250, 250, None)) == Verdict(last=(4,))


# Short presses.


@pytest.mark.parametrize(("held_ms", "short"), [(0, True), (29, True), (30, False), (None, False)])
def test_m8_a_press_is_short_if_it_is_released_too_soon(held_ms: int | None, short: bool) -> None:
    judgement = race(250, 300, rules=MODERN_RULES, held_ms=held_ms).judge()
    assert judgement.verdict == (Verdict(short=True) if short else Verdict(last=(3,)))
    assert (judgement.readings == ()) == short, "nothing else of that action counts"


def test_m8_the_first_release_counts() -> None:
    run = race(250, 300, rules=MODERN_RULES, held_ms=10)
    run.released(60 * MS)
    assert verdict(run) == Verdict(short=True)


def test_m8_without_a_full_press_there_is_no_short_one() -> None:
    assert verdict(race(250, 300, held_ms=0)) == Verdict(last=(3,))


# Fakes.


@pytest.mark.parametrize(("reaction_ms", "fooled"), [(-400, True), (0, True), (349, True), (350, False), (None, False)])
def test_b8_who_touches_before_the_hand_is_back_has_fallen_for_it(reaction_ms: int | None, fooled: bool) -> None:
    run = race(reaction_ms, None, action=Action.FAKE, down_ms=(70, 0), up_ms=(70, 0))
    assert verdict(run) == Verdict(early=(2,) if fooled else ())


def test_b8_all_who_fell_for_it_are_told() -> None:
    assert verdict(race(-50, None, 100, action=Action.FAKE)) == Verdict(early=(2, 4))


def test_b8_on_a_fake_nobody_is_last_and_nothing_jams() -> None:
    assert verdict(race(100, 100, action=Action.FAKE)) == Verdict(early=(2, 3))


def test_m8_a_fake_has_no_press() -> None:
    assert verdict(race(None, action=Action.FAKE, rules=MODERN_RULES, held_ms=0)) == Verdict()


# A page that keeps its word back.


def kept_back(touch_ms: int, shown_ms: int | None, *, answered_ms: int | None = None, slow_ms: int = 40) -> Race:
    """Hand 2's page shows the contact at once; its word comes so late, if at all. Hand 3 touches after 200 ms."""
    run = Race((2, 3), CLASSIC_RULES, {2: slow_ms * MS, 3: 40 * MS})
    run.ended(Action.SLAM, CONTACT)
    run.shown(3, CONTACT, 0)
    if answered_ms is not None:
        run.answered(2, CONTACT, CONTACT + answered_ms * MS)
    run.touched(3, CONTACT + 200 * MS, None)
    words = [("touch", touch_ms)] + ([] if shown_ms is None else [("shown", shown_ms)])
    for what, at_ms in sorted(words, key=lambda word: word[1]):
        if what == "touch":
            run.touched(2, CONTACT + at_ms * MS, None)
        else:
            run.shown(2, CONTACT + at_ms * MS, 0)
    return run


@given(st.integers(150, 600), st.one_of(st.none(), st.integers(0, 2_000)))
def test_a_page_that_keeps_its_word_back_gains_a_slow_round_trip_and_a_few_frames_at_most(
    touch_ms: int, shown_ms: int | None
) -> None:
    time_ms = times_ms(kept_back(touch_ms, shown_ms))[0]
    assert time_ms is not None
    assert touch_ms - 40 - PAINT_US / MS <= time_ms <= touch_ms


@given(st.integers(150, 600), st.one_of(st.none(), st.integers(0, 2_000)), st.integers(0, 300))
def test_an_answered_ping_bounds_it_closer(touch_ms: int, shown_ms: int | None, answered_ms: int) -> None:
    time_ms = times_ms(kept_back(touch_ms, shown_ms, answered_ms=answered_ms, slow_ms=300))[0]
    assert time_ms is not None
    assert time_ms >= touch_ms - min(answered_ms, 300) - PAINT_US / MS


def test_a_ping_sent_before_the_cue_proves_nothing() -> None:
    run = Race((2,), CLASSIC_RULES, {2: 300 * MS})
    run.answered(2, CONTACT - 20 * MS, CONTACT - 10 * MS)
    run.ended(Action.SLAM, CONTACT)
    run.answered(2, CONTACT - 1, CONTACT + 1)
    run.touched(2, CONTACT + 500 * MS, None)
    assert times_ms(run) == [500 - 300 - PAINT_US / MS]


def test_a_later_ping_does_not_lengthen_it() -> None:
    run = kept_back(300, None, answered_ms=10, slow_ms=300)
    run.answered(2, CONTACT + MS, CONTACT + 250 * MS)
    assert times_ms(run)[0] == 300 - 10 - PAINT_US / MS


def test_to_touch_first_and_say_so_afterwards_is_not_to_be_early() -> None:
    run = kept_back(260, 261)
    assert not run.judge().readings[0].early
    assert times_ms(run)[0] == 260 - 40 - PAINT_US / MS


def test_what_was_not_taken_as_it_came_has_a_note() -> None:
    assert kept_back(260, 261).judge().readings[0].note is not None
    assert kept_back(260, None).judge().readings[0].note is not None
    assert kept_back(260, 20).judge().readings[0].note is None


def test_only_the_first_word_counts() -> None:
    run = kept_back(300, 10)
    run.shown(2, CONTACT + 90 * MS, 0)
    assert times_ms(run)[0] == 290


def test_a_word_before_the_hand_has_landed_is_no_word() -> None:
    run = Race((2,), CLASSIC_RULES, {2: 40 * MS})
    run.shown(2, CONTACT - MS, 0)
    run.ended(Action.SLAM, CONTACT)
    run.shown(2, CONTACT + 20 * MS, 0)
    run.touched(2, CONTACT + 220 * MS, None)
    assert times_ms(run) == [200]


# When it is settled.


def test_a_race_is_settled_with_the_last_touch() -> None:
    run = race(250, None)
    run.touched(3, CONTACT + 700 * MS, None)
    settles_us = run.settles_us()
    assert settles_us is not None
    assert settles_us <= CONTACT + 700 * MS


def test_an_early_hand_waits_for_its_pages_word() -> None:
    run = Race((2,), CLASSIC_RULES, {2: 100 * MS})
    run.touched(2, CONTACT - 50 * MS, None)
    run.ended(Action.SLAM, CONTACT)
    assert run.settles_us() == CONTACT + 100 * MS + PAINT_US
    run.shown(2, CONTACT + 70 * MS, 0)
    assert run.settles_us() == CONTACT + 70 * MS
    assert times_ms(run) == [-120]


def test_m8_a_race_waits_for_the_news_of_the_press() -> None:
    run = race(50, 80, rules=MODERN_RULES, held_ms=None)
    assert run.settles_us() == CONTACT + 30 * MS + PRESS_NEWS_US
    run.released(60 * MS)
    assert run.settles_us() == CONTACT


def test_b8_a_fake_is_settled_when_nobody_can_be_fooled_any_more() -> None:
    run = race(None, None, action=Action.FAKE, down_ms=(10, 50), up_ms=(10, 50))
    assert run.settles_us() == CONTACT + 100 * MS + 350 * MS
    run.touched(3, CONTACT + 200 * MS, None)
    assert run.settles_us() == CONTACT + 20 * MS + 350 * MS
