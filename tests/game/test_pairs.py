"""Which pairs a hand holds."""

from msgspec.structs import replace

from slamomatic.game import CLASSIC, MODERN, Edition
from slamomatic.game.cards import Pair
from slamomatic.game.edition import JokerPower
from slamomatic.game.slamming import pairs_in
from tests.game.positions import hand, pair

KEPT_WITH_SAD = replace(CLASSIC, name="No wild joker", joker=JokerPower.KEPT)


def pairs(text: str, edition: Edition) -> list[Pair]:
    return list(pairs_in(hand(text), edition))


def test_b4_two_cards_of_one_rank_are_a_pair() -> None:
    assert pairs("3 7 7 9", MODERN) == [pair("7 7")]
    assert pairs("3 7 8 9", MODERN) == []
    assert pairs("", MODERN) == []
    assert pairs("10 10 3 3", MODERN) == [pair("3 3"), pair("10 10")]


def test_b4_three_of_a_rank_hold_one_pair_and_four_hold_two() -> None:
    assert pairs("7 7 7", MODERN) == [pair("7 7")]
    assert pairs("7 7 7 7", MODERN) == [pair("7 7")]  # One kind to choose; a second time after it is laid.


def test_c4_the_smiling_joker_makes_a_pair_with_any_number() -> None:
    assert pairs("3 9 smiling", CLASSIC) == [pair("smiling 3"), pair("smiling 9")]
    assert pairs("9 9 smiling", CLASSIC) == [pair("9 9"), pair("smiling 9")]


def test_c4_never_with_the_sad_joker_nor_alone() -> None:
    assert pairs("smiling sad", CLASSIC) == []
    assert pairs("smiling", CLASSIC) == []


def test_c5_the_sad_joker_pairs_with_nothing() -> None:
    assert pairs("3 9 sad", CLASSIC) == []
    assert pairs("3 smiling sad", CLASSIC) == [pair("smiling 3")]


def test_m3_the_joker_is_not_wild() -> None:
    assert pairs("3 9 smiling", MODERN) == []
    assert pairs("9 9 smiling", MODERN) == [pair("9 9")]
    assert pairs("9 smiling sad", KEPT_WITH_SAD) == []
