"""The unit rule by rule: whose hand was last, and what it does not pretend to know."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from slamomatic.game.edition import Edition
from slamomatic.game.verdict import Action, Verdict, possible
from slamomatic.table.timing import TRAIN_US, WAY_BACK_US, WINDOW_US
from slamomatic.unit import Doubt, Hand, Jam, Judgement, Race
from slamomatic.unit.adjudicator import LEAST_TAU_US, PRESS_NEWS_US
from slamomatic.unit.evidence import COARSE_US, FRAME_US, LATE_US, MOST_FRAME_US, MOST_GRAIN_US, MOST_RTT_US
from slamomatic.unit.standing import STRIKES
from tests.unit.races import (
    CLASSIC_RULES,
    CONTACT,
    GRAIN_US,
    MODERN_RULES,
    MS,
    REACTIONS_US,
    Line,
    Noise,
    Player,
    editions,
    hand_on,
    hear,
    honest,
    liars,
    lines,
    ms,
    noises,
    race,
    rules_of,
    steady_lines,
    struck_hand,
)

SEATS = st.sets(st.integers(1, 4), min_size=0, max_size=3).map(lambda seats: tuple(sorted(seats)))
ACTIONS = st.sampled_from(tuple(Action))
STRICT = replace(CLASSIC_RULES, duel_limit_us=0)
LIAR = ms(300)._replace(claim=lambda _: 0)
"""He claims to have touched the moment he saw it."""


def verdict(run: Race) -> Verdict:
    return run.judge().verdict


def times_ms(run: Race) -> list[float | None]:
    return [None if reading.time_us is None else reading.time_us / MS for reading in run.judge().readings]


def unknown(seats: tuple[int, ...]) -> dict[int, Hand]:
    return {seat: Hand() for seat in seats}


# What always holds, whatever arrives.


@given(editions(), SEATS, ACTIONS, noises())
def test_every_verdict_is_one_the_rules_know(
    edition: Edition, seats: tuple[int, ...], action: Action, noise: list[Noise]
) -> None:
    run = Race(seats, rules_of(edition), unknown(seats))
    hear(run, seats, noise, action)
    assert run.judge().verdict in possible(edition, seats, action)


@given(editions(), ACTIONS, st.lists(liars(lines()), min_size=1, max_size=3))
def test_every_verdict_on_liars_is_one_the_rules_know(edition: Edition, action: Action, players: list[Player]) -> None:
    seats = tuple(range(2, 2 + len(players)))
    hands = {seat: struck_hand(seat - 1) for seat in seats}
    judgement = race(*players, rules=rules_of(edition), action=action, hands=hands).judge()
    assert judgement.verdict in possible(edition, seats, action)
    assert (judgement.jam is not None) == judgement.verdict.jam == bool(judgement.alike)
    if action is Action.FAKE:
        assert judgement.traces == {}, "who is fooled is not racing"


@given(editions(), SEATS, ACTIONS, noises(), st.integers(-(10**12), 10**12))
def test_the_clock_may_read_anything(
    edition: Edition, seats: tuple[int, ...], action: Action, noise: list[Noise], shift_us: int
) -> None:
    now, then = (Race(seats, rules_of(edition), unknown(seats)) for _ in range(2))
    hear(now, seats, noise, action)
    hear(then, seats, noise, action, shift_us)
    assert now.judge() == then.judge()
    settles_us = now.settles_us()
    assert settles_us is not None
    assert then.settles_us() == settles_us + shift_us


@given(editions(), SEATS, ACTIONS, noises(), st.integers(0, 3_600_000 * MS))
def test_every_race_is_settled_in_time_however_slow_a_connection_makes_itself_look(
    edition: Edition, seats: tuple[int, ...], action: Action, noise: list[Noise], rtt_us: int
) -> None:
    rules = rules_of(edition)
    run = Race(seats, rules, {seat: hand_on(Line(rtt_us, 0)) for seat in seats})
    hear(run, seats, noise, action)
    settles_us = run.settles_us()
    assert settles_us is not None
    latest_us = max(rules.window_us, rules.full_press_us + PRESS_NEWS_US, MOST_RTT_US + 2 * WAY_BACK_US)
    assert CONTACT <= settles_us <= CONTACT + latest_us + 2 * (MOST_FRAME_US + LATE_US)


@given(editions(), ACTIONS, st.lists(liars(lines()), min_size=3, max_size=3), st.permutations((1, 2, 4)))
def test_which_hand_is_whose_does_not_matter(
    edition: Edition, action: Action, players: list[Player], seats: list[int]
) -> None:
    def judged(order: tuple[int, ...]) -> Judgement:
        hands = {seat: hand_on(player.line) for seat, player in zip(order, players, strict=True)}
        return race(*players, rules=rules_of(edition), action=action, seats=order, hands=hands).judge()

    names = dict(zip((1, 2, 4), seats, strict=True))

    def renamed(some: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(names[seat] for seat in some))

    one, other = judged((1, 2, 4)), judged(tuple(seats))
    assert other.verdict == replace(one.verdict, early=renamed(one.verdict.early), last=renamed(one.verdict.last))
    assert other.jam is one.jam
    assert {replace(reading, seat=names[reading.seat]) for reading in one.readings} == set(other.readings)


@given(editions(), ACTIONS, noises())
def test_b9_what_arrives_of_a_seat_that_takes_no_part_changes_nothing(
    edition: Edition, action: Action, noise: list[Noise]
) -> None:
    with_strangers, without = (Race((2, 3), rules_of(edition), unknown((2, 3))) for _ in range(2))
    hear(with_strangers, (2, 3), noise, action)
    hear(without, (2, 3), [each for each in noise if each[0] == "released" or each[1] in (2, 3)], action)
    assert with_strangers.judge() == without.judge()


def test_b9_a_hand_that_takes_no_part_does_not_touch() -> None:
    run = race(250, None)
    assert not run.touched(1, CONTACT + 100 * MS, None)
    assert not run.listens_to(1)


@given(st.lists(honest(), min_size=2, max_size=3))
def test_among_honest_hands_on_any_lines_the_last_is_last_or_it_jams(players: list[Player]) -> None:
    """Nobody is wronged by his network, once its lowest round trip is known."""
    judgement = race(*players).judge()
    order = sorted(((player.reaction_us or 0, seat) for seat, player in enumerate(players, 2)), reverse=True)
    (last_us, last), (next_us, _) = order[0], order[1]
    if last_us - next_us < LEAST_TAU_US:
        assert judgement.verdict == Verdict(jam=True)
    else:
        assert judgement.verdict == Verdict(last=(last,))


@given(
    liars(lines()), st.lists(honest(), min_size=1, max_size=2), st.integers(0, STRIKES - 2), st.integers(0, 900 * MS)
)
def test_a_lower_claim_never_saves_another_nor_makes_one_last_but_out_of_a_jam(
    liar: Player, others: list[Player], struck: int, lower_us: int
) -> None:
    """Short of the third strike. A lie that is cut has no doubt in its favour any more: so much it can cost."""

    def lower(us: int) -> int | None:
        claim_us = liar.claim(us)
        return None if claim_us is None else claim_us - lower_us

    fine = liar._replace(grain_us=GRAIN_US)
    before = verdict(race(fine, *others, hands={2: struck_hand(struck, fine.line)}, rules=STRICT))
    after = verdict(race(fine._replace(claim=lower), *others, hands={2: struck_hand(struck, fine.line)}, rules=STRICT))
    if before.last and before.last != (2,):
        assert after.last == before.last
    if after.last == (2,):
        assert before.jam or before.last == (2,)


def test_a_hovering_hand_cannot_be_judged() -> None:
    run = Race((2, 3), CLASSIC_RULES, unknown((2, 3)))
    assert run.action is None
    assert run.settles_us() is None
    with pytest.raises(RuntimeError, match="still hovers"):
        run.judge()


# Who is last.


def test_b5_the_slowest_hand_is_last() -> None:
    assert verdict(race(250, 310, 280)) == Verdict(last=(3,))


@given(st.lists(REACTIONS_US, min_size=2, max_size=3), st.lists(steady_lines(), min_size=3, max_size=3))
def test_the_way_of_the_packets_cancels_out(reactions_us: list[int], ways: list[Line]) -> None:
    near = race(*(Player(us) for us in reactions_us)).judge()
    far = race(*(Player(us, line) for us, line in zip(reactions_us, ways, strict=False))).judge()
    assert (far.verdict, far.readings, far.tau_us) == (near.verdict, near.readings, near.tau_us)


def test_who_was_first_to_arrive_may_have_been_last() -> None:
    far, near = Player(250 * MS, Line(90 * MS, 90 * MS)), Player(300 * MS, Line(2 * MS, 2 * MS))
    assert verdict(race(far, near)) == Verdict(last=(3,))


def test_a_touch_counts_once_and_the_first_one_counts() -> None:
    run = race(250, None)
    assert not run.touched(2, CONTACT + 900 * MS, 10 * MS)
    assert times_ms(run) == [250, None]


def test_only_the_first_word_counts() -> None:
    run = race(300, 200)
    before = run.judge()
    run.shown(2, CONTACT + 600 * MS, MOST_FRAME_US, MOST_GRAIN_US)
    assert run.judge() == before


def test_a_word_before_the_hand_has_landed_is_no_word() -> None:
    run = Race((2,), CLASSIC_RULES, {2: hand_on(Line())})
    run.shown(2, CONTACT - MS, 0, 0)
    run.ended(Action.SLAM, CONTACT)
    assert run.listens_to(2)
    run.answered(2, CONTACT, CONTACT + 40 * MS)
    run.shown(2, CONTACT + 45 * MS, FRAME_US, GRAIN_US)
    run.answered(2, CONTACT + 200 * MS, CONTACT + 240 * MS)
    run.touched(2, CONTACT + 245 * MS, 200 * MS)
    assert times_ms(run) == [200]


def test_b10_without_opponents_there_is_nothing_to_judge_and_nothing_to_wait_for() -> None:
    for action in Action:
        run = race(rules=MODERN_RULES, action=action, held_ms=0)
        assert run.judge().verdict == Verdict()
        assert run.settles_us() == CONTACT


def test_b12_who_has_not_touched_when_the_window_closes_is_last() -> None:
    run = race(250, None)
    assert verdict(run) == Verdict(last=(3,))
    assert run.settles_us() == CONTACT + WINDOW_US


def test_b12_all_who_have_not_touched_are_last() -> None:
    assert verdict(race(None, 900, None)) == Verdict(last=(2, 4))
    assert verdict(race(None, None, None)) == Verdict(last=(2, 3, 4))


def test_b12_who_says_nothing_at_all_and_answers_no_ping_is_last() -> None:
    gone = Player(None, word_us=None, is_pinged=False)
    assert verdict(race(250, gone)) == Verdict(last=(3,))


def test_b17_a_bots_hand_races_like_any_other() -> None:
    run = Race((2, 3), CLASSIC_RULES, {2: hand_on(Line()), 3: Hand()})
    run.ended(Action.SLAM, CONTACT)
    run.moved_by_server(3)
    assert not run.listens_to(3), "it has no line to measure"
    run.answered(2, CONTACT, CONTACT + 40 * MS)
    run.shown(2, CONTACT + 45 * MS, FRAME_US, GRAIN_US)
    run.touched(3, CONTACT + 260 * MS, None)
    run.answered(2, CONTACT + 250 * MS, CONTACT + 290 * MS)
    run.touched(2, CONTACT + 295 * MS, 250 * MS)
    judgement = run.judge()
    assert judgement.verdict == Verdict(last=(3,)), "260 from its own clock, against 250 as the other saw it"
    assert set(judgement.traces) == {2}


# A duel.


@pytest.mark.parametrize(("reaction_ms", "last"), [(100, ()), (400, ()), (401, (2,)), (None, (2,))])
def test_b15_an_only_opponent_has_the_duel_limit(reaction_ms: float | None, last: tuple[int, ...]) -> None:
    assert CLASSIC_RULES.duel_limit_us == 400 * MS
    assert verdict(race(reaction_ms)) == Verdict(last=last)


def test_b15_without_a_limit_an_only_opponent_is_always_last() -> None:
    assert verdict(race(1, rules=STRICT)) == Verdict(last=(2,))


def test_b15_a_duel_never_jams() -> None:
    for reaction_ms in (398, 400, 402):
        assert not verdict(race(reaction_ms)).jam


def test_b15_a_duel_gives_the_only_opponent_every_doubt() -> None:
    late = Player(400 * MS + COARSE_US, grain_us=COARSE_US)
    assert verdict(race(late)) == Verdict(), "it may have been 400"
    assert verdict(race(late._replace(reaction_us=400 * MS + COARSE_US + 1))) == Verdict(last=(2,))
    slow = race(Player(400 * MS, frame_us=MOST_FRAME_US)).judge()
    assert slow.verdict == Verdict(), "so it may, on a slow screen"
    lied = ms(450)._replace(claim=lambda _: 390 * MS)
    assert verdict(race(lied)) == Verdict(), "one odd signal alone makes nobody last"
    assert verdict(race(lied, hands={2: struck_hand(STRIKES - 1)})) == Verdict(last=(2,))


# Early.


def test_c6_an_early_touch_counts_as_its_time_says() -> None:
    assert verdict(race(-50, 200)) == Verdict(early=(2,), last=(3,))
    assert verdict(race(-50, -100)) == Verdict(early=(2, 3), last=(2,))


def test_m10_an_early_hand_is_down_and_cannot_be_last() -> None:
    assert verdict(race(-50, 200, rules=MODERN_RULES)) == Verdict(early=(2,), last=(3,))
    assert verdict(race(-50, -100, rules=MODERN_RULES)) == Verdict(early=(2, 3))


def test_m10_an_early_hand_jams_with_nobody() -> None:
    assert verdict(race(-1, 1, rules=MODERN_RULES)) == Verdict(early=(2,), last=(3,))
    assert verdict(race(-0.5, 0.5)) == Verdict(early=(2,), jam=True), "C6: there its time counts"


def test_m10_the_silent_are_last_beside_the_early() -> None:
    assert verdict(race(-50, None, 200, rules=MODERN_RULES)) == Verdict(early=(2,), last=(3,))


def test_a_touch_before_the_hand_has_landed_is_early_however_far_away_its_page_is() -> None:
    run = race(Player(-280 * MS, Line(120 * MS, 120 * MS)), 300)
    assert verdict(run) == Verdict(early=(2,), last=(3,))
    assert times_ms(run) == [-280, 300]


# Jams.


@pytest.mark.parametrize(("apart_us", "jam"), [(0, True), (LEAST_TAU_US - 1, True), (LEAST_TAU_US, False)])
def test_two_sure_hands_jam_only_when_they_are_nearer_than_tau(apart_us: int, jam: bool) -> None:
    judgement = race(Player(300 * MS - apart_us), Player(300 * MS)).judge()
    assert judgement.verdict == (Verdict(jam=True) if jam else Verdict(last=(3,)))
    assert judgement.tau_us == LEAST_TAU_US
    assert judgement.jam is (Jam.CLOSE if jam else None)
    assert set(judgement.alike) == ({2, 3} if jam else set())


def test_tau_is_what_is_known_of_the_two_hands() -> None:
    rough = Player(300 * MS, grain_us=COARSE_US)
    assert race(rough, rough._replace(reaction_us=300 * MS - 2 * COARSE_US + 1)).judge().jam is Jam.CLOSE
    apart = race(rough, rough._replace(reaction_us=300 * MS - 2 * COARSE_US)).judge()
    assert apart.verdict == Verdict(last=(2,))
    assert apart.tau_us == 2 * COARSE_US
    assert race(rough, 300 - COARSE_US / MS - 0.2).judge().tau_us == COARSE_US + GRAIN_US


def test_a_coarse_clock_jams_more_often_than_a_fine_one() -> None:
    coarse = Player(308 * MS, grain_us=MOST_GRAIN_US)  # just before a ping comes in, which proves least
    tau_us = race(coarse, 250).judge().tau_us
    assert LEAST_TAU_US < tau_us <= MOST_GRAIN_US
    time_ms, _ = times_ms(race(coarse, 250))
    assert time_ms is not None
    assert race(coarse, time_ms - LEAST_TAU_US / MS).judge().jam is Jam.CLOSE


def test_two_screens_alike_are_off_alike_but_a_slow_one_jams_more_often_with_a_fast_one() -> None:
    slow, fast = Player(300 * MS, frame_us=MOST_FRAME_US), Player(300 * MS)
    assert race(slow, slow).judge().tau_us == race(fast, fast).judge().tau_us == LEAST_TAU_US
    assert race(slow, fast).judge().tau_us > LEAST_TAU_US


def test_only_the_two_last_can_jam() -> None:
    assert verdict(race(250, 250, 300)) == Verdict(last=(4,))
    assert verdict(race(250, 300, 300)) == Verdict(jam=True)


def test_who_is_less_sure_jams_with_the_last_even_if_another_is_between() -> None:
    unsure = Player(299 * MS, grain_us=COARSE_US)
    judgement = race(unsure, 297, 300.5).judge()
    assert judgement.jam is Jam.CLOSE
    assert judgement.alike == (4, 2)


def test_nobody_jams_with_the_silent() -> None:
    assert verdict(race(250, 250, None)) == Verdict(last=(4,))


# One odd signal alone.


@pytest.mark.parametrize("count", range(STRIKES - 1))
@pytest.mark.parametrize(
    "liar", [LIAR, ms(300)._replace(claim=lambda us: us - 120 * MS), ms(300)._replace(word_us=150 * MS)]
)
def test_the_first_two_strikes_alone_make_nobody_last_but_jam(liar: Player, count: int) -> None:
    judgement = race(liar, 200, hands={2: struck_hand(count)}).judge()
    assert judgement.verdict == Verdict(jam=True)
    assert judgement.jam is Jam.DOUBT
    assert judgement.alike == (2, 3)
    assert judgement.traces[2].struck


def test_the_third_strike_makes_last() -> None:
    judgement = race(LIAR, 200, hands={2: struck_hand(STRIKES - 1)}).judge()
    assert judgement.verdict == Verdict(last=(2,))
    assert judgement.readings[0].doubt is Doubt.TIMED_BY_SERVER


def test_who_would_be_last_even_if_he_was_believed_is_last() -> None:
    lied = ms(300)._replace(claim=lambda us: us - 30 * MS)
    assert race(lied, 200).judge().verdict == Verdict(last=(2,))


def test_a_strike_helps_nobody_who_is_not_last() -> None:
    assert verdict(race(LIAR, 350)) == Verdict(last=(3,))


# What is told of it.


def test_the_judgement_tells_what_it_went_by() -> None:
    judgement = race(LIAR, None, -20).judge()
    liar, silent, early = judgement.readings
    assert liar.doubt is Doubt.CLAIM
    assert (silent.time_us, silent.band_us, silent.early, silent.doubt) == (None, 0, False, None)
    assert early.early
    assert early.time_us == -20 * MS
    assert set(judgement.traces) == {2}, "the silent and the early leave none"


def test_a_race_is_judged_by_the_races_before_it() -> None:
    hands = {2: struck_hand(STRIKES - 1)}
    run = race(LIAR, 200, hands=hands)
    assert run.judge() == run.judge(), "to judge changes nothing"
    assert hands[2].standing.races == STRIKES - 1


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


@pytest.mark.parametrize(("reaction_ms", "fooled"), [(-200, True), (0, True), (349, True), (350, False), (None, False)])
def test_b8_who_touches_before_the_hand_is_back_has_fallen_for_it(reaction_ms: int | None, fooled: bool) -> None:
    far = ms(reaction_ms)._replace(line=Line(70 * MS, 70 * MS))
    run = race(far, None, action=Action.FAKE)
    assert verdict(run) == Verdict(early=(2,) if fooled else ())


def test_b8_all_who_fell_for_it_are_told() -> None:
    assert verdict(race(-50, None, 100, action=Action.FAKE)) == Verdict(early=(2, 4))


def test_b8_on_a_fake_nobody_is_last_and_nothing_jams() -> None:
    assert verdict(race(100, 100, action=Action.FAKE)) == Verdict(early=(2, 3))


def test_b8_a_fake_is_no_race_and_leaves_no_trace() -> None:
    assert race(LIAR, 100, action=Action.FAKE).judge().traces == {}


def test_m8_a_fake_has_no_press() -> None:
    assert verdict(race(None, action=Action.FAKE, rules=MODERN_RULES, held_ms=0)) == Verdict()


# When it is settled, and what it still listens to.


def test_a_race_is_settled_with_the_last_touch() -> None:
    run = race(250, None)
    run.touched(3, CONTACT + 700 * MS, 600 * MS)
    settles_us = run.settles_us()
    assert settles_us is not None
    assert settles_us <= CONTACT + 700 * MS


def test_an_early_hand_waits_for_its_pages_word() -> None:
    run = Race((2,), CLASSIC_RULES, {2: hand_on(Line(50 * MS, 50 * MS))})
    run.touched(2, CONTACT - 50 * MS, None)
    run.ended(Action.SLAM, CONTACT)
    assert run.settles_us() == CONTACT + 100 * MS + FRAME_US + LATE_US
    run.answered(2, CONTACT, CONTACT + 300 * MS)
    assert run.settles_us() == CONTACT + 100 * MS + FRAME_US + LATE_US, "an answer held back is not waited for"
    run.shown(2, CONTACT + 95 * MS, FRAME_US, GRAIN_US)
    assert run.settles_us() == CONTACT + 95 * MS
    assert times_ms(run) == [-145]


def test_m8_a_race_waits_for_the_news_of_the_press() -> None:
    run = race(50, 80, rules=MODERN_RULES, held_ms=None)
    assert run.settles_us() == CONTACT + 30 * MS + PRESS_NEWS_US
    run.released(60 * MS)
    settles_us = run.settles_us()
    assert settles_us is not None
    assert settles_us < CONTACT + 80 * MS


def test_b8_a_fake_is_settled_when_nobody_can_be_fooled_any_more() -> None:
    near, far = (Player(None, Line(us, us), wait_us=0) for us in (10 * MS, 50 * MS))
    run = race(near, far, action=Action.FAKE)
    assert run.settles_us() == CONTACT + 100 * MS + WAY_BACK_US
    run.touched(3, CONTACT + 200 * MS, 100 * MS)
    assert run.settles_us() == CONTACT + 20 * MS + WAY_BACK_US


def test_a_hand_is_pinged_until_its_word_and_its_touch_are_there() -> None:
    run = Race((2, 3), CLASSIC_RULES, unknown((2, 3)))
    assert run.listens_to(2), "from the reach on"
    run.ended(Action.SLAM, CONTACT)
    run.shown(2, CONTACT + 50 * MS, FRAME_US, GRAIN_US)
    assert run.listens_to(2)
    run.touched(2, CONTACT + 300 * MS, 250 * MS)
    assert not run.listens_to(2)
    run.touched(3, CONTACT + 20 * MS, None)
    assert run.listens_to(3), "an early one, until its page has said what it saw"


def test_every_ping_of_the_train_narrows_what_a_lie_gains() -> None:
    gains_us = []
    for step in (1, 2, 4):
        hand = hand_on(Line())
        run = Race((2,), STRICT, {2: hand})
        run.ended(Action.SLAM, CONTACT)
        for number, sent_us in enumerate(range(CONTACT, CONTACT + 300 * MS, TRAIN_US)):
            if number % step == 0 and sent_us + 40 * MS <= CONTACT + 345 * MS:
                run.answered(2, sent_us, sent_us + 40 * MS)
            if sent_us == CONTACT:
                run.shown(2, CONTACT + 45 * MS, FRAME_US, GRAIN_US)
        run.touched(2, CONTACT + 345 * MS, 0)
        time_us = run.judge().readings[0].time_us
        assert time_us is not None
        gains_us.append(300 * MS - time_us)
    assert gains_us == sorted(gains_us)
    assert gains_us[0] < gains_us[-1]


def test_all_orders_of_arrival_lead_to_the_same_verdict() -> None:
    for order in permutations((250, 300, 350)):
        slowest = 2 + order.index(350)
        assert verdict(race(*order)) == Verdict(last=(slowest,))
