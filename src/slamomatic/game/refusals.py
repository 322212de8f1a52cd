"""Why a command is refused, in words for a player. Like a view, it tells nobody of a card he may not know (B11)."""

from __future__ import annotations

from typing import assert_never

from slamomatic.game.commands import Command, Fake, Judge, Pass, Slam
from slamomatic.game.duties import AwaitVerdict, MustBury, MustChoose, MustDraw, MustLay, MustTake
from slamomatic.game.state import State


def refusal(state: State, command: Command) -> str:
    """Why :func:`~slamomatic.game.engine.legal` does not list this command."""
    if state.ended is not None:
        return "the game is over"
    if isinstance(command, Judge):
        if state.to_act is not None:
            return "there is nothing for the unit to judge"
        return "the unit cannot give this verdict here"
    if command.seat not in state.seats:
        return f"nobody sits at hand {command.seat}"
    if state.to_act is None:
        return "wait for the unit"
    if command.seat != state.to_act:
        return f"it is for hand {state.to_act} to act"
    if not state.duties:
        return _not_free_to(state, command)
    duty = state.duties[0]
    match duty:
        case MustDraw():
            if state.pile:
                return "draw from the pile first"
            return "the pile is out: take a card from an opponent who has one, at a position of that hand"
        case MustLay():
            return "lay a pair that you hold"
        case MustTake() | MustBury():
            return f"take a card from hand {duty.loser}, at one of its {len(state.hand(duty.loser))} positions"
        case MustChoose():
            return f"choose who loses a card: {' or '.join(map(str, duty.among))}"
        case AwaitVerdict():
            return "wait for the unit"
        case _:
            assert_never(duty)


def _not_free_to(state: State, command: Command) -> str:
    match command:
        case Slam():
            return "without cards you have no part at the unit: pass"
        case Fake():
            if not state.hand(state.turn):
                return "without cards you have no part at the unit: pass"
            if not state.has_racers:
                return "no opponent has a card, so there is nobody to fool"
            return f"no fakes left: {state.edition.free_fakes} a turn may go by that nobody falls for"
        case Pass():
            return "the pile is out: with a pair in hand you must slam"
        case _:
            return "slam, fake or pass"
