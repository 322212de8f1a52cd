"""Before the first turn: seats, dealer, cards (B1, B2, C1, C2, M1, M2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from msgspec.structs import replace

from slamomatic.game.cards import Card, Deck
from slamomatic.game.chance import Rng, pick, shuffled
from slamomatic.game.commands import IllegalCommand
from slamomatic.game.drawing import turn_began
from slamomatic.game.edition import DealerChoice, Edition
from slamomatic.game.events import Dealt
from slamomatic.game.state import State

HANDS_OF_THE_UNIT = (1, 2, 3, 4)
"""Coral, yellow, green, sky blue (B1)."""

CARDS_DEALT = 4


def deal(edition: Edition, seats: int | Sequence[int], rng: Rng, dealer: int | None = None) -> State:
    """A new game, dealt and with the first turn begun.

    ``seats`` is a number of players (who take the hands 1, 2, ...) or the hands taken.

    Raises:
        IllegalCommand: as :func:`dealt` says.
    """
    hands = range(1, seats + 1) if isinstance(seats, int) else seats
    return start(dealt(edition, tuple(hands), rng, dealer))


def dealt(edition: Edition, seats: Sequence[int], rng: Rng, dealer: int | None = None) -> Dealt:
    """Choose the dealer, shuffle and deal.

    ``seats`` are the hands taken, in any order. ``dealer`` names who deals where the edition lets one be chosen; None
    leaves it to chance (M2).

    Raises:
        IllegalCommand: the seats are not 2 to 4 different hands of the unit, the deck is too small for them, or a
            dealer is named who does not sit there or where the cut decides.
    """
    order = tuple(sorted(seats))
    if not 2 <= len(order) <= len(HANDS_OF_THE_UNIT) or len(set(order)) < len(order):
        raise IllegalCommand("2 to 4 players sit down, each at a hand of his own")
    if not set(order) <= set(HANDS_OF_THE_UNIT):
        raise IllegalCommand("the hands of the unit are 1, 2, 3 and 4")
    if len(edition.deck) <= CARDS_DEALT * len(order):
        raise IllegalCommand(f"a deck of {len(edition.deck)} cards is too small for {len(order)} players")
    dealer, cuts = _dealer(edition, order, rng, dealer)
    cards = shuffled(rng, edition.deck.cards)
    at = order.index(dealer) + 1
    from_left = order[at:] + order[:at]
    dealt_out = CARDS_DEALT * len(order)
    hands = {seat: tuple(sorted(cards[place : dealt_out : len(order)])) for place, seat in enumerate(from_left)}
    return Dealt(
        edition=edition,
        seats=order,
        dealer=dealer,
        cuts=cuts,
        hands=tuple(hands[seat] for seat in order),
        pile=cards[dealt_out:],
    )


def start(event: Dealt) -> State:
    """The position after a deal (B2); the player on the dealer's left has the first turn (B3).

    Raises:
        ValueError: the deal is one that was shown to a viewer, with cards left out.
    """
    hands = tuple(hand for hand in event.hands if hand is not None)
    if event.pile is None or len(hands) < len(event.hands):
        raise ValueError("a deal shown to a viewer has cards left out, and cannot be played")
    seats = event.seats
    state = State(
        edition=event.edition,
        seats=seats,
        dealer=event.dealer,
        hands=hands,
        laid=((),) * len(seats),
        aside=((),) * len(seats),
        pile=event.pile,
        turn=seats[(seats.index(event.dealer) + 1) % len(seats)],
        duties=(),
    )
    return replace(state, duties=turn_began(state, state.turn).duties)


def _dealer(
    edition: Edition, seats: tuple[int, ...], rng: Rng, named: int | None
) -> tuple[int, tuple[tuple[Card, ...], ...]]:
    match edition.dealer:
        case DealerChoice.CHOSEN:
            if named is not None and named not in seats:
                raise IllegalCommand(f"nobody sits at hand {named}, so it cannot deal")
            return (pick(rng, seats) if named is None else named), ()
        case DealerChoice.CUT:
            if named is not None:
                raise IllegalCommand("the cut decides who deals")
            return _cut(edition.deck, seats, rng)
        case _:
            assert_never(edition.dealer)


def _cut(deck: Deck, seats: tuple[int, ...], rng: Rng) -> tuple[int, tuple[tuple[Card, ...], ...]]:
    """C2: highest deals, jokers below 1, those tied for highest cut again from the whole deck."""
    cards = deck.cards
    rounds = []
    tied = seats
    while len(tied) > 1:
        cuts = tuple(pick(rng, cards) for _ in tied)
        rounds.append(cuts)
        highest = max(map(_cut_rank, cuts))
        tied = tuple(seat for seat, card in zip(tied, cuts, strict=True) if _cut_rank(card) == highest)
    return tied[0], tuple(rounds)


def _cut_rank(card: Card) -> int:
    return int(card) if card.is_number else 0
