"""The rules at work: what is legal, what a command leads to, what an event changes. Dispatch only; the sections decide.

Three laws hold it together:
- :func:`legal` is the judge: a command is allowed if it is listed, and :func:`decide` refuses everything else;
- :func:`evolve` applies facts and asks no ruling, so a recorded game replays in every later version;
- a command leads to its events and to all that follows by itself, up to the next thing someone must do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import Any, NamedTuple, assert_never

from msgspec.structs import replace

from slamomatic.game import drawing, ending, faking, fouls, slamming
from slamomatic.game.cards import with_card, without_card
from slamomatic.game.chance import Rng
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
from slamomatic.game.dealing import dealt
from slamomatic.game.duties import (
    AwaitVerdict,
    MustBury,
    MustChoose,
    MustDraw,
    MustLay,
    MustTake,
    Why,
)
from slamomatic.game.edition import Edition
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
from slamomatic.game.verdict import Action, Verdict, possible


class Played(NamedTuple):
    """What a command led to."""

    state: State
    events: tuple[Event, ...]


def deal(edition: Edition, seats: int | Sequence[int], rng: Rng, dealer: int | None = None) -> State:
    """A new game, dealt and with the first turn begun.

    ``seats`` is a number of players (who take the hands 1, 2, ...) or the hands taken.

    Raises:
        IllegalCommand: as :func:`~slamomatic.game.dealing.dealt` says.
    """
    hands = range(1, seats + 1) if isinstance(seats, int) else seats
    return start(dealt(edition, tuple(hands), rng, dealer))


def start(event: Dealt) -> State:
    """The position after a deal (B2); the player on the dealer's left has the first turn (B3)."""
    assert event.pile is not None, "a deal shown to a viewer cannot be played"
    seats = event.seats
    first = seats[(seats.index(event.dealer) + 1) % len(seats)]
    state = State(
        edition=event.edition,
        seats=seats,
        dealer=event.dealer,
        hands=tuple(hand or () for hand in event.hands),
        laid=((),) * len(seats),
        aside=((),) * len(seats),
        pile=event.pile,
        turn=first,
        duties=(),
    )
    return replace(state, duties=drawing.turn_began(state, first).duties)


def legal(state: State) -> tuple[Command, ...]:
    """Every command the game accepts now, in a fixed order; none once the game is over.

    While the unit judges they are its possible verdicts; else they are those of ``state.to_act``.
    """
    if state.ended is not None:
        return ()
    if not state.duties:
        seat = state.turn
        free: list[Command] = []
        if slamming.may_slam(state):
            free.append(Slam(seat))
        if faking.may_fake(state):
            free.append(Fake(seat))
        if ending.may_pass(state):
            free.append(Pass(seat))
        return tuple(free)
    duty = state.duties[0]
    match duty:
        case MustDraw():
            return drawing.draws(state, duty)
        case AwaitVerdict():
            return tuple(map(Judge, possible(state.edition, state.racers, duty.action)))
        case MustLay():
            pairs = slamming.pairs_in(state.hand(duty.seat), state.edition)
            return tuple(Lay(duty.seat, pair) for pair in pairs)
        case MustTake() | MustBury():
            positions = range(len(state.hand(duty.loser)))
            return tuple(Take(duty.seat, duty.loser, position) for position in positions)
        case MustChoose():
            return tuple(Choose(duty.seat, loser) for loser in duty.among)
        case _:
            assert_never(duty)


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
    if command not in legal(state):
        raise IllegalCommand(refusal(state, command))
    new = _RULES[type(command)](state, command, rng)
    events: list[Event] = []
    while new:
        events += new
        state = reduce(evolve, new, state)
        new = ending.consequences(state)
    return Played(state, tuple(events))


def evolve(state: State, event: Event) -> State:
    """The position after this event; a fold that interprets no ruling."""
    return _CHANGES[type(event)](state, event)


def replay(dealing: Dealt, events: Iterable[Event]) -> State:
    """The position a recorded game leads to."""
    return reduce(evolve, events, start(dealing))


# What a command leads to.


def _draw(state: State, command: Draw, rng: Rng) -> list[Event]:
    return [drawing.drawn(state, command)]


def _take(state: State, command: Take, rng: Rng) -> list[Event]:
    duty = state.duties[0]
    if isinstance(duty, MustBury):
        return [fouls.buried(state, command, rng)]
    why = duty.why if isinstance(duty, MustTake) else Why.TURN
    return [drawing.taken(state, command, why, rng)]


def _slam(state: State, command: Slam, rng: Rng) -> list[Event]:
    slammed = Slammed(command.seat)
    if state.racers:
        return [slammed]
    return [slammed, slamming.judged(state, Verdict())]  # B10: nobody to race


def _fake(state: State, command: Fake, rng: Rng) -> list[Event]:
    return [Faked(command.seat)]


def _judge(state: State, command: Judge, rng: Rng) -> list[Event]:
    duty = state.duties[0]
    assert isinstance(duty, AwaitVerdict)
    judged = slamming.judged if duty.action is Action.SLAM else faking.judged
    return [judged(state, command.verdict)]


def _lay(state: State, command: Lay, rng: Rng) -> list[Event]:
    duty = state.duties[0]
    assert isinstance(duty, MustLay)
    return slamming.laid(state, command, duty.verdict)


def _choose(state: State, command: Choose, rng: Rng) -> list[Event]:
    return [slamming.chosen(command)]


def _pass(state: State, command: Pass, rng: Rng) -> list[Event]:
    return [Passed(command.seat)]


_RULES: dict[type, Callable[[State, Any, Rng], list[Event]]] = {
    Draw: _draw,
    Take: _take,
    Slam: _slam,
    Fake: _fake,
    Judge: _judge,
    Lay: _lay,
    Choose: _choose,
    Pass: _pass,
}


# What an event changes.


def _at(values: tuple[Any, ...], at: int, value: Any) -> tuple[Any, ...]:
    return (*values[:at], value, *values[at + 1 :])


def _dealt(state: State, event: Dealt) -> State:
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
    at = state.index(event.seat)
    card = state.pile[0]
    return replace(
        state,
        hands=_at(state.hands, at, with_card(state.hands[at], card)),
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
    return _await(state, Action.SLAM)


def _faked(state: State, event: Faked) -> State:
    return _await(state, Action.FAKE)


def _await(state: State, action: Action) -> State:
    return replace(
        state,
        duties=(AwaitVerdict(state.turn, action),),
        idle_actions=state.idle_actions + 1,
    )


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


def _passed(state: State, event: Passed) -> State:
    return replace(state, over=TurnEnd.PASS)


def _turn_ended(state: State, event: TurnEnded) -> State:
    return replace(state, over=None)


def _game_ended(state: State, event: GameEnded) -> State:
    return replace(state, ended=event.why)


_CHANGES: dict[type, Callable[[State, Any], State]] = {
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


# Why a command is refused, in words for a player.


def refusal(state: State, command: Command) -> str:
    """Why :func:`legal` does not list this command."""
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
            if not state.racers:
                return "no opponent has a card, so there is nobody to fool"
            return f"no fakes left: {state.edition.free_fakes} a turn may go by that nobody falls for"
        case Pass():
            return "the pile is out: with a pair in hand you must slam"
        case _:
            return "slam, fake or pass"
