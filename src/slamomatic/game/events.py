"""What has happened: facts in the past tense. A game is the fold of its events, chance included.

An event holds all it needs to be applied: which card was taken, what is now due. So applying it interprets no ruling
and needs no generator. In an event shown to a viewer (:mod:`~slamomatic.game.view`) a card he may not know is ``None``.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

import msgspec

from slamomatic.game.cards import Card, Hand, Pair
from slamomatic.game.duties import Duty, Why
from slamomatic.game.edition import Edition
from slamomatic.game.verdict import Verdict


class Outcome(StrEnum):
    """What the rules make of a verdict."""

    PAIR = "pair"
    """A Hands Down that counts: a pair is laid."""
    SHORT = "short"
    """A short press (M8)."""
    VOID = "void"
    """A jam by which the action does not count (M7)."""
    EMPTY = "empty"
    """A touch without a pair (C8, M9)."""
    FOOLED = "fooled"
    """A fake that somebody fell for (B8)."""
    FIZZLED = "fizzled"
    """A fake that nobody fell for (B7)."""


class TurnEnd(StrEnum):
    """Why a turn ended."""

    PASS = "pass"
    """It was passed (B7)."""
    SHORT = "short"
    """A short press (M8)."""
    EMPTY = "empty"
    """A touch without a pair (M9), or the second one in a turn (C8)."""
    STALL = "stall"
    """Too many slams and fakes without a pair laid (B14)."""


class GameEnd(StrEnum):
    """Why a game ended."""

    LAST_CARD = "last-card"
    """The pile's last card was taken (C9)."""
    ALL_PAIRS = "all-pairs"
    """All numbered cards are laid (M12)."""
    STALL = "stall"
    """Nobody laid a pair for too long (B14)."""


class Dealt(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A game began: who sits where, who deals, and every card's place (B1, B2, C2, M2)."""

    edition: Edition
    seats: tuple[int, ...]
    dealer: int
    cuts: tuple[tuple[Card, ...], ...]
    """Round by round, the card each of those still tied cut, in seat order; empty where the dealer is chosen (C2)."""
    hands: tuple[Hand | None, ...]
    """In seat order."""
    pile: Hand | None
    """Top first."""


class TurnBegan(msgspec.Struct, frozen=True, gc=False, tag=True):
    """It is this seat's turn, with these draws to make (B3)."""

    seat: int
    duties: tuple[Duty, ...]


class CardDrawn(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The top card of the pile went to this seat."""

    seat: int
    card: Card | None
    why: Why


class CardTaken(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A card went from the loser's hand to this seat's; the two of them know it (B11)."""

    seat: int
    loser: int
    position: int
    card: Card | None
    why: Why


class CardBuried(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The loser's card went under the pile, or aside once there is none; the loser alone knows it (C8, C9)."""

    seat: int
    loser: int
    position: int
    card: Card | None
    aside: bool


class Slammed(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The active player's hand landed."""

    seat: int


class Faked(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The active player's hand was withdrawn untouched."""

    seat: int


class Judged(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The unit gave its verdict, and this is what it means by the rules in play."""

    seat: int
    verdict: Verdict
    outcome: Outcome
    duties: tuple[Duty, ...]
    ends_turn: TurnEnd | None


class PairLaid(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A pair was laid, face up, for its owner; the duties are what others now owe for it."""

    seat: int
    pair: Pair
    duties: tuple[Duty, ...]


class LoserChosen(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The slammer named the one of several who loses the card (B12)."""

    seat: int
    loser: int


class Passed(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The active player said "pass"."""

    seat: int


class TurnEnded(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The turn is over."""

    seat: int
    why: TurnEnd


class GameEnded(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The game is over; :func:`~slamomatic.game.scoring.score` counts it."""

    why: GameEnd


Event: TypeAlias = (
    Dealt
    | TurnBegan
    | CardDrawn
    | CardTaken
    | CardBuried
    | Slammed
    | Faked
    | Judged
    | PairLaid
    | LoserChosen
    | Passed
    | TurnEnded
    | GameEnded
)
