"""The rules at work: what is legal, and what a command leads to. Dispatch only; the sections decide.

Two laws hold it together:
- :func:`legal` is the judge: a command is allowed if it is listed, and :func:`play` refuses everything else;
- a command leads to its events and to all that follows by itself, up to the next thing someone must do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache, reduce
from typing import Any, NamedTuple, assert_never

from slamomatic.game import drawing, ending, faking, fouls, slamming
from slamomatic.game.chance import Rng
from slamomatic.game.changes import CHANGES, evolve
from slamomatic.game.commands import (
    Choose,
    Command,
    Draw,
    Fake,
    IllegalCommand,
    Judge,
    Lay,
    Pass,
    Slam,
    Take,
)
from slamomatic.game.dealing import start
from slamomatic.game.duties import AwaitVerdict, MustBury, MustChoose, MustDraw, MustLay, MustTake, Why
from slamomatic.game.edition import Edition
from slamomatic.game.events import Dealt, Event
from slamomatic.game.refusals import refusal
from slamomatic.game.state import State
from slamomatic.game.verdict import Action, possible


class Played(NamedTuple):
    """What a command led to."""

    state: State
    events: tuple[Event, ...]


def legal(state: State) -> tuple[Command, ...]:
    """Every command the game accepts now, in a fixed order; none once the game is over.

    While the unit judges they are its possible verdicts; else they are those of ``state.to_act``.
    """
    if state.ended is not None:
        return ()
    if not state.duties:
        hand = state.hand(state.turn)
        return _free(state.turn, slamming.may_slam(hand), faking.may_fake(state, hand), ending.may_pass(state, hand))
    duty = state.duties[0]
    match duty:
        case MustDraw():
            return drawing.draws(state, duty)
        case AwaitVerdict():
            return _judgements(state.edition, state.holders, duty.seat, duty.action)
        case MustLay():
            return slamming.lays(state, duty)
        case MustTake() | MustBury():
            return drawing.takes(duty.seat, duty.loser, len(state.hand(duty.loser)))
        case MustChoose():
            return tuple([Choose(duty.seat, loser) for loser in duty.among])
        case _:
            assert_never(duty)


@lru_cache(maxsize=64)
def _free(seat: int, may_slam: bool, may_fake: bool, may_pass: bool) -> tuple[Command, ...]:
    """What the active player may do of his own accord (B7)."""
    commands = ((may_slam, Slam(seat)), (may_fake, Fake(seat)), (may_pass, Pass(seat)))
    return tuple(command for allowed, command in commands if allowed)


@lru_cache(maxsize=512)
def _judgements(edition: Edition, holders: tuple[int, ...], seat: int, action: Action) -> tuple[Judge, ...]:
    racers = tuple(holder for holder in holders if holder != seat)
    return tuple(map(Judge, possible(edition, racers, action)))


def decide(state: State, command: Command, rng: Rng) -> tuple[Event, ...]:
    """The events this command leads to; the state is untouched.

    Raises:
        IllegalCommand: the command is not in :func:`legal`; the message tells the player why.
    """
    return play(state, command, rng).events


def play(state: State, command: Command, rng: Rng) -> Played:
    """The command's events, and the position they lead to.

    Raises:
        IllegalCommand: the command is not in :func:`legal`; the message tells the player why.
    """
    allowed = legal(state)
    try:
        listed = allowed[allowed.index(command)]
    except ValueError:
        raise IllegalCommand(refusal(state, command)) from None
    return Played(*carry_out(state, listed, rng))


def carry_out(state: State, command: Command, rng: Rng) -> tuple[State, tuple[Event, ...]]:
    """:func:`play` for a command just taken from :func:`legal`, and so not checked again: for simulations."""
    events: tuple[Event, ...] = ()
    new = _RULES[type(command)](state, command, rng)
    while new:
        for event in new:
            state = CHANGES[type(event)](state, event)  # evolve, without a call for each event
        events += new
        new = () if state.duties else ending.consequences(state)
    return state, events


def replay(dealing: Dealt, events: Iterable[Event]) -> State:
    """The position a recorded game leads to."""
    return reduce(evolve, events, start(dealing))


def _take(state: State, command: Take, rng: Rng) -> tuple[Event, ...]:
    duty = state.duties[0]
    if isinstance(duty, MustBury):
        return fouls.buried(state, command, rng, aside=ending.pile_is_closed(state))
    why = duty.why if isinstance(duty, MustTake) else Why.TURN
    return drawing.taken(state, command, rng, why)


def _judge(state: State, command: Judge, _rng: Rng) -> tuple[Event, ...]:
    duty = state.duties[0]
    assert isinstance(duty, AwaitVerdict)
    judged = slamming.judged if duty.action is Action.SLAM else faking.judged
    return (judged(state, command.verdict),)


_RULES: dict[type, Callable[[State, Any, Rng], tuple[Event, ...]]] = {
    Draw: drawing.drawn,
    Take: _take,
    Slam: slamming.slammed,
    Fake: faking.faked,
    Judge: _judge,
    Lay: slamming.laid,
    Choose: slamming.chosen,
    Pass: ending.passed,
}
"""What each command leads to, once it is known to be legal."""
