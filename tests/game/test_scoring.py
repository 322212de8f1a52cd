"""What a game is worth to each player, and who wins."""

import pytest
from msgspec.structs import replace

from slamomatic.game import CLASSIC, CLASSIC_JUNIOR, MODERN, Edition, State, score
from slamomatic.game.edition import Scoring, Tie
from slamomatic.game.scoring import Line, Source, laid_points
from tests.game.positions import cards, hand, pair, position


def totals(state: State) -> list[int]:
    return [count.total for count in score(state)]


def winners(state: State) -> list[int]:
    return [count.seat for count in score(state) if count.wins]


def test_c10_face_values_laid_less_face_values_held() -> None:
    state = position(CLASSIC, "1: 2 9 | 7 7, smiling 3", "2: 5 | 10 10", "3: 1", pile="")
    assert totals(state) == [7 + 7 + 10 + 3 - 2 - 9, 20 - 5, -1]


def test_c10_a_held_smiling_joker_costs_ten_and_the_sad_one_twenty() -> None:
    state = position(CLASSIC, "1: smiling 4 | 7 7", "2: sad 4 | 10 10", pile="")
    assert totals(state) == [14 - 10 - 4, 20 - 20 - 4]


def test_c10_the_count_is_told_line_by_line() -> None:
    state = position(CLASSIC, "1: smiling 4 | 7 7", "2: | 10 10", pile="", aside=(hand("3 9"), ()))
    assert score(state)[0].lines == (
        Line(Source.LAID, cards("7 7"), 14),
        Line(Source.HELD, cards("4 smiling"), -14),
        Line(Source.ASIDE, cards("3 9"), -12),
    )
    assert score(state)[1].lines == (Line(Source.LAID, cards("10 10"), 20),)


@pytest.mark.parametrize(("edition", "cost"), [(CLASSIC, 3 + 20), (CLASSIC_JUNIOR, 1 + 5)])
def test_c9_a_card_set_aside_counts_against_its_loser_as_if_held(edition: Edition, cost: int) -> None:
    held = position(edition, "1: 3 sad", "2:", pile="")
    aside = position(edition, "1:", "2:", pile="", aside=(hand("3 sad"), ()))
    assert totals(held) == totals(aside) == [-cost, 0]


def test_c11_one_for_each_laid_card_and_five_for_a_laid_smiling_joker() -> None:
    state = position(CLASSIC_JUNIOR, "1: | 7 7, smiling 3", "2: | 10 10", pile="")
    assert totals(state) == [1 + 1 + 5 + 1, 2]


def test_c11_less_one_for_each_card_held_the_smiling_joker_too_and_five_for_the_sad_one() -> None:
    state = position(CLASSIC_JUNIOR, "1: 2 9", "2: smiling 4", "3: sad 4", pile="")
    assert totals(state) == [-2, -2, -6]


def test_c12_the_highest_total_wins() -> None:
    state = position(CLASSIC, "1: | 7 7", "2: | 10 10", "3: 1", pile="")
    assert winners(state) == [2]
    assert winners(position(CLASSIC, "1: 4", "2: 3", "3: 10", pile="")) == [2]


def test_c12_equal_totals_share_the_win() -> None:
    state = position(CLASSIC, "1: | 7 7", "2: | 4 4, 3 3", "3: 1", pile="")
    assert totals(state) == [14, 14, -1]
    assert winners(state) == [1, 2]
    assert all(count.tie_break is None for count in score(state))


def test_m13_a_pair_counts_one_and_the_joker_two() -> None:
    state = position(MODERN, "1: | 7 7, 10 10, 1 1", "2: smiling | 2 2", "3: 5", pile="")
    assert totals(state) == [3, 3, 0]
    assert score(state)[1].lines == (Line(Source.LAID, cards("2 2"), 1), Line(Source.HELD, cards("smiling"), 2))


def test_m3_the_joker_counts_for_who_holds_it_at_the_end() -> None:
    assert totals(position(MODERN, "1: smiling", "2:", pile="")) == [2, 0]
    assert totals(position(MODERN, "1:", "2: smiling", pile="")) == [0, 2]


def test_m14_among_those_tied_a_pair_counts_its_face_value_and_the_joker_twenty() -> None:
    state = position(MODERN, "1: | 5 5, 1 1", "2: smiling", "3: | 10 10", pile="")
    counts = score(state)
    assert [count.total for count in counts] == [2, 2, 1]
    assert [count.tie_break for count in counts] == [6, 20, None]
    assert winners(state) == [2]


def test_m14_two_fives_count_five() -> None:
    state = position(MODERN, "1: | 5 5", "2: | 4 4", pile="")
    assert [count.tie_break for count in score(state)] == [5, 4]
    assert winners(state) == [1]


def test_m14_the_joker_and_pairs_together() -> None:
    state = position(MODERN, "1: smiling | 2 2", "2: | 10 10, 9 9, 4 4", pile="")
    assert [count.tie_break for count in score(state)] == [22, 23]
    assert winners(state) == [2]


def test_m14_a_wild_joker_laid_with_a_three_counts_twenty_and_three() -> None:
    """House rules: nothing says that the joker of a tie must be held."""
    deck = replace(CLASSIC.deck, sad=False)
    edition = replace(CLASSIC, name="Pairs", deck=deck, scoring=Scoring.PAIRS, tie=Tie.FACE_VALUES)
    state = position(edition, "1: | smiling 3", "2: | 10 10", pile="")
    assert [count.tie_break for count in score(state)] == [23, 10]


def test_m14_those_only_who_are_tied_for_the_win() -> None:
    state = position(MODERN, "1: | 1 1, 1 1", "2: | 10 10", "3: | 9 9", pile="")
    assert winners(state) == [1]
    assert all(count.tie_break is None for count in score(state))


def test_m14_still_equal_they_share_the_win() -> None:
    state = position(MODERN, "1: | 5 5, 1 1", "2: | 4 4, 2 2", "3: | 3 3, 2 2", pile="")
    assert [count.tie_break for count in score(state)] == [6, 6, 5]
    assert winners(state) == [1, 2]


def test_the_count_all_can_see_is_what_lies_on_the_table() -> None:
    pairs = (pair("7 7"), pair("smiling 3"))
    assert laid_points(CLASSIC, pairs) == 27
    assert laid_points(CLASSIC_JUNIOR, pairs) == 8
    assert laid_points(MODERN, pairs) == 2
    assert laid_points(MODERN, ()) == 0


def test_m13_in_a_game_with_a_wild_joker_a_pair_with_it_is_a_pair() -> None:
    edition = replace(CLASSIC, name="Pairs", deck=replace(CLASSIC.deck, sad=False), scoring=Scoring.PAIRS)
    assert totals(position(edition, "1: | 7 7, smiling 3", "2: smiling", pile="")) == [2, 2]
