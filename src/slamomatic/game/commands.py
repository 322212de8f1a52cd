"""What can be asked of a game. A command is a wish: it becomes events, or :class:`IllegalCommand` and nothing changes.

Seven are a player's, one (:class:`Judge`) is the unit's.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from slamomatic.game.cards import Pair
from slamomatic.game.verdict import Verdict


class IllegalCommand(ValueError):
    """The rules do not allow this now; the message says why, in words for a player. Nothing has changed."""


class Draw(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Take the top card of the pile (C3, M4)."""

    seat: int


class Take(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Take the card at a position of a face-down hand (B11): a loser's, a fooled one's, or as a draw (M5, C8)."""

    seat: int
    loser: int
    position: int
    """From 0; the hand was shuffled anew, so each position is as good as the next."""


class Slam(msgspec.Struct, frozen=True, gc=False, tag=True):
    """One's own hand has landed: Hands Down (B5). Legal without a pair; the rules price that (C8, M9)."""

    seat: int


class Fake(msgspec.Struct, frozen=True, gc=False, tag=True):
    """One's own hand went for the unit and was withdrawn untouched (B7, B8)."""

    seat: int


class Judge(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The unit's verdict on the slam or fake just made."""

    verdict: Verdict


class Lay(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Lay this pair after a slam (B5, B16)."""

    seat: int
    pair: Pair


class Choose(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Choose which of several who never touched loses the card (B12)."""

    seat: int
    loser: int


class Pass(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Say "pass": the turn is over (B7, M11)."""

    seat: int


Command: TypeAlias = Draw | Take | Slam | Fake | Judge | Lay | Choose | Pass
