"""A player's errors at the unit: a short press, a touch without a pair (C8, C9, M8, M9)."""

from __future__ import annotations

from typing import assert_never

from slamomatic.game.chance import Rng, pick
from slamomatic.game.commands import Take
from slamomatic.game.duties import MustBury
from slamomatic.game.edition import EmptySlam
from slamomatic.game.events import CardBuried, Judged, Outcome, TurnEnd
from slamomatic.game.state import State
from slamomatic.game.verdict import Verdict

EMPTY_SLAMS_A_TURN = 2
"""C8: the second touch without a pair ends the turn."""


def short_press(seat: int, verdict: Verdict) -> Judged:
    """M8: the turn ends, and nothing else of that action counts. Which presses are short is the edition's to say."""
    return Judged(seat, verdict, Outcome.SHORT, (), TurnEnd.SHORT)


def empty_slam(state: State, verdict: Verdict) -> Judged:
    """A touch without a pair; whatever else the unit read counts for nothing (C8 against M9)."""
    seat = state.turn
    match state.edition.empty_slam:
        case EmptySlam.ENDS_TURN:
            return Judged(seat, verdict, Outcome.EMPTY, (), TurnEnd.EMPTY)
        case EmptySlam.LOSES_CARD:
            ends_turn = TurnEnd.EMPTY if state.empty_slams + 1 >= EMPTY_SLAMS_A_TURN else None
            return Judged(seat, verdict, Outcome.EMPTY, (MustBury(state.left_of(seat), seat),), ends_turn)
        case _:
            assert_never(state.edition.empty_slam)


def buried(state: State, command: Take, rng: Rng, *, aside: bool) -> tuple[CardBuried]:
    """C8: the card goes under the pile, seen by its loser alone; or aside, where C9 has closed the pile."""
    card = pick(rng, state.hand(command.loser))
    return (CardBuried(command.seat, command.loser, command.position, card, aside),)
