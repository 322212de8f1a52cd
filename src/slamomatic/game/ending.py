"""How turns and games end: passing, the last card, the last pair, the stall (B7, B14, C9, M11, M12)."""

from __future__ import annotations

from typing import assert_never

from slamomatic.game.cards import Hand
from slamomatic.game.chance import Rng
from slamomatic.game.commands import Pass
from slamomatic.game.drawing import turn_began
from slamomatic.game.duties import Why
from slamomatic.game.edition import Ending, PassWithPair
from slamomatic.game.events import CardDrawn, Event, GameEnd, GameEnded, Passed, TurnEnd, TurnEnded
from slamomatic.game.slamming import pairs_in
from slamomatic.game.state import State

STALL_ACTIONS = 50
"""B14: so many slams and fakes in one turn without a pair laid end the turn and the game."""

STALL_TURNS_A_PLAYER = 25
"""B14: so many turns a player, in a row and without a pair laid, end the game: 50 turns with two players."""


def may_pass(state: State, hand: Hand) -> bool:
    """B6 against M11: once the pile is out, who holds a pair must slam it."""
    match state.edition.pass_with_pair:
        case PassWithPair.ALLOWED:
            return True
        case PassWithPair.NOT_ONCE_PILE_IS_OUT:
            return bool(state.pile) or not pairs_in(hand, state.edition)
        case _:
            assert_never(state.edition.pass_with_pair)


def passed(_state: State, command: Pass, _rng: Rng) -> tuple[Passed]:
    """The word that ends a turn (B7)."""
    return (Passed(command.seat),)


def pile_is_closed(state: State) -> bool:
    """C9: the pile's last card was taken, so the game ends with this turn, and nothing goes under the pile again."""
    match state.edition.ending:
        case Ending.LAST_CARD:
            return not state.pile
        case Ending.ALL_PAIRS:
            return False
        case _:
            assert_never(state.edition.ending)


def consequences(state: State) -> tuple[Event, ...]:
    """What follows by itself once nothing is due: the game's end, or the turn's, and then the next one's beginning."""
    if state.ended is not None:
        return ()
    if _all_pairs_laid(state):
        jokers = (CardDrawn(state.turn, card, Why.END) for card in state.pile)
        return (*jokers, GameEnded(GameEnd.ALL_PAIRS))
    why = state.over or (TurnEnd.STALL if state.idle_actions >= STALL_ACTIONS else None)
    if why is None:
        return ()
    ended = TurnEnded(state.turn, why)
    end = _game_end(state)
    if end is not None:
        return ended, GameEnded(end)
    return ended, turn_began(state, state.left_of(state.turn))


def _all_pairs_laid(state: State) -> bool:
    """M12: nothing but jokers is left; the pile's, if any, go to who laid the last pair."""
    match state.edition.ending:
        case Ending.LAST_CARD:
            return False
        case Ending.ALL_PAIRS:
            return 2 * sum(map(len, state.laid)) == state.edition.deck.numbers
        case _:
            assert_never(state.edition.ending)


def _game_end(state: State) -> GameEnd | None:
    """Whether the game ends with this turn: by the pile's last card (C9), or because it has stalled (B14)."""
    if pile_is_closed(state):
        return GameEnd.LAST_CARD
    limit = STALL_TURNS_A_PLAYER * len(state.seats)
    stalled = state.turn_number - state.paired_turn >= limit or state.idle_actions >= STALL_ACTIONS
    return GameEnd.STALL if stalled else None
