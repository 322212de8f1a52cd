"""What the unit believes of one hand: all that an honest page says, and of a lie no more than its connection allows."""

from __future__ import annotations

from functools import partial
from operator import add

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from slamomatic.table.timing import TRAIN_US
from slamomatic.unit import Doubt, Hand, Network
from slamomatic.unit.evidence import (
    COARSE_US,
    FRAME_US,
    HANDLING_US,
    IMPOSSIBLE_US,
    LATE_US,
    MOST_FRAME_US,
    MOST_GRAIN_US,
    MOST_RTT_US,
    SILENCE_US,
    SLACK_US,
    TOO_LATE_US,
    Heard,
    heard,
    seen_us,
)
from slamomatic.unit.signals import Signals
from slamomatic.unit.standing import SESSION, STRIKES
from tests.unit.races import (
    CONTACT,
    FAIR,
    GRAIN_US,
    MS,
    REACTIONS_US,
    WAITS_US,
    Line,
    Player,
    hand_on,
    honest,
    liars,
    lines,
    ms,
    read,
    signals_of,
    steady_lines,
    struck_hand,
)

LEAST_GAIN_US = TRAIN_US + SLACK_US
"""Between two pings of the train nothing is proved, and the path is given its slack: so much any claim can gain."""
MOST_GAIN_US = FRAME_US + LATE_US + LEAST_GAIN_US
"""And a word kept back gains a frame at most, and what is left of that limit."""

SHAVABLE_MS = 308
"""Who touches so long after the cue on a quiet line does so just before a ping comes in: that proves least,"""
PROVED_MS = 299
"""and who touches then, just after one: that proves most."""


def struck(found: Heard) -> bool:
    """Whether the race will be counted as a strike."""
    return found.trace is not None and found.trace.struck


# An honest page is believed.


@given(honest())
def test_an_honest_hand_on_any_ordered_path_is_read_exactly(player: Player) -> None:
    """What the stream proves never contradicts the truth once the lowest round trip is known: no spike can hurt it."""
    found = read(player)
    assert found.time_us == player.reaction_us
    assert (found.early, found.doubt, found.forgiven_us) == (False, None, None)
    assert not struck(found)


@given(honest(), st.integers(0, 60 * MS))
def test_a_path_not_yet_seen_at_its_best_costs_no_more_than_it_was_taken_for_longer(
    player: Player, over_us: int
) -> None:
    assert player.reaction_us is not None
    network = Network()
    network.pong(0, player.line.rtt_us + over_us)
    time_us = read(player, Hand(network)).time_us
    assert abs(time_us - player.reaction_us) <= max(0, over_us - SLACK_US)


@given(honest(), st.integers(-MOST_GRAIN_US, MOST_GRAIN_US), st.integers(0, MOST_GRAIN_US))
def test_a_clocks_rounding_is_within_the_band(player: Player, error_us: int, more_us: int) -> None:
    grain_us = min(MOST_GRAIN_US, abs(error_us) + more_us)
    rounded = player._replace(grain_us=grain_us, claim=lambda us: us + error_us)
    found = read(rounded)
    assert player.reaction_us is not None
    off_us = abs(found.time_us - player.reaction_us)
    if found.doubt is None:
        assert off_us <= (2 * found.band_us + 3 if grain_us > COARSE_US else found.band_us)
    assert off_us <= grain_us
    assert not struck(found)


@pytest.mark.parametrize("grain_us", [GRAIN_US, 1_000, COARSE_US, COARSE_US + 1, FRAME_US, MOST_GRAIN_US])
def test_nobody_is_struck_for_his_clock(grain_us: int) -> None:
    assert not struck(read(ms(PROVED_MS)._replace(grain_us=grain_us, claim=lambda us: us - grain_us)))


@given(honest(), st.integers(0, 500 * MS), st.integers(0, 500 * MS))
def test_a_spike_on_the_way_is_believed_for_the_pongs_behind_it_tell(
    player: Player, word_us: int, touch_us: int
) -> None:
    found = read(player._replace(word_held_us=word_us, touch_held_us=touch_us))
    assert found.time_us == player.reaction_us
    assert found.doubt is None
    assert not struck(found)


@given(steady_lines(), WAITS_US, REACTIONS_US)
def test_where_the_player_sits_makes_no_difference(line: Line, wait_us: int, reaction_us: int) -> None:
    near = read(Player(reaction_us))
    far = read(Player(reaction_us, line, wait_us))
    assert (far.time_us, far.band_us, far.doubt) == (near.time_us, near.band_us, near.doubt)


@given(lines(), st.integers(0, MOST_FRAME_US), REACTIONS_US)
def test_a_slow_screen_is_no_lie(line: Line, wait_us: int, reaction_us: int) -> None:
    found = read(Player(reaction_us, line, wait_us, frame_us=MOST_FRAME_US))
    assert found.doubt is None
    assert not struck(found)
    assert abs(found.time_us - reaction_us) <= found.band_us + found.slow_us


def test_a_page_without_a_clock_is_timed_by_its_arrivals() -> None:
    found = read(ms(300)._replace(claim=lambda _: None))
    assert found.time_us == 300 * MS - HANDLING_US
    assert found.doubt is None


def test_a_fine_clocks_grain_is_its_band() -> None:
    assert read(ms(300)._replace(grain_us=1_000)).band_us == 1_000
    assert read(ms(300)._replace(grain_us=COARSE_US)).band_us == COARSE_US


def test_of_a_coarse_clocks_span_the_middle_of_what_is_possible_is_taken() -> None:
    """The path itself rules much of it out: the touch came between two pings."""
    for error_us in (-MOST_GRAIN_US, 0, MOST_GRAIN_US):
        found = read(ms(300)._replace(grain_us=MOST_GRAIN_US, claim=partial(add, error_us)))
        assert found.doubt is None
        assert 0 < found.band_us <= MOST_GRAIN_US // 2
        assert abs(found.time_us - 300 * MS) <= 2 * found.band_us + 3


# A lie is cut to what is possible.


def test_a_claim_below_what_the_stream_proves_is_cut_to_it() -> None:
    found = read(ms(300)._replace(claim=lambda us: us - 60 * MS))
    assert 300 * MS - LEAST_GAIN_US <= found.time_us <= 300 * MS - SLACK_US
    assert found.doubt is Doubt.CLAIM


def test_a_claim_above_what_the_stream_proves_is_cut_to_it() -> None:
    late = Player(300 * MS, wait_us=FRAME_US, claim=lambda us: us + 60 * MS)
    assert 300 * MS + SLACK_US <= read(late).time_us <= 300 * MS + LEAST_GAIN_US


@pytest.mark.parametrize("grain_us", [GRAIN_US, MOST_GRAIN_US])
def test_a_path_taken_for_far_longer_than_it_is_makes_no_touch_earlier_than_the_word_before_it(grain_us: int) -> None:
    """As where a connection is new, and its only round trip so far was a spike."""
    signals = signals_of(ms(300)._replace(grain_us=grain_us))
    signals.hand.network = Network()
    signals.hand.network.pong(0, 1_200 * MS)
    signals.touch_witness_us = signals.shown_witness_us = CONTACT - 2_000 * MS
    assert signals.claim_us is not None
    assert abs(heard(signals).time_us - signals.claim_us) <= grain_us


@given(steady_lines(), WAITS_US, REACTIONS_US, st.integers(-5_000 * MS, 5_000 * MS))
def test_whatever_it_claims_a_page_gains_no_more_than_the_trains_interval(
    line: Line, wait_us: int, reaction_us: int, claim_us: int
) -> None:
    time_us = read(Player(reaction_us, line, wait_us, claim=lambda _: claim_us)).time_us
    assert reaction_us - LEAST_GAIN_US <= time_us <= reaction_us + LEAST_GAIN_US


@given(st.data(), steady_lines())
def test_whatever_it_says_and_whenever_a_page_gains_no_more_than_a_frame_beyond_that(
    data: st.DataObject, line: Line
) -> None:
    """And a touch before the painting is early, whatever it says of it."""
    player = data.draw(liars(st.just(line)))._replace(frame_us=FRAME_US)
    found = read(player)
    assert player.reaction_us is not None
    assert found.time_us >= player.reaction_us - MOST_GAIN_US
    assert found.early or player.reaction_us >= 0


@given(liars(lines()), st.integers(0, STRIKES - 2), st.integers(0, 2_000 * MS))
def test_a_lower_claim_never_gives_a_later_time(player: Player, strikes: int, lower_us: int) -> None:
    """Short of the third strike, which is the price of it."""
    claim = player.claim

    def lower(us: int) -> int | None:
        claim_us = claim(us)
        return None if claim_us is None else claim_us - lower_us

    one = read(player, struck_hand(strikes, player.line))
    other = read(player._replace(claim=lower), struck_hand(strikes, player.line))
    assert other.time_us <= one.time_us
    assert other.early == one.early


@given(liars(lines()), st.integers(0, STRIKES - 2), st.integers(0, 500 * MS))
def test_a_later_touch_never_gets_an_earlier_time(player: Player, strikes: int, later_us: int) -> None:
    """The page having said the same of it, and at the same time, and before it."""
    assert player.reaction_us is not None
    told = player.claim(player.reaction_us)
    same = player._replace(claim=lambda _: told)
    later = same._replace(reaction_us=player.reaction_us + later_us)
    hands = [struck_hand(strikes, player.line) for _ in range(2)]
    signals = [signals_of(each, hand) for each, hand in zip((same, later), hands, strict=True)]
    if not signals[0].touched_unseen and not signals[1].touched_unseen:
        one, other = map(heard, signals)
        assert other.time_us >= one.time_us


@pytest.mark.parametrize("said_us", [MOST_GRAIN_US, MOST_GRAIN_US + 1, 60_000 * MS])
def test_no_clock_is_believed_to_be_coarser_than_a_frame(said_us: int) -> None:
    shave = ms(300)._replace(claim=lambda _: 0)
    assert read(shave._replace(grain_us=said_us)) == read(shave._replace(grain_us=MOST_GRAIN_US))


def test_no_screen_is_believed_to_be_slower_than_thirty_frames_a_second() -> None:
    late = ms(300)._replace(word_us=100 * MS)
    assert read(late._replace(frame_us=60_000 * MS)) == read(late._replace(frame_us=MOST_FRAME_US))


def test_no_screen_is_held_to_be_faster_than_sixty_frames_a_second() -> None:
    late = ms(300)._replace(word_us=15 * MS)
    assert read(late._replace(frame_us=0)) == read(late._replace(frame_us=FRAME_US))


# A word kept back.


def test_a_late_word_is_read_as_if_it_had_come_when_an_honest_one_would_at_the_latest() -> None:
    found = read(ms(300)._replace(word_us=100 * MS))
    assert found.doubt is Doubt.LATE_WORD
    assert 300 * MS - MOST_GAIN_US <= found.time_us < 300 * MS
    later = read(ms(300)._replace(word_us=200 * MS))
    assert later.time_us == found.time_us, "how late it was gains nothing more"


@given(lines(), WAITS_US, REACTIONS_US, st.integers(0, 300 * MS))
def test_a_word_held_up_on_its_way_costs_nothing(line: Line, wait_us: int, reaction_us: int, held_us: int) -> None:
    found = read(Player(reaction_us, line, wait_us, word_held_us=held_us))
    assert found.time_us == reaction_us
    assert found.doubt is None


def test_a_word_a_little_late_is_no_strike() -> None:
    found = read(Player(300 * MS, wait_us=0, word_us=FRAME_US + TOO_LATE_US - TRAIN_US))
    assert not struck(found)


def test_who_touches_first_and_then_says_that_it_had_seen_is_not_early() -> None:
    found = read(ms(250)._replace(word_us=251 * MS))
    assert not found.early
    assert found.doubt is Doubt.LATE_WORD
    assert found.time_us >= 250 * MS - MOST_GAIN_US


def test_so_is_who_never_says_anything() -> None:
    found = read(ms(250)._replace(word_us=None))
    assert not found.early
    assert found.doubt is Doubt.LATE_WORD
    assert found.time_us >= 250 * MS - MOST_GAIN_US


def test_a_touch_just_before_a_late_word_is_timed_by_the_server() -> None:
    """Too late to be early, too soon to prove that the word was kept back."""
    found = read(Player(FRAME_US + LATE_US + MS, wait_us=0, word_us=FRAME_US + LATE_US + 2 * MS))
    assert found.doubt is Doubt.UNSEEN
    assert not found.early
    assert not struck(found)


# Strikes.


def test_what_no_connection_explains_is_a_strike() -> None:
    assert struck(read(ms(300)._replace(claim=lambda _: 0)))
    assert struck(read(ms(300)._replace(word_us=100 * MS)))
    assert struck(read(ms(250)._replace(word_us=None)))


def test_a_claim_a_little_below_what_is_proved_is_cut_and_no_strike() -> None:
    least_us = read(ms(300)._replace(claim=lambda _: 0)).time_us
    little = read(ms(300)._replace(claim=lambda _: least_us - IMPOSSIBLE_US))
    more = read(ms(300)._replace(claim=lambda _: least_us - IMPOSSIBLE_US - 1))
    assert little.time_us == more.time_us == least_us
    assert (little.doubt, more.doubt) == (None, Doubt.CLAIM)
    assert (struck(little), struck(more)) == (False, True)
    assert little.forgiven_us is None
    assert little.band_us == 0, "what is off is its own doing"


def test_a_coarse_clocks_grain_is_no_strike_but_what_is_beyond_is() -> None:
    coarse = ms(300)._replace(grain_us=MOST_GRAIN_US)
    assert not struck(read(coarse._replace(claim=lambda us: us - MOST_GRAIN_US)))
    below_us = LEAST_GAIN_US + IMPOSSIBLE_US + MOST_GRAIN_US
    assert struck(read(coarse._replace(claim=lambda us: us - below_us - 1)))


@pytest.mark.parametrize("strikes", range(STRIKES - 1))
def test_a_first_and_a_second_strike_can_be_forgiven(strikes: int) -> None:
    found = read(ms(300)._replace(claim=lambda _: 0), struck_hand(strikes))
    assert found.forgiven_us == 0, "what it claimed"
    assert found.time_us > 0
    assert found.doubt is Doubt.CLAIM


@given(st.integers(-1_000 * MS, 300 * MS - LEAST_GAIN_US - IMPOSSIBLE_US - 1))
def test_from_the_third_strike_on_the_server_alone_times_that_hand(claim_us: int) -> None:
    found = read(ms(300)._replace(claim=lambda _: claim_us), struck_hand(STRIKES - 1))
    assert found == read(ms(300)._replace(claim=lambda _: 0), struck_hand(STRIKES - 1))._replace(trace=found.trace)
    assert found.doubt is Doubt.TIMED_BY_SERVER
    assert found.forgiven_us is None
    assert abs(found.time_us - 300 * MS) <= FRAME_US


@given(st.integers(-1_000 * MS, 1_000 * MS))
def test_to_be_honest_again_does_not_help_before_the_strikes_are_forgotten(claim_us: int) -> None:
    timed = read(ms(300), struck_hand(STRIKES))
    assert timed.doubt is Doubt.TIMED_BY_SERVER
    assert read(ms(300)._replace(claim=lambda _: claim_us), struck_hand(STRIKES)).time_us == timed.time_us
    hand = struck_hand(STRIKES)
    for _ in range(SESSION):
        hand.standing.add(FAIR)
    assert read(ms(300), hand).doubt is None


# Standing.


def test_a_page_that_was_hasty_before_is_corrected_by_what_its_standing_says() -> None:
    hand = hand_on(Line())
    for _ in range(SESSION):
        hand.standing.add(replace(FAIR, haste_us=8 * MS))
    assert hand.standing.haste_us > 4 * MS
    shaved = ms(SHAVABLE_MS)._replace(claim=lambda us: us - 8 * MS)
    assert read(shaved).time_us == (SHAVABLE_MS - 8) * MS, "nobody knew better"
    assert read(shaved, hand).time_us == (SHAVABLE_MS - 8) * MS + hand.standing.haste_us


def test_a_page_whose_word_was_late_before_is_corrected_by_what_its_standing_says() -> None:
    hand = hand_on(Line())
    for _ in range(SESSION):
        hand.standing.add(replace(FAIR, delay_us=8 * MS))
    assert hand.standing.delay_us > 4 * MS
    assert read(ms(300), hand).time_us == 300 * MS + hand.standing.delay_us


@given(st.integers(0, 10 * MS))
def test_what_a_page_shaves_off_is_in_its_trace(shave_us: int) -> None:
    """Even where nothing of it is cut."""
    fair = read(ms(300)).trace
    found = read(ms(300)._replace(claim=lambda us: us - shave_us)).trace
    assert fair is not None
    assert found is not None
    assert found.haste_us - fair.haste_us == shave_us


@given(st.integers(0, FRAME_US))
def test_how_late_its_word_was_is_in_its_trace(wait_us: int) -> None:
    first, found = (read(Player(300 * MS, wait_us=us)).trace for us in (0, wait_us))
    assert first is not None
    assert found is not None
    assert found.delay_us - first.delay_us == wait_us


def test_a_path_that_is_longer_in_races_is_in_its_trace() -> None:
    quiet, longer = (read(Player(300 * MS, Line(excess_us=(us,)))).trace for us in (0, 15 * MS))
    assert quiet is not None
    assert longer is not None
    assert (quiet.detour_us, quiet.unrest) == (0, 0)
    assert longer.detour_us == 30 * MS
    assert longer.unrest > 0


def test_how_coarse_its_clock_is_is_in_its_trace() -> None:
    fine, coarse = (read(ms(300)._replace(grain_us=us)).trace for us in (GRAIN_US, COARSE_US + 1))
    assert fine is not None
    assert coarse is not None
    assert (fine.grain_us, coarse.grain_us) == (GRAIN_US, COARSE_US + 1)


def test_an_early_touch_leaves_no_trace() -> None:
    assert read(ms(-50)).trace is None


# Early.


@given(st.integers(-250, -1), steady_lines())
def test_who_touches_before_his_page_has_shown_the_contact_was_early(ahead_ms: int, line: Line) -> None:
    found = read(Player(ahead_ms * MS, line))
    assert found.early
    assert found.time_us == ahead_ms * MS
    assert found.doubt is None


def test_a_touch_that_comes_together_with_the_word_but_before_it_was_early() -> None:
    """A line held up brings both at once: what came first is told by the order of the stream, not by the time."""
    found = read(Player(-10 * MS, touch_held_us=300 * MS))
    assert found.early
    assert found.time_us == 0


@given(st.integers(-250, -1), st.integers(-1_000, 1_000))
def test_nothing_a_page_claims_makes_an_early_touch_anything_else(ahead_ms: int, claim_ms: int) -> None:
    signals = signals_of(ms(ahead_ms))
    signals.touch_us = None
    touch_us = CONTACT + 40 * MS + ahead_ms * MS
    early = Signals(hand_on(Line()))
    early.touched(touch_us, claim_ms * MS)
    early.cue_us = CONTACT
    early.answered(CONTACT, CONTACT + 40 * MS)
    early.shown(CONTACT + 40 * MS, FRAME_US, GRAIN_US)
    found = heard(early)
    assert found.early
    assert found.time_us == ahead_ms * MS


def test_how_sure_an_early_time_is_hangs_on_the_path() -> None:
    assert read(ms(-50)).band_us == 0
    assert read(Player(-50 * MS, Line(excess_us=(0, 3 * MS, 9 * MS)))).band_us > MS


# Where there is nothing to check a claim by.


def test_without_any_pong_in_the_race_a_hand_is_timed_by_its_arrivals() -> None:
    """No browser keeps silent so long; and with nothing to check it by a claim could be anything."""
    found = read(ms(300)._replace(is_pinged=False, claim=lambda _: 5 * MS))
    assert found.doubt is Doubt.UNWITNESSED
    assert found.time_us == 300 * MS - HANDLING_US


def test_to_answer_no_ping_at_all_does_not_make_a_connection_look_slow() -> None:
    signals = signals_of(ms(300)._replace(is_pinged=False, claim=lambda _: 5 * MS), Hand())
    found = heard(signals)
    assert found.doubt is Doubt.UNWITNESSED
    assert signals.touch_us is not None
    assert found.time_us == signals.touch_us - (CONTACT + FRAME_US + LATE_US), "its word is due as if it were here"


def test_a_browser_that_was_silent_before_most_touches_has_to_vouch_for_this_one() -> None:
    silent = hand_on(Line())
    for _ in range(STRIKES):
        silent.standing.add(replace(FAIR, silent=True))
    held = ms(300)._replace(touch_held_us=SILENCE_US + TRAIN_US)
    assert read(held).time_us == 300 * MS, "its way up may be held up"
    found = read(held, silent)
    assert found.doubt is Doubt.UNWITNESSED
    assert found.time_us == 300 * MS + held.touch_held_us - HANDLING_US
    vouched = read(ms(300), silent)
    assert (vouched.time_us, vouched.doubt) == (300 * MS, None)


def test_a_browsers_silence_is_in_its_trace() -> None:
    kept_on, silent = (read(ms(300)._replace(touch_held_us=us)).trace for us in (0, SILENCE_US + TRAIN_US))
    assert kept_on is not None
    assert silent is not None
    assert (kept_on.silent, silent.silent) == (False, True)


def test_a_ping_sent_before_the_cue_proves_nothing_of_it() -> None:
    signals = Signals(hand_on(Line()))
    signals.cue_us = CONTACT
    signals.answered(CONTACT - 1, CONTACT + 30 * MS)
    assert seen_us(signals) == CONTACT + 40 * MS + FRAME_US + LATE_US, "as slow as it sometimes is"
    signals.answered(CONTACT, CONTACT + 31 * MS)
    assert seen_us(signals) == CONTACT + 31 * MS + FRAME_US + LATE_US


def test_an_answer_held_back_until_after_the_touch_gives_a_word_no_more_time() -> None:
    signals = Signals(hand_on(Line()))
    signals.cue_us = CONTACT
    signals.touched(CONTACT + 300 * MS, None)
    latest_us = seen_us(signals)
    signals.answered(CONTACT, CONTACT + 301 * MS)
    assert seen_us(signals) == latest_us == CONTACT + 40 * MS + FRAME_US + LATE_US


def test_a_later_pong_does_not_give_a_word_more_time() -> None:
    signals = Signals(hand_on(Line()))
    signals.cue_us = CONTACT
    signals.answered(CONTACT, CONTACT + 40 * MS)
    latest_us = seen_us(signals)
    signals.answered(CONTACT + TRAIN_US, CONTACT + 900 * MS)
    assert seen_us(signals) == latest_us


@given(st.integers(0, 3_600_000 * MS))
def test_however_slow_a_connection_makes_itself_look_its_word_is_waited_for_a_second(rtt_us: int) -> None:
    signals = Signals(hand_on(Line(rtt_us, 0)))
    signals.cue_us = CONTACT
    assert seen_us(signals) <= CONTACT + MOST_RTT_US + FRAME_US + LATE_US


def test_a_word_counts_when_it_comes_and_not_when_it_might_have() -> None:
    signals = signals_of(ms(300))
    assert seen_us(signals) == signals.shown_us


# Bots.


@given(st.integers(-200, 900), st.integers(0, SESSION))
def test_a_bots_hand_is_timed_where_it_moves(reaction_ms: int, strikes: int) -> None:
    signals = Signals(struck_hand(strikes))
    signals.moved_by_server = True
    signals.cue_us = CONTACT
    signals.touched(CONTACT + reaction_ms * MS, None)
    assert heard(signals) == Heard(reaction_ms * MS, early=reaction_ms < 0)
