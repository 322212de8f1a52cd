"""The cards of Hands Down and the decks they come in.

A card is what is printed on it: four sevens are four equal cards, as they are to a player. Hands are kept
sorted, so that the order of a hand says nothing about where its cards came from (B11).
"""

from __future__ import annotations

from bisect import bisect
from enum import IntEnum
from functools import cache
from typing import TypeAlias

import msgspec

COPIES_OF_A_RANK = 4
"""Every number stands four times in every deck (C1, M1), which is why four of a rank are two pairs (B4)."""


class Card(IntEnum):
    """One printed card: a number from 1 to 10, or one of the two jokers.

    The Modern deck has one joker; it is the smiling one, there without its power (M3).
    """

    ONE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    SMILING = 11
    SAD = 12

    def __str__(self) -> str:
        """The card as the notation writes it: ``7``, ``10``, ``smiling``, ``sad``."""
        return str(int(self)) if self.is_number else self.name.lower()

    def __repr__(self) -> str:
        return str(self)

    @property
    def is_number(self) -> bool:
        """True for 1 to 10, false for the jokers."""
        return self <= Card.TEN

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read a card as :meth:`__str__` writes it.

        Raises:
            ValueError: the text names no card.
        """
        try:
            return _BY_NAME[text]
        except KeyError:
            raise ValueError(f"{text!r} is not a card: write 1 to 10, smiling or sad") from None


_BY_NAME = {str(card): card for card in Card}

Hand: TypeAlias = tuple[Card, ...]
"""Cards in ascending order; an owner may look, nobody else may (B11)."""

Pair: TypeAlias = tuple[Card, Card]
"""Two cards laid together; with the wild joker, the joker stands first (C4)."""


def with_card(hand: Hand, card: Card) -> Hand:
    """The hand with one card more, still in order."""
    at = bisect(hand, card)
    return (*hand[:at], card, *hand[at:])


def without_card(hand: Hand, card: Card) -> Hand:
    """The hand with one such card less.

    Raises:
        ValueError: the hand holds no such card.
    """
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


class Deck(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Which cards are in the box: the numbers 1 to ``highest``, four of each, and the jokers (C1, M1)."""

    highest: int
    smiling: bool
    sad: bool

    def __post_init__(self) -> None:
        if not 2 <= self.highest <= int(Card.TEN):
            raise ValueError(f"a deck runs from 1 to a highest number of 2 to 10, not {self.highest}")

    @property
    def numbers(self) -> int:
        """How many numbered cards there are."""
        return self.highest * COPIES_OF_A_RANK

    @property
    def cards(self) -> Hand:
        """All its cards, in order."""
        return _cards_of(self)

    def __len__(self) -> int:
        return self.numbers + self.smiling + self.sad


@cache
def _cards_of(deck: Deck) -> Hand:
    numbers = (Card(n) for n in range(1, deck.highest + 1) for _ in range(COPIES_OF_A_RANK))
    jokers = ((Card.SMILING, deck.smiling), (Card.SAD, deck.sad))
    return (*numbers, *(card for card, there in jokers if there))


DECK_42 = Deck(highest=10, smiling=True, sad=True)
"""The deck of 1964: two jokers (C1)."""

DECK_41 = Deck(highest=10, smiling=True, sad=False)
"""The modern deck: one joker (M1)."""
