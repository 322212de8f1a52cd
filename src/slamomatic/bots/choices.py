"""What a bot does: one of the legal commands of its view, chosen with what its seat may know.

Laws of this room:
- whether it fakes is drawn before it looks for a pair, so a fake tells nothing about the hand;
- a pair in hand is slammed: waiting earns nothing, and a hand can lose its cards;
- where a choice is between people, it falls on the fullest hand, and then on the highest score at the table;
- which card of a hand it takes is chance (B11).
"""

from __future__ import annotations

from typing import TypeVar

from slamomatic.bots.hands import Person
from slamomatic.game.cards import Card, Hand, Pair
from slamomatic.game.chance import Rng, pick
from slamomatic.game.commands import Choose, Command, Fake, Lay, Pass, Slam, Take
from slamomatic.game.duties import MustLay
from slamomatic.game.edition import EarlyTouch, Ending, JamRuling
from slamomatic.game.slamming import pairs_in
from slamomatic.game.verdict import Verdict
from slamomatic.game.view import View

SECOND_FAKE = 0.5
"""A fake that nobody fell for makes the next one of the turn so much less likely."""

Of = TypeVar("Of", Take, Choose)


def choice(view: View, person: Person, rng: Rng) -> Command:
    """What this person does now; the view lists something legal."""
    if len(view.legal) == 1:
        return view.legal[0]
    match view.legal[0]:
        case Take():
            return _against_the_fullest(view, [take for take in view.legal if isinstance(take, Take)], rng)
        case Choose():
            return _against_the_fullest(view, [choose for choose in view.legal if isinstance(choose, Choose)], rng)
        case Lay() as lay:
            return Lay(lay.seat, pair_to_lay(view))
        case _:
            return _act(view, person, rng)


def early_touch_is_free(view: View) -> bool:
    """Whether the reach now seen must land, where an early touch costs nothing: waiting is a mistake (B7, C6)."""
    return view.fakes_left == 0 and view.edition.early_touch is EarlyTouch.FREE


def pair_to_lay(view: View) -> Pair:
    """The dearest natural pair, else the wild joker with the dearest number (B16, C4).

    A joker left alone is a loss only if no card will ever join it: then it goes with half of the last natural pair.
    """
    pairs = pairs_in(_hand(view), view.edition)
    natural = [pair for pair in pairs if pair[0] is not Card.SMILING]
    numbers = [card for card in _hand(view) if card.is_number]
    wild_alone = len(pairs) > len(natural) and len(numbers) == 2
    if natural and not (wild_alone and _no_card_will_come(view)):
        return natural[-1]
    return pairs[-1]


def _act(view: View, person: Person, rng: Rng) -> Command:
    """Slam, fake or pass (B7)."""
    acts = {type(act): act for act in view.legal}
    once_more = view.fakes_left < view.edition.free_fakes
    wants_to_fake = rng.random() < person.fakes * (SECOND_FAKE if once_more else 1)
    slips = rng.random() < person.slips
    if Fake in acts and wants_to_fake:
        return acts[Fake]
    if Slam in acts and (slips or pairs_in(_hand(view), view.edition)):
        return acts[Slam]
    return acts[Pass]


def _against_the_fullest(view: View, commands: list[Of], rng: Rng) -> Of:
    def weight(command: Of) -> tuple[int, int]:
        player = view.player(command.loser)
        return player.cards, player.laid_points

    heaviest = max(map(weight, commands))
    return pick(rng, [command for command in commands if weight(command) == heaviest])


def _no_card_will_come(view: View) -> bool:
    """Whether this Hands Down brings no card, and the game ends before the next draw (C9)."""
    duty = view.duties[0]
    assert isinstance(duty, MustLay)
    last_draw_is_past = view.edition.ending is Ending.LAST_CARD and view.pile < len(view.players)
    return last_draw_is_past and not _brings_a_card(view, duty.verdict)


def _brings_a_card(view: View, verdict: Verdict) -> bool:
    """B5, C7, M10."""
    early_pay = view.edition.early_touch is EarlyTouch.PAYS and bool(verdict.early)
    from_pile = verdict.jam and view.edition.jam is JamRuling.PILE_CARD and view.pile > 0
    return bool(verdict.last) or early_pay or from_pile


def _hand(view: View) -> Hand:
    assert view.viewer is not None, "a spectator has no hand to play"
    hand = view.player(view.viewer).hand
    assert hand is not None, "one's own hand is always in one's view"
    return hand
