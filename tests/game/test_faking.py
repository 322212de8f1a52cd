"""A reach withdrawn untouched."""

import pytest
from msgspec.structs import replace

from slamomatic.game import (
    CLASSIC,
    MODERN,
    Action,
    Draw,
    Edition,
    Fake,
    IllegalCommand,
    Lay,
    Pass,
    Slam,
    Verdict,
    legal,
    play,
    possible,
)
from slamomatic.game.duties import MustTake, Why
from slamomatic.game.events import Faked, Judged, Outcome
from tests.game.positions import Script, after, events_of, hand, kinds, pair, position, says, take

EDITIONS = pytest.mark.parametrize("edition", [CLASSIC, MODERN], ids=["classic", "modern"])


@EDITIONS
def test_b7_one_may_fake_with_a_pair_or_without(edition: Edition) -> None:
    for held in ("7 7", "3"):
        state = position(edition, f"1: {held}", "2: 9", "3: 8")
        assert kinds(state) == ["Slam", "Fake", "Pass"]
        assert events_of(state, Fake(1)) == [Faked(1)]
        assert after(state, Fake(1)).to_act is None


@EDITIONS
def test_b7_at_most_two_fakes_a_turn_that_nobody_falls_for(edition: Edition) -> None:
    state = position(edition, "1: 7 7", "2: 9", "3: 8")
    for _ in range(2):
        assert Fake(1) in legal(state)
        state = after(state, Fake(1), says())
        assert state.turn == 1
    assert kinds(state) == ["Slam", "Pass"]
    with pytest.raises(IllegalCommand, match="2 a turn"):
        play(state, Fake(1), Script())


def test_b7_a_fake_that_somebody_falls_for_is_not_counted() -> None:
    state = position(CLASSIC, "1: 7 7", "2: 4 5 6 8 9 10", "3: 8", pile="1 2 3")
    state = after(state, Fake(1), says())
    for card in ("4", "5", "6", "8"):
        state = take(after(state, Fake(1), says(early=(2,))), card)
    assert kinds(state) == ["Slam", "Fake", "Pass"]
    assert kinds(after(state, Fake(1), says())) == ["Slam", "Pass"]


def test_b7_a_pair_laid_gives_no_fakes_back_but_a_turn_does() -> None:
    state = position(CLASSIC, "1: 3 7 7", "2: 9 9", "3: 8", pile="1 2 3 4 5")
    state = after(state, Fake(1), says(), Fake(1), says(), Slam(1), says(2), Lay(1, pair("7 7")))
    state = take(state, "9")
    assert kinds(state) == ["Slam", "Pass"]
    state = after(state, Pass(1), Draw(2))
    assert kinds(state) == ["Slam", "Fake", "Pass"]
    state = after(state, Pass(2), Draw(3), Pass(3), Draw(1))
    assert kinds(state) == ["Slam", "Fake", "Pass"]


@pytest.mark.parametrize("limit", [0, 1, 5])
def test_b7_an_edition_may_set_another_number(limit: int) -> None:
    state = position(replace(CLASSIC, name="Ours", free_fakes=limit), "1: 7", "2: 9", "3: 8")
    for _ in range(limit):
        state = after(state, Fake(1), says())
    assert kinds(state) == ["Slam", "Pass"]


def test_b7_only_a_pass_ends_the_turn() -> None:
    state = position(CLASSIC, "1: 3 7 7", "2: 9 10", "3: 8 8", pile="1 2 3 4 5")
    state = after(state, Fake(1), says())
    state = take(after(state, Fake(1), says(early=(3,))), "8")
    state = take(after(state, Slam(1), says(2), Lay(1, pair("7 7"))), "9")
    state = after(state, Fake(1), says())
    assert state.turn == 1
    assert after(state, Pass(1)).turn == 2


@EDITIONS
def test_b8_who_falls_for_a_fake_loses_a_card_to_the_faker(edition: Edition) -> None:
    state = after(position(edition, "1: 3", "2: 9", "3: 8", "4: 10"), Fake(1), says(early=(3,)))
    assert state.duties == (MustTake(1, 3, Why.FOOLED),)
    state = take(state, "8")
    assert state.hand(1) == hand("3 8")
    assert state.hand(3) == ()
    assert state.turn == 1
    assert kinds(state) == ["Slam", "Fake", "Pass"]


def test_b8_each_of_them_pays_from_the_fakers_left_round_the_table() -> None:
    state = after(position(CLASSIC, "3: 3", "1: 9", "2: 8", "4: 10"), Fake(3), says(early=(1, 2, 4)))
    assert state.duties == tuple(MustTake(3, loser, Why.FOOLED) for loser in (4, 1, 2))
    state = take(take(take(state, "10"), "9"), "8")
    assert state.hand(3) == hand("3 8 9 10")


def test_b8_a_pair_made_so_may_be_slammed() -> None:
    state = take(after(position(CLASSIC, "1: 9", "2: 9 10", "3: 8"), Fake(1), says(early=(2,))), "9")
    state = after(state, Slam(1), says(3))
    assert legal(state) == (Lay(1, pair("9 9")),)


def test_b8_the_outcome_says_whether_anyone_fell_for_it() -> None:
    state = after(position(CLASSIC, "1: 9", "2: 9 10", "3: 8"), Fake(1))
    assert events_of(state, says()) == [Judged(1, Verdict(), Outcome.FIZZLED, (), None)]
    (event,) = events_of(state, says(early=(2,)))
    assert isinstance(event, Judged)
    assert event.outcome is Outcome.FOOLED


def test_b9_an_empty_hand_has_no_part_in_a_fake() -> None:
    state = after(position(CLASSIC, "1: 9", "2:", "3: 8"), Fake(1))
    assert set(legal(state)) == {says(), says(early=(3,))}


def test_b9_one_cannot_fake_when_no_opponent_has_a_card() -> None:
    state = position(CLASSIC, "1: 9", "2:", "3:")
    assert kinds(state) == ["Slam", "Pass"]
    with pytest.raises(IllegalCommand, match="nobody to fool"):
        play(state, Fake(1), Script())


def test_b9_nor_with_an_empty_hand_of_ones_own() -> None:
    state = position(CLASSIC, "1:", "2: 9", "3:")
    assert legal(state) == (Pass(1),)


@EDITIONS
def test_b8_anyone_may_fall_for_a_fake_and_nobody_can_be_last(edition: Edition) -> None:
    subsets: tuple[tuple[int, ...], ...] = ((), (2,), (3,), (4,), (2, 3), (2, 4), (3, 4), (2, 3, 4))
    assert set(possible(edition, (2, 3, 4), Action.FAKE)) == {Verdict(early=early) for early in subsets}
