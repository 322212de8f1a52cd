"""The three temperaments, side by side: one look shows every difference between the levels.

Levels differ in their hands and nerves, not in what they know of the game: all of them choose alike
(:mod:`~slamomatic.bots.choices`). What that is worth, beside the median adult of 522 in browsers, who is as rash as
they were (0.21) and fakes like a steady bot: how often the one on the left is the faster of two after a contact, and
how often the adult wins a game, 1,500 simulated games each, shared wins in parts::

                       gentle  steady  sharp  adult
    faster: gentle       0.50    0.09   0.02   0.09
    faster: steady       0.91    0.50   0.25   0.50
    faster: sharp        0.98    0.75   0.50   0.76
    faster: adult        0.91    0.50   0.24   0.50

    the adult wins against   gentle  steady  sharp
    classic, of two            0.90    0.50   0.35
    modern, of two             0.98    0.41   0.12
    classic, of four           0.37    0.24   0.16
    modern, of four            0.53    0.18   0.06

Of four: against three bots of one level; a fair share is 0.25. The adult can do better without being faster: falling
for a reach in twenty and faking every second time wins 0.95, 0.59 and 0.17 of Modern games of four (400 each).
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
