"""What must hold in every game, whatever is played; looked for in games that were.

Each function says in words what does not hold, or returns None.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import reduce
from itertools import chain, islice

import msgspec
from msgspec.structs import replace

from slamomatic.game import Card, State, evolve, legal, score, start, view
from slamomatic.game.chance import Rng, pick, shuffled
from slamomatic.game.edition import JokerPower, Scoring
from slamomatic.game.events import Dealt, Event, GameEnd
from slamomatic.game.scoring import PAIRS_JOKER_HELD
from slamomatic.game.view import Viewer

EYES_ON_ONE_IN = 4
"""Secrecy is looked into at one position in so many, by one viewer: it costs more than playing does."""


def breach(deal: Dealt, played: Iterable[Iterable[Event]], end: State, rng: Rng) -> str | None:
    """The first thing that does not hold in a whole game, told by the events of each of its commands.

    ``rng`` chooses where secrecy is looked into.
    """
    state = start(deal)
    reason = _amiss(state, rng)
    if reason is not None:
        return f"after the deal {reason}"
    for number, events in enumerate(played, 1):
        state = reduce(evolve, events, state)
        reason = _amiss(state, rng)
        if reason is not None:
            return f"after command {number} {reason}"
    return wrong_end(end) if state == end else "its events lead to another end"


def _amiss(state: State, rng: Rng) -> str | None:
    reason = cards_astray(state) or pairs_amiss(state) or stuck(state)
    if reason is None and rng.random() < 1 / EYES_ON_ONE_IN:
        return secret_shown(state, pick(rng, (*state.seats, None)), rng)
    return reason


def cards_astray(state: State) -> str | None:
    """Every card of the deck is in exactly one place: pile, a hand, laid, or set aside by C9."""
    places = chain(state.pile, *state.hands, *state.aside, *chain.from_iterable(state.laid))
    if tuple(sorted(places)) != state.edition.deck.cards:
        return "a card is lost or doubled"
    return None


def pairs_amiss(state: State) -> str | None:
    """The numbered cards not laid are even in number, rank by rank; but for one rank once a wild joker is laid."""
    laid = Counter(card for pair in chain.from_iterable(state.laid) for card in pair)
    jokers = laid.pop(Card.SMILING, 0)
    odd = sum(count % 2 for count in laid.values())
    if Card.SAD in laid or odd != jokers or (jokers and state.edition.joker is not JokerPower.WILD_ONCE):
        return "something is laid that is no pair"
    return None


def stuck(state: State) -> str | None:
    """Somebody can act, or the unit can judge, until the game is over; and nobody once it is."""
    if bool(legal(state)) is (state.ended is not None):
        return "nobody can act" if state.ended is None else "somebody can act after the end"
    return None


def secret_shown(state: State, viewer: Viewer, rng: Rng) -> str | None:
    """Who may act, what is legal and what a viewer is shown stay the same whatever cards lie where he cannot look."""
    if state.ended is None and _bytes(state, viewer) != _bytes(_reshuffled(state, viewer, rng), viewer):
        return f"what {'a spectator' if viewer is None else f'hand {viewer}'} is shown depends on a hidden card"
    return None


def _bytes(state: State, viewer: Viewer) -> bytes:
    return msgspec.json.encode(view(state, viewer))


def _reshuffled(state: State, viewer: Viewer, rng: Rng) -> State:
    """The same position to this viewer: pile, others' hands and cards set aside are mixed, and laid out again."""
    own = state.seats.index(viewer) if viewer is not None else None
    others = [() if at == own else hand for at, hand in enumerate(state.hands)]
    cards = iter(shuffled(rng, chain(state.pile, *others, *state.aside)))
    pile, *heaps = [tuple(islice(cards, len(heap))) for heap in (state.pile, *others, *state.aside)]
    heaps = [tuple(sorted(heap)) for heap in heaps]
    players = len(state.seats)
    hands = [state.hands[at] if at == own else heap for at, heap in enumerate(heaps[:players])]
    return replace(state, pile=pile, hands=tuple(hands), aside=tuple(heaps[players:]))


def wrong_end(state: State) -> str | None:
    """A game that ended by its last pair has all of them laid, and in a count of pairs 22 points (M12, M13)."""
    if state.ended is not GameEnd.ALL_PAIRS:
        return None
    deck = state.edition.deck
    pairs = sum(map(len, state.laid))
    if 2 * pairs != deck.numbers:
        return f"it ended with {pairs} pairs laid"
    points = sum(count.total for count in score(state))
    if state.edition.scoring is Scoring.PAIRS and points != pairs + PAIRS_JOKER_HELD * deck.smiling:
        return f"its points sum to {points}"
    return None
