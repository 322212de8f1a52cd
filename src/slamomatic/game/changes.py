"""What each event changes: the fold that makes a game of its events.

It applies facts and asks no ruling, so a recorded game replays to the same end in every later version.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from slamomatic.game.cards import with_card, without_card
from slamomatic.game.dealing import start
from slamomatic.game.duties import AwaitVerdict, MustTake, Why
from slamomatic.game.events import (
    CardBuried,
    CardDrawn,
    CardTaken,
    Dealt,
    Event,
    Faked,
    GameEnded,
    Judged,
    LoserChosen,
    Outcome,
    PairLaid,
    Passed,
    Slammed,
    TurnBegan,
    TurnEnd,
    TurnEnded,
)
from slamomatic.game.state import State
from slamomatic.game.verdict import Action


def evolve(state: State, event: Event) -> State:
    """The position after this event. An event as a viewer saw it, a card left out, cannot be applied."""
    return CHANGES[type(event)](state, event)


def _at(values: tuple[Any, ...], at: int, value: Any) -> tuple[Any, ...]:
    return (*values[:at], value, *values[at + 1 :])


def _dealt(_state: State, event: Dealt) -> State:
    return start(event)


def _turn_began(state: State, event: TurnBegan) -> State:
    return replace(
        state,
        turn=event.seat,
        duties=event.duties,
        turn_number=state.turn_number + 1,
        fizzled=0,
        empty_slams=0,
        idle_actions=0,
        over=None,
    )


def _card_drawn(state: State, event: CardDrawn) -> State:
    assert event.card is not None, "an event shown to a viewer cannot be applied"
    at = state.index(event.seat)
    return replace(
        state,
        hands=_at(state.hands, at, with_card(state.hands[at], event.card)),
        pile=state.pile[1:],
        duties=state.duties[1:] if event.why is Why.TURN else state.duties,
    )


def _card_taken(state: State, event: CardTaken) -> State:
    assert event.card is not None, "an event shown to a viewer cannot be applied"
    taker, loser = state.index(event.seat), state.index(event.loser)
    hands = _at(state.hands, loser, without_card(state.hands[loser], event.card))
    return replace(
        state,
        hands=_at(hands, taker, with_card(hands[taker], event.card)),
        duties=state.duties[1:],
    )


def _card_buried(state: State, event: CardBuried) -> State:
    assert event.card is not None, "an event shown to a viewer cannot be applied"
    at = state.index(event.loser)
    aside = state.aside
    return replace(
        state,
        hands=_at(state.hands, at, without_card(state.hands[at], event.card)),
        pile=state.pile if event.aside else (*state.pile, event.card),
        aside=_at(aside, at, with_card(aside[at], event.card)) if event.aside else aside,
        duties=state.duties[1:],
    )


def _slammed(state: State, event: Slammed) -> State:
    return replace(state, duties=(AwaitVerdict(event.seat, Action.SLAM),), idle_actions=state.idle_actions + 1)


def _faked(state: State, event: Faked) -> State:
    return replace(state, duties=(AwaitVerdict(event.seat, Action.FAKE),), idle_actions=state.idle_actions + 1)


def _judged(state: State, event: Judged) -> State:
    return replace(
        state,
        duties=event.duties,
        over=event.ends_turn,
        fizzled=state.fizzled + (event.outcome is Outcome.FIZZLED),
        empty_slams=state.empty_slams + (event.outcome is Outcome.EMPTY),
    )


def _pair_laid(state: State, event: PairLaid) -> State:
    at = state.index(event.seat)
    first, second = event.pair
    hand = without_card(without_card(state.hands[at], first), second)
    return replace(
        state,
        hands=_at(state.hands, at, hand),
        laid=_at(state.laid, at, (*state.laid[at], event.pair)),
        duties=event.duties,
        paired_turn=state.turn_number,
        idle_actions=0,
    )


def _loser_chosen(state: State, event: LoserChosen) -> State:
    return replace(state, duties=(MustTake(event.seat, event.loser, Why.LAST), *state.duties[1:]))


def _passed(state: State, _event: Passed) -> State:
    return replace(state, over=TurnEnd.PASS)


def _turn_ended(state: State, _event: TurnEnded) -> State:
    return state


def _game_ended(state: State, event: GameEnded) -> State:
    return replace(state, ended=event.why)


CHANGES: dict[type, Callable[[State, Any], State]] = {
    Dealt: _dealt,
    TurnBegan: _turn_began,
    CardDrawn: _card_drawn,
    CardTaken: _card_taken,
    CardBuried: _card_buried,
    Slammed: _slammed,
    Faked: _faked,
    Judged: _judged,
    PairLaid: _pair_laid,
    LoserChosen: _loser_chosen,
    Passed: _passed,
    TurnEnded: _turn_ended,
    GameEnded: _game_ended,
}
"""What each kind of event does to a position."""
