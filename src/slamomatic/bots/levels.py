"""The three temperaments, side by side: one look shows every difference between the levels.

Levels differ in their hands and nerves, not in what they know of the game: all of them choose alike
(:mod:`~slamomatic.bots.choices`).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec


class Temperament(msgspec.Struct, frozen=True, kw_only=True):
    """What sets one level apart from another. Shares go from 0 to 1."""

    slowness: float
    """All its reaction times, as a multiple of the median adult's (:mod:`~slamomatic.bots.hands`)."""
    falls: float
    """How often it cannot wait, and touches at a mere reach (B8, C6, M10)."""
    notices: float
    """How often it sees that a reach must land, and that an early touch is free, and goes at once (B7, C6)."""
    fakes: float
    """How often it fakes when it could, whether it holds a pair or not (B7)."""
    slips: float
    """How often it slams without a pair where it meant to pass (C8, M9)."""


LEVELS: Mapping[str, Temperament] = MappingProxyType(
    {
        # A child of five to seven, or someone with a glass in the other hand: 420 ms and a long tail. Of 522 adults a
        # quarter fell for more than 29% of the stop cues.
        "gentle": Temperament(slowness=1.43, falls=0.25, notices=0.2, fakes=0.04, slips=0.01),
        # The median adult in a browser, a little less rash: the calmest quarter of them fell for 11%.
        "steady": Temperament(slowness=1.00, falls=0.12, notices=0.5, fakes=0.12, slips=0.0),
        # 246 ms and a short tail, as fast as one adult in ten; who plays much learns to wait for the contact.
        "sharp": Temperament(slowness=0.84, falls=0.05, notices=0.8, fakes=0.22, slips=0.0),
    }
)
"""The temperaments by the name of their level, gentlest first."""
