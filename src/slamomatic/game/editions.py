"""The three presets, side by side: one look shows every difference."""

from __future__ import annotations

from msgspec.structs import replace

from slamomatic.game.cards import DECK_41, DECK_42
from slamomatic.game.edition import (
    DealerChoice,
    EarlyTouch,
    Edition,
    EmptyHandDraw,
    EmptySlam,
    Ending,
    JamRuling,
    JokerPower,
    PassWithPair,
    PileOut,
    Scoring,
    Tie,
)

CLASSIC = Edition(
    name="Classic",
    deck=DECK_42,
    joker=JokerPower.WILD_ONCE,
    dealer=DealerChoice.CUT,
    empty_hand_draw=EmptyHandDraw.ONE,
    pile_out=PileOut.NO_DRAW,
    early_touch=EarlyTouch.FREE,
    jam=JamRuling.PILE_CARD,
    full_press_ms=0,
    empty_slam=EmptySlam.LOSES_CARD,
    pass_with_pair=PassWithPair.ALLOWED,
    free_fakes=2,
    duel_limit_ms=400,
    ending=Ending.LAST_CARD,
    scoring=Scoring.FACE_VALUES,
    tie=Tie.SHARED,
)
"""The edition of 1964, scored in card values."""

CLASSIC_JUNIOR = replace(CLASSIC, name="Classic Junior", scoring=Scoring.JUNIOR)
"""The edition of 1964 with the easier count for juniors."""

MODERN = Edition(
    name="Modern",
    deck=DECK_41,
    joker=JokerPower.KEPT,
    dealer=DealerChoice.CHOSEN,
    empty_hand_draw=EmptyHandDraw.TWO,
    pile_out=PileOut.FROM_OPPONENT,
    early_touch=EarlyTouch.PAYS,
    jam=JamRuling.VOID,
    full_press_ms=30,
    empty_slam=EmptySlam.ENDS_TURN,
    pass_with_pair=PassWithPair.NOT_ONCE_PILE_IS_OUT,
    free_fakes=2,
    duel_limit_ms=400,
    ending=Ending.ALL_PAIRS,
    scoring=Scoring.PAIRS,
    tie=Tie.FACE_VALUES,
)
"""The edition in shops today, scored in pairs."""

PRESETS = {"classic": CLASSIC, "classic-junior": CLASSIC_JUNIOR, "modern": MODERN}
"""The presets by the name a command line or a link uses."""
