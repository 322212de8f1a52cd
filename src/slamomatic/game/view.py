"""What one seat, or a spectator, may know: the only door by which a state or an event leaves.

It is an allow-list: a field is in a view because someone wrote it there. Nothing in a view, its legal commands
included, depends on a card its viewer may not know (B11).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, assert_never

import msgspec
from msgspec.structs import replace

from slamomatic.game.cards import Hand, Pair
from slamomatic.game.commands import Command
from slamomatic.game.duties import Duty
from slamomatic.game.edition import Edition
from slamomatic.game.engine import legal
from slamomatic.game.events import (
    CardBuried,
    CardDrawn,
    CardTaken,
    Dealt,
    Event,
    Faked,
    GameEnd,
    GameEnded,
    Judged,
    LoserChosen,
    PairLaid,
    Passed,
    Slammed,
    TurnBegan,
    TurnEnded,
)
from slamomatic.game.faking import fakes_left
from slamomatic.game.scoring import Scores, laid_points, score
from slamomatic.game.state import State

Viewer: TypeAlias = int | None
"""A seat, or None for a spectator."""


class PlayerView(msgspec.Struct, frozen=True, gc=False):
    """One player, as a viewer sees him."""

    seat: int
    cards: int
    """How many cards the hand holds."""
    hand: Hand | None
    """Its cards: one's own, and everyone's once the game is over; else None."""
    laid: tuple[Pair, ...]
    laid_points: int
    aside: int
    """How many cards C8 took from him after the pile was out."""


class View(msgspec.Struct, frozen=True, gc=False):
    """The game as one viewer may know it."""

    viewer: Viewer
    edition: Edition
    dealer: int
    players: tuple[PlayerView, ...]
    """In seat order."""
    pile: int
    """How many cards the pile holds."""
    turn: int
    turn_number: int
    duties: tuple[Duty, ...]
    """What must be settled before the active player is free."""
    to_act: int | None
    """Who is waited for; None while the unit judges and when the game is over."""
    fakes_left: int
    """Fakes the active player may still make this turn that nobody falls for (B7)."""
    legal: tuple[Command, ...]
    """What this viewer may do now."""
    ended: GameEnd | None
    scores: Scores
    """The final count in seat order; empty until the game is over."""

    def player(self, seat: int) -> PlayerView:
        """The player at this seat.

        Raises:
            LookupError: nobody sits there.
        """
        for player in self.players:
            if player.seat == seat:
                return player
        raise LookupError(f"nobody sits at hand {seat}")


def view(state: State, viewer: Viewer) -> View:
    """The position as this seat, or a spectator (None), may know it.

    Raises:
        LookupError: nobody sits at that hand.
    """
    return views(state, (viewer,))[viewer]


def views(state: State, viewers: Iterable[Viewer]) -> dict[Viewer, View]:
    """The position as each of these may know it; what all of them may know is worked out once.

    Raises:
        LookupError: nobody sits at one of those hands.
    """
    over = state.ended is not None
    public = tuple(
        PlayerView(
            seat=seat,
            cards=len(hand),
            hand=hand if over else None,
            laid=laid,
            laid_points=laid_points(state.edition, laid),
            aside=len(aside),
        )
        for seat, hand, laid, aside in zip(state.seats, state.hands, state.laid, state.aside, strict=True)
    )
    of_spectators = View(
        viewer=None,
        edition=state.edition,
        dealer=state.dealer,
        players=public,
        pile=len(state.pile),
        turn=state.turn,
        turn_number=state.turn_number,
        duties=state.duties,
        to_act=state.to_act,
        fakes_left=fakes_left(state),
        legal=(),
        ended=state.ended,
        scores=score(state) if over else (),
    )
    return {viewer: of_spectators if viewer is None else _of_seat(state, viewer, of_spectators) for viewer in viewers}


def _of_seat(state: State, seat: int, public: View) -> View:
    """What a spectator may know, one's own hand, and what one may do."""
    if seat not in state.seats:
        raise LookupError(f"nobody sits at hand {seat}")
    at = state.seats.index(seat)
    own = replace(public.players[at], hand=state.hands[at])
    return replace(
        public,
        viewer=seat,
        players=(*public.players[:at], own, *public.players[at + 1 :]),
        legal=legal(state) if seat == public.to_act else (),
    )


def seen(event: Event, viewer: Viewer) -> Event:
    """The event as this viewer may know it: a card he may not know is None."""
    match event:
        case Dealt():
            hands = tuple(hand if seat == viewer else None for seat, hand in zip(event.seats, event.hands, strict=True))
            return replace(event, hands=hands, pile=None)
        case CardDrawn():
            return event if event.seat == viewer else replace(event, card=None)
        case CardTaken():
            return event if viewer in (event.seat, event.loser) else replace(event, card=None)
        case CardBuried():
            return event if event.loser == viewer else replace(event, card=None)
        case (
            TurnBegan()
            | Slammed()
            | Faked()
            | Judged()
            | PairLaid()
            | LoserChosen()
            | Passed()
            | TurnEnded()
            | GameEnded()
        ):
            return event
        case _:
            assert_never(event)
