"""What a game is worth to each player, and who wins (C10-C12, M13, M14)."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias, assert_never

import msgspec

from slamomatic.game.cards import Card, Hand, Pair
from slamomatic.game.edition import Edition, Scoring, Tie
from slamomatic.game.state import State

JOKER_LAID_OR_HELD = 10
SAD_HELD = -20
JUNIOR_JOKER_LAID = 5
JUNIOR_SAD_HELD = -5
PAIRS_JOKER_HELD = 2
TIE_JOKER_HELD = 20


class Source(StrEnum):
    """Where points come from."""

    LAID = "laid"
    HELD = "held"
    ASIDE = "aside"
    """Lost to C8 after the pile was out: it counts as if held (C9)."""


class Line(msgspec.Struct, frozen=True, gc=False):
    """One line of the count: these cards, lying there, are worth so many points."""

    source: Source
    cards: Hand
    points: int


class Score(msgspec.Struct, frozen=True, gc=False):
    """One player's count; ``total`` is the sum of its lines."""

    seat: int
    total: int
    lines: tuple[Line, ...]
    tie_break: int | None
    """The second count among those tied for the win (M14); None for everyone else."""
    wins: bool
    """Highest total, and highest tie-break where there is one; equals share the win (C12, M14)."""


Scores: TypeAlias = tuple[Score, ...]


def score(state: State) -> Scores:
    """The count as things stand, in seat order; final once ``state.ended`` is set."""
    edition = state.edition
    counts = [
        _lines(edition, laid, hand, aside)
        for laid, hand, aside in zip(state.laid, state.hands, state.aside, strict=True)
    ]
    totals = [sum(line.points for line in lines) for lines in counts]
    tied = [at for at, total in enumerate(totals) if total == max(totals)]
    breaks = _tie_breaks(state, tied)
    best = [at for at in tied if breaks.get(at, 0) == max(breaks.values(), default=0)]
    return tuple(Score(seat, totals[at], counts[at], breaks.get(at), at in best) for at, seat in enumerate(state.seats))


def laid_points(edition: Edition, laid: tuple[Pair, ...]) -> int:
    """What these laid pairs are worth: the score everyone at the table can see."""
    return sum(_laid(edition.scoring, card) for pair in laid for card in pair) // (
        2 if edition.scoring is Scoring.PAIRS else 1
    )


def _lines(edition: Edition, laid: tuple[Pair, ...], hand: Hand, aside: Hand) -> tuple[Line, ...]:
    cards = tuple(card for pair in laid for card in pair)
    rows = (
        Line(Source.LAID, cards, laid_points(edition, laid)),
        Line(Source.HELD, hand, sum(_held(edition.scoring, card) for card in hand)),
        Line(Source.ASIDE, aside, sum(_held(edition.scoring, card) for card in aside)),
    )
    return tuple(row for row in rows if row.cards)


def _laid(scoring: Scoring, card: Card) -> int:
    match scoring:
        case Scoring.FACE_VALUES:
            return JOKER_LAID_OR_HELD if card is Card.SMILING else int(card)
        case Scoring.JUNIOR:
            return JUNIOR_JOKER_LAID if card is Card.SMILING else 1
        case Scoring.PAIRS:
            return 1
        case _:
            assert_never(scoring)


def _held(scoring: Scoring, card: Card) -> int:
    match scoring:
        case Scoring.FACE_VALUES:
            if card is Card.SAD:
                return SAD_HELD
            return -JOKER_LAID_OR_HELD if card is Card.SMILING else -int(card)
        case Scoring.JUNIOR:
            return JUNIOR_SAD_HELD if card is Card.SAD else -1
        case Scoring.PAIRS:
            return PAIRS_JOKER_HELD if card is Card.SMILING else 0
        case _:
            assert_never(scoring)


def _tie_breaks(state: State, tied: list[int]) -> dict[int, int]:
    """The second count of those tied, by their place in the seat order; empty where there is none (C12, M14)."""
    match state.edition.tie:
        case Tie.SHARED:
            return {}
        case Tie.FACE_VALUES:
            if len(tied) == 1:
                return {}
            return {at: _tie_break(state.laid[at], state.hands[at]) for at in tied}
        case _:
            assert_never(state.edition.tie)


def _tie_break(laid: tuple[Pair, ...], hand: Hand) -> int:
    """M14: a pair counts its face value once, the joker 20, wherever it is (a wild one stands first in its pair)."""
    joker = TIE_JOKER_HELD * (Card.SMILING in hand or any(pair[0] is Card.SMILING for pair in laid))
    return joker + sum(int(pair[1]) for pair in laid)
