"""How a turn begins: with a draw (B3, C3, M4, M5, M6)."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import assert_never

from slamomatic.game.chance import Rng, pick
from slamomatic.game.commands import Command, Draw, Take
from slamomatic.game.duties import Duty, MustDraw, Why
from slamomatic.game.edition import EmptyHandDraw, PileOut
from slamomatic.game.events import CardDrawn, CardTaken, TurnBegan
from slamomatic.game.state import State


def turn_began(state: State, seat: int) -> TurnBegan:
    """The turn of this seat begins, with as many draws as it is owed and as there are cards for (M6)."""
    draws = _cards_owed(state, seat)
    if draws > len(state.pile):
        draws = min(draws, len(state.pile) + _cards_of_opponents(state, seat))
    duties: tuple[Duty, ...] = (MustDraw(seat),) * draws
    return TurnBegan(seat, duties)


def draws(state: State, duty: MustDraw) -> tuple[Command, ...]:
    """Every way to make this draw: the pile's top card, or else any card of any opponent (M5)."""
    if state.pile:
        return (Draw(duty.seat),)
    opponents = state.from_left_of(duty.seat)
    return tuple(chain.from_iterable([takes(duty.seat, loser, len(state.hand(loser))) for loser in opponents]))


@lru_cache(maxsize=1024)
def takes(seat: int, loser: int, cards: int) -> tuple[Take, ...]:
    """Every position at which this seat can take one of the loser's cards (B11)."""
    return tuple(Take(seat, loser, position) for position in range(cards))


def drawn(state: State, command: Draw, _rng: Rng) -> tuple[CardDrawn]:
    """The top card of the pile is drawn (C3)."""
    return (CardDrawn(command.seat, state.pile[0], Why.TURN),)


def taken(state: State, command: Take, rng: Rng, why: Why) -> tuple[CardTaken]:
    """A card is taken, unseen, from a hand shuffled anew: so whichever position, any card is as likely (B11)."""
    card = pick(rng, state.hand(command.loser))
    return (CardTaken(command.seat, command.loser, command.position, card, why),)


def _cards_owed(state: State, seat: int) -> int:
    match state.edition.empty_hand_draw:
        case EmptyHandDraw.ONE:
            return 1
        case EmptyHandDraw.TWO:
            return 1 if state.hand(seat) else 2
        case _:
            assert_never(state.edition.empty_hand_draw)


def _cards_of_opponents(state: State, seat: int) -> int:
    """How many cards could be drawn from opponents if the pile gave none (C9, M5)."""
    match state.edition.pile_out:
        case PileOut.NO_DRAW:
            return 0
        case PileOut.FROM_OPPONENT:
            return sum(map(len, state.hands)) - len(state.hand(seat))
        case _:
            assert_never(state.edition.pile_out)
