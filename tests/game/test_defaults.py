"""What is done for a player whose clock has run out."""

from collections import Counter
from random import Random

import pytest

from slamomatic.game import (
    CLASSIC,
    MODERN,
    Choose,
    Command,
    Draw,
    Fake,
    Lay,
    Pass,
    Slam,
    State,
    Take,
    default,
)
from tests.game.positions import after, pair, position, says


def defaults(state: State) -> Counter[Command]:
    return Counter(default(state, Random(seed)) for seed in range(300))


def test_b18_draw_from_the_pile() -> None:
    state = after(position(MODERN, "1: 3", "2: 9", "3: 8", pile="5 6"), Pass(1))
    assert set(defaults(state)) == {Draw(2)}


def test_b18_draw_from_the_fullest_opponent_at_random_once_the_pile_is_out() -> None:
    state = after(position(MODERN, "1: 3 4", "2: 9", "3: 8 10 5", pile=""), Pass(1))
    chosen = defaults(state)
    assert set(chosen) == {Take(2, 3, 0), Take(2, 3, 1), Take(2, 3, 2)}
    assert min(chosen.values()) > 60


def test_b18_take_at_random() -> None:
    state = after(position(CLASSIC, "1: 7 7", "2: 9 8", "3: 8"), Slam(1), says(2), Lay(1, pair("7 7")))
    chosen = defaults(state)
    assert set(chosen) == {Take(1, 2, 0), Take(1, 2, 1)}
    assert min(chosen.values()) > 100


def test_b18_the_neighbours_pick_of_c8_is_at_random_too() -> None:
    state = after(position(CLASSIC, "1: 3 4", "2: 9", "3: 8"), Slam(1), says(2))
    assert set(defaults(state)) == {Take(2, 1, 0), Take(2, 1, 1)}


@pytest.mark.parametrize(
    ("held", "laid"),
    [
        ("3 3 9 9", "9 9"),
        ("3 3 10 smiling", "3 3"),
        ("3 10 smiling", "smiling 10"),
        ("7 7", "7 7"),
        ("1 1 2 2 smiling", "2 2"),
    ],
)
def test_b18_lay_the_dearest_natural_pair(held: str, laid: str) -> None:
    state = after(position(CLASSIC, f"1: {held}", "2: 9", "3: 8"), Slam(1), says(2))
    assert set(defaults(state)) == {Lay(1, pair(laid))}


def test_b18_choose_an_absentee_at_random() -> None:
    state = after(position(CLASSIC, "1: 7 7", "2: 9", "3: 8"), Slam(1), says(2, 3), Lay(1, pair("7 7")))
    assert set(defaults(state)) == {Choose(1, 2), Choose(1, 3)}


@pytest.mark.parametrize("held", ["7 7", "3", ""])
def test_b18_otherwise_pass(held: str) -> None:
    for edition in (CLASSIC, MODERN):
        state = position(edition, f"1: {held}", "2: 9", "3: 8", pile="5 6")
        assert set(defaults(state)) == {Pass(1)}


def test_b18_slam_where_m11_forbids_the_pass() -> None:
    state = position(MODERN, "1: 7 7", "2: 9", "3: 8", pile="")
    assert set(defaults(state)) == {Slam(1)}
    assert set(defaults(position(MODERN, "1: 7 3", "2: 9", "3: 8", pile=""))) == {Pass(1)}


def test_b18_nothing_is_done_for_the_unit_or_once_the_game_is_over() -> None:
    state = position(CLASSIC, "1: 3", "2: 9", pile="")
    for nobodys in (after(state, Slam(1)), after(state, Fake(1)), after(state, Pass(1))):
        with pytest.raises(LookupError, match="nobody is to act"):
            default(nobodys, Random(1))
