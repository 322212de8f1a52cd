"""A Hands Down: who may slam, which pairs a hand holds, what a verdict means.

Decides B4 to B6, B10, B12, B16, C4 to C7, M3, M7, M10.
One action is judged in this order: short press, a jam by which nothing counts, no pair, and only then the race (M9).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import assert_never

from slamomatic.game import fouls
from slamomatic.game.cards import Card, Hand, Pair
from slamomatic.game.chance import Rng
from slamomatic.game.commands import Choose, Lay, Slam
from slamomatic.game.duties import Duty, MustChoose, MustLay, MustTake, Why
from slamomatic.game.edition import EarlyTouch, Edition, JamRuling, JokerPower
from slamomatic.game.events import CardDrawn, Event, Judged, LoserChosen, Outcome, PairLaid, Slammed
from slamomatic.game.state import State
from slamomatic.game.verdict import Verdict


def pairs_in(hand: Hand, edition: Edition) -> tuple[Pair, ...]:
    """Every different pair in this hand, natural ones first, each kind in ascending order (B4, C4, C5, M3)."""
    return _pairs_in(hand, edition.joker)


@lru_cache(maxsize=1 << 14)
def _pairs_in(hand: Hand, joker: JokerPower) -> tuple[Pair, ...]:
    natural = tuple(dict.fromkeys((left, right) for left, right in pairwise(hand) if left == right))
    match joker:
        case JokerPower.KEPT:
            return natural
        case JokerPower.WILD_ONCE:
            if Card.SMILING not in hand:
                return natural
            numbers = dict.fromkeys(card for card in hand if card.is_number)
            return (*natural, *((Card.SMILING, number) for number in numbers))
        case _:
            assert_never(joker)


def may_slam(hand: Hand) -> bool:
    """An empty hand cannot reach the unit (B9); a hand without a pair can, at a price (C8, M9)."""
    return bool(hand)


def slammed(state: State, command: Slam, _rng: Rng) -> tuple[Event, ...]:
    """Everyone races, and the unit is asked; but where no opponent has a card nobody can be last (B10)."""
    event = Slammed(command.seat)
    return (event,) if state.has_racers else (event, judged(state, Verdict()))


def judged(state: State, verdict: Verdict) -> Judged:
    """What the unit's verdict on a slam means."""
    seat = state.turn
    if verdict.short:
        return fouls.short_press(seat, verdict)
    if verdict.jam and _jam_voids(state.edition):
        return Judged(seat, verdict, Outcome.VOID, (), None)
    if not pairs_in(state.hand(seat), state.edition):
        return fouls.empty_slam(state, verdict)
    return Judged(seat, verdict, Outcome.PAIR, (MustLay(seat, verdict),), None)


def lays(state: State, duty: MustLay) -> tuple[Lay, ...]:
    """Every pair in hand: the choice is asked even if there is only one (B16)."""
    return tuple([Lay(duty.seat, pair) for pair in pairs_in(state.hand(duty.seat), state.edition)])


def laid(state: State, command: Lay, _rng: Rng) -> tuple[Event, ...]:
    """The pair is laid; a jam's card comes off the pile at once (C7); the rest falls due: early touchers, from
    the left (M10), and then the loser (B5, B12)."""
    duty = state.duties[0]
    assert isinstance(duty, MustLay)
    seat, verdict = duty.seat, duty.verdict
    event = PairLaid(seat, command.pair, (*_early(state, verdict), *_last(seat, verdict)))
    if verdict.jam and state.pile:
        return event, CardDrawn(seat, state.pile[0], Why.JAM)
    return (event,)


def chosen(_state: State, command: Choose, _rng: Rng) -> tuple[LoserChosen]:
    """Of several who never touched, the slammer chooses who loses the card (B12)."""
    return (LoserChosen(command.seat, command.loser),)


def _jam_voids(edition: Edition) -> bool:
    """M7 against C7, where a jam counts as a won race whose card comes from the pile."""
    match edition.jam:
        case JamRuling.VOID:
            return True
        case JamRuling.PILE_CARD:
            return False
        case _:
            assert_never(edition.jam)


def _early(state: State, verdict: Verdict) -> tuple[Duty, ...]:
    """C6 against M10."""
    match state.edition.early_touch:
        case EarlyTouch.FREE:
            return ()
        case EarlyTouch.PAYS:
            seat = state.turn
            early = [loser for loser in state.from_left_of(seat) if loser in verdict.early]
            return tuple([MustTake(seat, loser, Why.EARLY) for loser in early])
        case _:
            assert_never(state.edition.early_touch)


def _last(seat: int, verdict: Verdict) -> tuple[Duty, ...]:
    match verdict.last:
        case ():
            return ()
        case (loser,):
            return (MustTake(seat, loser, Why.LAST),)
        case several:
            return (MustChoose(seat, several),)
