from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from slamomatic.bots import LEVELS, bot
from slamomatic.bots.choices import choice, early_touch_is_free, pair_to_lay
from slamomatic.bots.hands import someone
from slamomatic.game import (
    CLASSIC,
    MODERN,
    PRESETS,
    Card,
    Choose,
    Command,
    Edition,
    Fake,
    Judge,
    Lay,
    Pass,
    Slam,
    State,
    Take,
    Verdict,
    play,
    view,
)
from slamomatic.game.duties import MustChoose, MustDraw
from slamomatic.game.edition import EarlyTouch, PassWithPair
from slamomatic.game.slamming import pairs_in
from tests.bots.positions import editions, holding, wandering


def chosen(state: State, level: str = "steady", times: int = 1_000) -> list[Command]:
    """What persons of this level do here, each asked once."""
    rng = Random(2)
    assert state.to_act is not None
    seat_view = view(state, state.to_act)
    return [choice(seat_view, someone(LEVELS[level], rng), rng) for _ in range(times)]


def slammed(state: State, verdict: Verdict) -> State:
    rng = Random(1)
    after = play(state, Slam(1), rng).state
    return play(after, Judge(verdict), rng).state if state.racers else after


@given(edition=editions(), players=st.integers(2, 4), seed=st.integers(0, 2**32), level=st.sampled_from(tuple(LEVELS)))
def test_what_a_bot_does_is_legal_wherever_chance_leads(edition: Edition, players: int, seed: int, level: str) -> None:
    rng = Random(seed)
    bots = {seat: bot(level) for seat in range(1, players + 1)}
    for state in wandering(edition, players, rng):
        for seat in state.racers:
            jump = bots[seat].jump_us(view(state, seat), rng)
            assert jump is None or jump >= 100_000
            assert bots[seat].react_us(view(state, seat), rng) >= 100_000
        if state.to_act is not None:
            mine = view(state, state.to_act)
            assert bots[state.to_act].plan(mine, rng).command in mine.legal


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("level", LEVELS)
def test_what_a_bot_does_is_legal_in_thousands_of_positions(preset: str, level: str) -> None:
    rng = Random(4)
    asked = 0
    while asked < 3_000:
        one = bot(level)
        for state in wandering(PRESETS[preset], 2 + asked % 3, rng):
            if state.to_act is not None:
                mine = view(state, state.to_act)
                assert one.plan(mine, rng).command in mine.legal
                asked += 1


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("level", LEVELS)
def test_b6_a_pair_in_hand_is_never_passed(preset: str, level: str) -> None:
    rng = Random(6)
    for _ in range(20):
        for state in wandering(PRESETS[preset], 3, rng):
            if state.to_act is not None and not state.duties and pairs_in(state.hand(state.turn), state.edition):
                person = someone(LEVELS[level], rng)
                assert not isinstance(choice(view(state, state.turn), person, rng), Pass)


@pytest.mark.parametrize("level", ["steady", "sharp"])
def test_c8_m9_without_a_pair_it_never_slams(level: str) -> None:
    for edition in PRESETS.values():
        acts = chosen(holding("1 2 3", "4 5", edition=edition), level)
        assert not any(isinstance(act, Slam) for act in acts)


def test_c8_m9_a_gentle_one_slams_without_a_pair_once_in_a_hundred() -> None:
    slams = sum(isinstance(act, Slam) for act in chosen(holding("1 2 3", "4 5"), "gentle", 10_000))
    assert 60 < slams < 140


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("hand", ["1 2 3", "2 2 3"])
def test_b7_it_fakes_as_often_with_a_pair_as_without(level: str, hand: str) -> None:
    fakes = sum(isinstance(act, Fake) for act in chosen(holding(hand, "4 5", "6"), level, 10_000))
    assert fakes / 10_000 == pytest.approx(LEVELS[level].fakes, abs=0.012)


def test_b7_a_second_fake_of_a_turn_is_rarer() -> None:
    state = replace(holding("1 2 3", "4 5"), fizzled=1)
    fakes = sum(isinstance(act, Fake) for act in chosen(state, "sharp", 10_000))
    assert fakes / 10_000 == pytest.approx(LEVELS["sharp"].fakes / 2, abs=0.012)


def test_m11_where_slamming_is_all_that_is_left_it_slams() -> None:
    state = replace(holding("2 2 3", "4 5", edition=MODERN, pile=0), fizzled=MODERN.free_fakes)
    assert MODERN.pass_with_pair is PassWithPair.NOT_ONCE_PILE_IS_OUT
    assert {type(act) for act in chosen(state, "gentle")} == {Slam}


def test_c4_natural_pairs_go_before_the_wild_joker_and_the_dearest_first() -> None:
    state = slammed(holding("3 3 8 8 10 smiling", "4 5", "6"), Verdict(last=(2,)))
    assert chosen(state, times=1) == [Lay(1, (Card.EIGHT, Card.EIGHT))]


def test_c4_the_wild_joker_takes_the_dearest_number_there_is() -> None:
    state = slammed(holding("3 7 9 smiling sad", "4 5", "6"), Verdict(last=(2,)))
    assert chosen(state, times=1) == [Lay(1, (Card.SMILING, Card.NINE))]


@pytest.mark.parametrize(
    ("hands", "verdict", "pile", "pair"),
    [
        (("5 5 smiling", "4 5"), Verdict(), 1, (11, 5)),
        (("5 5 smiling sad", ""), Verdict(), 0, (11, 5)),
        (("5 5 smiling", "4 5"), Verdict(last=(2,)), 1, (5, 5)),
        (("5 5 smiling", "4 5"), Verdict(), 2, (5, 5)),
        (("5 5 smiling", "4 5", "6"), Verdict(jam=True), 2, (5, 5)),
        (("5 5 smiling", "4 5", "6"), Verdict(jam=True), 0, (11, 5)),
        (("5 5 6 smiling", "4 5"), Verdict(), 1, (5, 5)),
        (("4 4 5 5 smiling", "4 5"), Verdict(), 1, (5, 5)),
    ],
)
def test_c9_c10_a_joker_is_not_left_alone_once_no_card_will_come(
    hands: tuple[str, ...], verdict: Verdict, pile: int, pair: tuple[int, int]
) -> None:
    assert pair_to_lay(view(slammed(holding(*hands, pile=pile), verdict), 1)) == pair


def test_c9_m10_an_early_toucher_who_pays_brings_the_joker_a_card() -> None:
    for early_touch, pair in ((EarlyTouch.PAYS, (5, 5)), (EarlyTouch.FREE, (11, 5))):
        edition = replace(CLASSIC, name="House rules", early_touch=early_touch)
        state = slammed(holding("5 5 smiling", "4 5", pile=1, edition=edition), Verdict(early=(2,)))
        assert pair_to_lay(view(state, 1)) == pair


def test_b12_of_several_absent_the_one_with_most_cards_loses() -> None:
    state = replace(holding("1", "4 5", "6 7 8", "9 10"), duties=(MustChoose(1, (2, 3, 4)),))
    assert set(chosen(state)) == {Choose(1, 3)}


def test_m5_it_draws_from_the_fullest_at_any_position() -> None:
    state = replace(holding("1", "4 5", "6 7 8", "9", edition=MODERN, pile=0), duties=(MustDraw(1),))
    assert set(chosen(state)) == {Take(1, 3, 0), Take(1, 3, 1), Take(1, 3, 2)}


def test_m5_of_two_as_full_it_draws_from_who_has_laid_more() -> None:
    state = replace(holding("1", "4 5", "6 7", edition=MODERN, pile=0), duties=(MustDraw(1),), laid=((), ((2, 2),), ()))
    assert {take.loser for take in chosen(state) if isinstance(take, Take)} == {2}


def test_m5_of_two_alike_either() -> None:
    state = replace(holding("1", "4 5", "6 7", edition=MODERN, pile=0), duties=(MustDraw(1),))
    takes = [take.loser for take in chosen(state) if isinstance(take, Take)]
    assert 400 < takes.count(2) < 600


@pytest.mark.parametrize(
    ("edition", "fizzled", "free"), [(CLASSIC, 1, False), (CLASSIC, 2, True), (MODERN, 1, False), (MODERN, 2, False)]
)
def test_b7_c6_a_reach_that_must_land_is_free_to_jump_at_only_where_early_touches_are(
    edition: Edition, fizzled: int, free: bool
) -> None:
    state = replace(holding("1 1", "4 5", edition=edition), fizzled=fizzled)
    assert early_touch_is_free(view(state, 2)) is free
