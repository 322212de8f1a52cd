"""A seat's standing: what only many races show, how much of it is corrected, and what is flagged."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from slamomatic.unit import Flag, Standing, Trace
from slamomatic.unit.evidence import FRAME_US, MOST_FRAME_US, MOST_GRAIN_US
from slamomatic.unit.standing import (
    CLIPPED_US,
    DELAY_LEEWAY_US,
    DETOUR_US,
    HASTE_LEEWAY_US,
    SESSION,
    SLOW_FRAME_US,
    STRIKES,
)
from tests.unit.races import FAIR, MS, Player, fair_trace

ROUGH = fair_trace(Player(300 * MS, grain_us=MOST_GRAIN_US))
"""The same of a page whose clock is coarse."""
TRACES = st.builds(
    replace,
    st.sampled_from((FAIR, ROUGH)),
    haste_us=st.integers(-30 * MS, 30 * MS) | st.integers(-(10**9), 10**9),
    delay_us=st.integers(-30 * MS, 30 * MS) | st.integers(-(10**9), 10**9),
    unrest=st.integers(0, (20 * MS) ** 2),
    frame_us=st.integers(FRAME_US, MOST_FRAME_US),
    late=st.booleans(),
    silent=st.booleans(),
    struck=st.booleans(),
    detour_us=st.integers(-20 * MS, 60 * MS),
)


def standing(*traces: Trace) -> Standing:
    made = Standing()
    for trace in traces:
        made.add(trace)
    return made


def said(of: Standing) -> tuple[object, ...]:
    """All that a standing says."""
    return of.haste_us, of.delay_us, of.strikes, of.is_silent, of.flags()


# What is corrected.


def test_who_is_new_is_believed_and_not_flagged() -> None:
    assert said(Standing()) == (0, 0, 0, False, ())


@pytest.mark.parametrize("races", [1, 5, SESSION, 3 * SESSION])
def test_who_is_fair_is_left_alone_however_long_he_plays(races: int) -> None:
    assert said(standing(*[FAIR] * races)) == (0, 0, 0, False, ())


@given(
    st.lists(st.integers(-CLIPPED_US, HASTE_LEEWAY_US), min_size=1, max_size=SESSION),
    st.lists(st.integers(-CLIPPED_US, DELAY_LEEWAY_US), min_size=1, max_size=SESSION),
    st.integers(0, (20 * MS) ** 2),
)
def test_within_the_leeway_nothing_is_corrected(hastes: list[int], delays: list[int], unrest: int) -> None:
    assert standing(*(replace(FAIR, haste_us=us, unrest=unrest) for us in hastes)).haste_us == 0
    assert standing(*(replace(FAIR, delay_us=us, unrest=unrest) for us in delays)).delay_us == 0


@pytest.mark.parametrize("what", ["haste_us", "delay_us"])
def test_all_of_a_steady_lie_is_corrected_once_chance_does_not_explain_it(what: str) -> None:
    lie_us = 10 * MS
    once, often = (standing(*[replace(FAIR, **{what: lie_us})] * races) for races in (1, SESSION))
    assert getattr(once, what) <= getattr(often, what) == lie_us
    other = {"haste_us", "delay_us"} - {what}
    assert getattr(often, other.pop()) == 0, "each is corrected for what it is"


@given(st.lists(TRACES, max_size=SESSION))
def test_nobody_is_ever_made_faster_nor_slower_than_he_was_seen_to_lie(traces: list[Trace]) -> None:
    made = standing(*traces)
    assert 0 <= made.haste_us <= CLIPPED_US
    assert 0 <= made.delay_us <= CLIPPED_US


@given(st.integers(0, CLIPPED_US), st.integers(0, (20 * MS) ** 2))
def test_many_races_say_more_than_few(lie_us: int, unrest: int) -> None:
    trace = replace(FAIR, haste_us=lie_us, unrest=unrest)
    corrections = [standing(*[trace] * races).haste_us for races in range(SESSION + 1)]
    assert corrections == sorted(corrections)


@given(st.integers(0, CLIPPED_US), st.integers(0, (20 * MS) ** 2), st.integers(0, (20 * MS) ** 2))
def test_a_restless_line_explains_more(lie_us: int, unrest: int, more: int) -> None:
    calm, restless = (
        standing(*[replace(FAIR, haste_us=lie_us, delay_us=lie_us, unrest=each)] * SESSION)
        for each in (unrest, unrest + more)
    )
    assert restless.haste_us <= calm.haste_us
    assert restless.delay_us <= calm.delay_us


def test_a_coarse_clock_explains_more_and_so_does_a_slow_screen() -> None:
    fine, coarse = (standing(*[replace(trace, haste_us=6 * MS)] * 5) for trace in (FAIR, ROUGH))
    assert coarse.haste_us < fine.haste_us
    quick, slow = (
        standing(*[replace(FAIR, delay_us=8 * MS, frame_us=frame_us)] * 5) for frame_us in (FRAME_US, MOST_FRAME_US)
    )
    assert slow.delay_us < quick.delay_us


@pytest.mark.parametrize("what", ["haste_us", "delay_us"])
def test_one_wild_race_pulls_no_further_than_any_other_far_off_one(what: str) -> None:
    wild, far = (standing(*[FAIR] * 9, replace(FAIR, **{what: us})) for us in (10**9, CLIPPED_US))
    assert said(wild) == said(far)


# What is remembered.


@given(st.lists(TRACES, max_size=2 * SESSION), st.lists(TRACES, min_size=SESSION, max_size=SESSION))
def test_only_the_last_races_are_remembered(before: list[Trace], last: list[Trace]) -> None:
    made = standing(*before, *last)
    assert said(made) == said(standing(*last))
    assert made.races == len(before) + len(last)


@given(st.lists(TRACES, max_size=SESSION), st.randoms(use_true_random=False))
def test_the_order_of_the_remembered_races_does_not_matter(traces: list[Trace], chance: object) -> None:
    shuffled = traces.copy()
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert said(standing(*traces)) == said(standing(*shuffled))


def test_strikes_are_counted_and_forgotten() -> None:
    struck = replace(FAIR, struck=True)
    assert standing(struck, FAIR, struck).strikes == 2
    assert standing(struck, struck, *[FAIR] * SESSION).strikes == 0


@pytest.mark.parametrize(
    ("silent", "kept_on", "is_silent"),
    [(STRIKES, 0, True), (STRIKES - 1, 0, False), (STRIKES, STRIKES - 1, True), (STRIKES, STRIKES, False)],
)
def test_silent_is_who_was_so_several_times_and_in_most_races(silent: int, kept_on: int, is_silent: bool) -> None:
    assert standing(*[replace(FAIR, silent=True)] * silent, *[FAIR] * kept_on).is_silent == is_silent


# What is flagged.

ODD = {
    Flag.STRIKES: [replace(FAIR, struck=True)] * STRIKES + [FAIR] * (SESSION - STRIKES),
    Flag.HASTE: [replace(FAIR, haste_us=10 * MS)] * SESSION,
    Flag.DELAY: [replace(FAIR, late=True)] * SESSION,
    Flag.SILENCE: [replace(FAIR, silent=True)] * SESSION,
    Flag.FRAMES: [replace(FAIR, frame_us=SLOW_FRAME_US + 1)] * SESSION,
    Flag.DETOUR: [replace(FAIR, detour_us=DETOUR_US + 1)] * SESSION,
}


def test_there_is_a_way_to_earn_each_flag() -> None:
    assert set(ODD) == set(Flag)


@pytest.mark.parametrize("flag", Flag)
def test_what_is_odd_is_flagged_once_there_were_enough_races_and_until_they_are_over(flag: Flag) -> None:
    traces = ODD[flag]
    assert standing(*traces[:-1]).flags() == ()
    assert standing(*traces).flags() == (flag,)
    assert standing(*traces, *[FAIR] * SESSION).flags() == ()


def test_a_small_steady_lie_is_flagged_that_no_single_race_shows() -> None:
    assert standing(*[replace(FAIR, haste_us=3 * MS)] * SESSION).flags() == (Flag.HASTE,)


def test_on_a_restless_line_the_same_is_no_more_than_chance() -> None:
    unrest = (20 * MS) ** 2
    traces = [replace(FAIR, haste_us=3 * MS + us, unrest=unrest) for us in (-12 * MS, 0, 12 * MS)] * SESSION
    assert standing(*traces).flags() == ()


def test_fewer_strikes_are_not_flagged() -> None:
    few = [replace(FAIR, struck=True)] * (STRIKES - 1) + [FAIR] * (SESSION - STRIKES + 1)
    assert standing(*few).flags() == ()


def test_a_detour_in_half_of_the_races_is_none() -> None:
    some = [replace(FAIR, detour_us=50 * MS)] * (SESSION // 2) + [FAIR] * (SESSION - SESSION // 2)
    assert standing(*some).flags() == ()


@given(st.lists(TRACES, max_size=SESSION - 1))
def test_nobody_is_flagged_before_there_were_enough_races(traces: list[Trace]) -> None:
    assert standing(*traces).flags() == ()
