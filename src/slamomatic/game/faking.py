"""Fakes: a reach withdrawn untouched (B7, B8, B9)."""

from __future__ import annotations

from slamomatic.game.duties import MustTake, Why
from slamomatic.game.events import Judged, Outcome
from slamomatic.game.state import State
from slamomatic.game.verdict import Verdict


def fakes_left(state: State) -> int:
    """How many more fakes may go by this turn that nobody falls for (B7)."""
    return state.edition.free_fakes - state.fizzled


def may_fake(state: State) -> bool:
    """With a card in one's own hand, an opponent to fool, and a fake left (B7, B9)."""
    return bool(state.hand(state.turn)) and fakes_left(state) > 0 and state.anyone_to_race


def judged(state: State, verdict: Verdict) -> Judged:
    """Everyone who fell for it loses a card to the faker, from his left round the table (B8)."""
    seat = state.turn
    duties = tuple(MustTake(seat, loser, Why.FOOLED) for loser in state.from_left_of(seat) if loser in verdict.early)
    return Judged(seat, verdict, Outcome.FOOLED if duties else Outcome.FIZZLED, duties, None)
