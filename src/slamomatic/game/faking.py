"""Fakes: a reach withdrawn untouched (B7, B8, B9)."""

from __future__ import annotations

from slamomatic.game.cards import Hand
from slamomatic.game.chance import Rng
from slamomatic.game.commands import Fake
from slamomatic.game.duties import MustTake, Why
from slamomatic.game.events import Faked, Judged, Outcome
from slamomatic.game.state import State
from slamomatic.game.verdict import Verdict


def fakes_left(state: State) -> int:
    """How many more fakes may go by this turn that nobody falls for (B7)."""
    return state.edition.free_fakes - state.fizzled


def may_fake(state: State, hand: Hand) -> bool:
    """With a card in one's own hand, an opponent to fool, and a fake left (B7, B9)."""
    return fakes_left(state) > 0 and bool(hand) and state.has_racers


def faked(_state: State, command: Fake, _rng: Rng) -> tuple[Faked]:
    """The hand was withdrawn; who fell for it is for the unit to say."""
    return (Faked(command.seat),)


def judged(state: State, verdict: Verdict) -> Judged:
    """Everyone who fell for it loses a card to the faker, from his left round the table (B8)."""
    seat = state.turn
    if not verdict.early:
        return Judged(seat, verdict, Outcome.FIZZLED, (), None)
    fooled = [loser for loser in state.from_left_of(seat) if loser in verdict.early]
    return Judged(seat, verdict, Outcome.FOOLED, tuple([MustTake(seat, loser, Why.FOOLED) for loser in fooled]), None)
