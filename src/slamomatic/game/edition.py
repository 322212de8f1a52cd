"""An edition: every question on which the rule books differ, and its answer.

Laws of this room:
- one required field a ruling, no defaults: a new ruling cannot be forgotten anywhere;
- each answer is a closed enum or a small frozen value whose docstring says the rule;
- logic asks the ruling, never the edition's name; a table's house rules are simply an edition of its own (B19);
- rulings that do not fit together cannot be built.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

import msgspec

from slamomatic.game.cards import Deck


class UnfitEdition(ValueError):
    """These rulings do not fit together (B19); the message says which, and why."""


class JokerPower(StrEnum):
    """What the smiling joker can do while it is held."""

    WILD_ONCE = "wild-once"
    """C4: it makes a pair with any one numbered card, never with the Sad Joker."""
    KEPT = "kept"
    """M3: it pairs with nothing and counts for whoever holds it at the end."""


class DealerChoice(StrEnum):
    """Who deals."""

    CUT = "cut"
    """C2: before every game the players cut; highest deals, those tied cut again."""
    CHOSEN = "chosen"
    """M2: named by the host or by chance; the next game's dealer is the next player to the left."""


class EmptyHandDraw(StrEnum):
    """How many cards a player draws who begins the turn with an empty hand."""

    ONE = "one"
    """C3: one, as always."""
    TWO = "two"
    """M4, M5: two."""


class PileOut(StrEnum):
    """What a turn begins with once the pile is empty."""

    NO_DRAW = "no-draw"
    """C9: nothing; the game is over by then."""
    FROM_OPPONENT = "from-opponent"
    """M5: an unseen card from an opponent of one's choice."""


class EarlyTouch(StrEnum):
    """What a touch before the slammer's own contact costs, if the slam was real."""

    FREE = "free"
    """C6: nothing; it counts as its time says, so the latest of all is last even if all were early."""
    PAYS = "pays"
    """M10: one card to the slammer; and who was early cannot be last."""


class JamRuling(StrEnum):
    """What happens when the unit cannot tell the two last apart."""

    PILE_CARD = "pile-card"
    """C7: the pair is laid all the same, and the slammer draws from the pile in place of the loser's card."""
    VOID = "void"
    """M7: the action does not count, and nobody pays."""


class EmptySlam(StrEnum):
    """What touching one's own hand without a pair costs."""

    LOSES_CARD = "loses-card"
    """C8: a card, picked by the left neighbour, to the bottom of the pile; a second one in a turn also ends it."""
    ENDS_TURN = "ends-turn"
    """M9: the turn."""


class PassWithPair(StrEnum):
    """Whether one may pass with a pair in hand."""

    ALLOWED = "allowed"
    """B6: playing a pair is a choice."""
    NOT_ONCE_PILE_IS_OUT = "not-once-pile-is-out"
    """M11: a choice until the pile is out, a duty from then on."""


class Ending(StrEnum):
    """When the game is over."""

    LAST_CARD = "last-card"
    """C9: at the end of the turn in which the pile's last card was taken."""
    ALL_PAIRS = "all-pairs"
    """M12: when all numbered cards are laid."""


class Scoring(StrEnum):
    """What counts at the end."""

    FACE_VALUES = "face-values"
    """C10: face values laid, minus face values held; Smiling Joker 10; Sad Joker held minus 20."""
    JUNIOR = "junior"
    """C11: cards laid, minus cards held; Smiling Joker laid 5; Sad Joker held minus 5."""
    PAIRS = "pairs"
    """M13: a pair 1, the joker held 2."""


class Tie(StrEnum):
    """Who wins among those with the highest total."""

    SHARED = "shared"
    """C12: all of them."""
    FACE_VALUES = "face-values"
    """M14: among them alone a pair counts its face value and the joker 20; still equal: they share."""


class Edition(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """One way to play Hands Down: a name for people, and an answer to every ruling.

    Change a preset with ``msgspec.structs.replace(MODERN, name="Ours", free_fakes=3)``. It keeps its hash, so that what
    follows from its rulings alone can be remembered by it.

    Raises:
        UnfitEdition: a value is out of its range, or the rulings do not fit together (B19).
    """

    name: str
    """What people call it; no rule ever reads it."""
    deck: Deck
    """C1, M1."""
    joker: JokerPower
    """C4, M3."""
    dealer: DealerChoice
    """C2, M2."""
    empty_hand_draw: EmptyHandDraw
    """C3, M4."""
    pile_out: PileOut
    """C9, M5."""
    early_touch: EarlyTouch
    """C6, M10."""
    jam: JamRuling
    """C7, M7."""
    full_press_ms: int
    """M8: a slam released sooner than this is a short press and ends the turn; 0: there is no such foul."""
    empty_slam: EmptySlam
    """C8, M9."""
    pass_with_pair: PassWithPair
    """B6, M11."""
    free_fakes: int
    """B7: how many fakes a turn may go by that nobody falls for."""
    duel_limit_ms: int
    """B15: an only opponent loses if he has not touched by then; 0: he is always last."""
    ending: Ending
    """C9, M12."""
    scoring: Scoring
    """C10, C11, M13."""
    tie: Tie
    """C12, M14."""

    def __post_init__(self) -> None:
        for name, highest in (("full_press_ms", 200), ("free_fakes", 20), ("duel_limit_ms", 2000)):
            value = getattr(self, name)
            if not 0 <= value <= highest:
                raise UnfitEdition(f"{name} is {value}: it goes from 0 to {highest}")
        if not 1 <= len(self.name) <= 40 or not self.name.isprintable() or '"' in self.name:
            raise UnfitEdition('an edition has a name of 1 to 40 printable characters without "')
        for misfit, reason in _MISFITS:
            if misfit(self):
                raise UnfitEdition(reason)


_MISFITS: tuple[tuple[Callable[[Edition], bool], str], ...] = (
    (
        lambda e: e.ending is Ending.LAST_CARD and e.pile_out is PileOut.FROM_OPPONENT,
        "the game ends with the pile's last card, so nobody could ever draw from an opponent",
    ),
    (
        lambda e: e.ending is Ending.ALL_PAIRS and e.pile_out is PileOut.NO_DRAW,
        "the game goes on until all pairs are laid, so something must be drawn once the pile is out",
    ),
    (
        lambda e: e.ending is Ending.ALL_PAIRS and e.deck.smiling and e.joker is JokerPower.WILD_ONCE,
        "a wild joker takes a number's partner away, so all pairs could never be laid",
    ),
    (
        lambda e: e.scoring is Scoring.PAIRS and e.deck.sad,
        "a score in pairs says nothing of the Sad Joker, so it cannot be in the deck",
    ),
)
