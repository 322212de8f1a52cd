"""Editions: the presets, and house rules that fit together or are refused."""

from enum import Enum
from typing import Any

import msgspec
import pytest
from msgspec.structs import fields, replace

from slamomatic.game import CLASSIC, CLASSIC_JUNIOR, MODERN, PRESETS, Deck, Edition, UnfitEdition
from slamomatic.game.edition import (
    DealerChoice,
    EarlyTouch,
    EmptyHandDraw,
    EmptySlam,
    Ending,
    JamRuling,
    JokerPower,
    PassWithPair,
    PileOut,
    Scoring,
    Tie,
)

RULINGS: dict[str, tuple[Any, Any]] = {
    "deck": (Deck(highest=10, smiling=True, sad=True), Deck(highest=10, smiling=True, sad=False)),
    "joker": (JokerPower.WILD_ONCE, JokerPower.KEPT),
    "dealer": (DealerChoice.CUT, DealerChoice.CHOSEN),
    "empty_hand_draw": (EmptyHandDraw.ONE, EmptyHandDraw.TWO),
    "pile_out": (PileOut.NO_DRAW, PileOut.FROM_OPPONENT),
    "early_touch": (EarlyTouch.FREE, EarlyTouch.PAYS),
    "jam": (JamRuling.PILE_CARD, JamRuling.VOID),
    "full_press_ms": (0, 30),
    "empty_slam": (EmptySlam.LOSES_CARD, EmptySlam.ENDS_TURN),
    "pass_with_pair": (PassWithPair.ALLOWED, PassWithPair.NOT_ONCE_PILE_IS_OUT),
    "free_fakes": (2, 2),
    "duel_limit_ms": (400, 400),
    "ending": (Ending.LAST_CARD, Ending.ALL_PAIRS),
    "scoring": (Scoring.FACE_VALUES, Scoring.PAIRS),
    "tie": (Tie.SHARED, Tie.FACE_VALUES),
}
"""What Classic and Modern answer."""


@pytest.mark.parametrize("ruling", RULINGS)
def test_the_presets_answer_as_their_rule_books_do(ruling: str) -> None:
    assert (getattr(CLASSIC, ruling), getattr(MODERN, ruling)) == RULINGS[ruling]


def test_every_ruling_is_in_the_table_above_and_none_has_a_default() -> None:
    assert {field.name for field in fields(Edition)} == {"name", *RULINGS}
    assert all(field.required for field in fields(Edition))


def test_classic_junior_is_classic_with_another_score() -> None:
    assert replace(CLASSIC_JUNIOR, name="Classic", scoring=Scoring.FACE_VALUES) == CLASSIC
    assert CLASSIC_JUNIOR.scoring is Scoring.JUNIOR


def test_the_presets_are_three() -> None:
    assert PRESETS == {"classic": CLASSIC, "classic-junior": CLASSIC_JUNIOR, "modern": MODERN}
    assert [edition.name for edition in PRESETS.values()] == ["Classic", "Classic Junior", "Modern"]


def test_b19_an_end_by_the_last_card_does_not_fit_draws_from_opponents() -> None:
    with pytest.raises(UnfitEdition, match="nobody could ever draw from an opponent"):
        replace(CLASSIC, pile_out=PileOut.FROM_OPPONENT)
    with pytest.raises(UnfitEdition, match="nobody could ever draw from an opponent"):
        replace(MODERN, ending=Ending.LAST_CARD)


def test_b19_a_wild_joker_does_not_fit_an_end_at_all_pairs_laid() -> None:
    with pytest.raises(UnfitEdition, match="wild joker"):
        replace(MODERN, joker=JokerPower.WILD_ONCE)
    without = Deck(highest=10, smiling=False, sad=False)
    assert replace(MODERN, joker=JokerPower.WILD_ONCE, deck=without).deck == without


def test_b19_a_game_that_goes_on_without_a_pile_must_draw_from_somewhere() -> None:
    with pytest.raises(UnfitEdition, match="something must be drawn"):
        replace(MODERN, pile_out=PileOut.NO_DRAW)


def test_b19_a_score_in_pairs_says_nothing_of_the_sad_joker() -> None:
    with pytest.raises(UnfitEdition, match="Sad Joker"):
        replace(CLASSIC, scoring=Scoring.PAIRS)
    with pytest.raises(UnfitEdition, match="Sad Joker"):
        replace(MODERN, deck=CLASSIC.deck)


@pytest.mark.parametrize("preset", PRESETS.values(), ids=list(PRESETS))
def test_b19_any_other_ruling_may_be_taken_over_from_the_other_edition(preset: Edition) -> None:
    other = CLASSIC if preset is MODERN else MODERN
    for name in (
        "dealer",
        "empty_hand_draw",
        "early_touch",
        "jam",
        "full_press_ms",
        "empty_slam",
        "pass_with_pair",
        "tie",
    ):
        mixed = replace(preset, name="Mixed", **{name: getattr(other, name)})
        assert getattr(mixed, name) == getattr(other, name)


@pytest.mark.parametrize(
    ("field", "lowest", "highest"), [("full_press_ms", 0, 200), ("free_fakes", 0, 20), ("duel_limit_ms", 0, 2000)]
)
def test_b19_numbers_have_their_range(field: str, lowest: int, highest: int) -> None:
    for value in (lowest, highest):
        assert getattr(replace(MODERN, **{field: value}), field) == value
    for value in (lowest - 1, highest + 1):
        with pytest.raises(UnfitEdition, match=f"{field} is {value}"):
            replace(MODERN, **{field: value})


@pytest.mark.parametrize("name", ["", "x" * 41, 'say "hi"', "two\nlines", "\x00"])
def test_a_name_must_fit_into_a_heading(name: str) -> None:
    with pytest.raises(UnfitEdition, match="1 to 40"):
        replace(MODERN, name=name)


@pytest.mark.parametrize("highest", [-1, 0, 1, 11])
def test_a_deck_runs_from_one_to_a_number_of_two_to_ten(highest: int) -> None:
    with pytest.raises(ValueError, match="2 to 10"):
        Deck(highest=highest, smiling=True, sad=False)


def test_an_edition_travels_as_json_and_is_judged_on_arrival() -> None:
    for edition in PRESETS.values():
        assert msgspec.json.decode(msgspec.json.encode(edition), type=Edition) == edition
    raw = msgspec.to_builtins(MODERN)
    for change in (
        {"ending": "last-card"},
        {"ending": "never"},
        {"free_fakes": -1},
        {"free_fakes": "2"},
        {"deck": {"highest": 11, "smiling": True, "sad": False}},
        {"deck": {"highest": 10, "smiling": True, "sad": False, "surprise": 1}},
        {"surprise": 1},
    ):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(raw | change, type=Edition)
    del raw["tie"]
    with pytest.raises(msgspec.ValidationError, match="tie"):
        msgspec.convert(raw, type=Edition)


def test_an_edition_cannot_be_changed_once_made() -> None:
    with pytest.raises(AttributeError):
        MODERN.free_fakes = 3  # type: ignore[misc]


def test_every_ruling_with_answers_is_a_closed_list_of_two_or_three() -> None:
    for field in fields(Edition):
        if isinstance(field.type, type) and issubclass(field.type, Enum):
            assert 2 <= len(field.type) <= 3
