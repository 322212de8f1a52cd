"""Duties: what must be settled, one after the other, before the active player is free to slam, fake or pass.

A state holds them as a queue whose head alone is open. So nobody can act out of turn, and every wait of a table is for
exactly one seat, or for the unit.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

import msgspec

from slamomatic.game.verdict import Action, Verdict


class Why(StrEnum):
    """For what reason a card changes its place."""

    TURN = "turn"
    """It begins a turn (B3, M4, M5)."""
    LAST = "last"
    """Its owner was last (B5)."""
    EARLY = "early"
    """Its owner touched early (M10)."""
    FOOLED = "fooled"
    """Its owner fell for a fake (B8)."""
    JAM = "jam"
    """It stands for a loser's card after a jam (C7)."""
    END = "end"
    """The last pair's layer takes a joker left in the pile (M12)."""


class MustDraw(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Draw one card: from the pile, or once it is out from an opponent (C3, M4, M5)."""

    seat: int


class AwaitVerdict(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The unit's word is awaited."""

    seat: int
    action: Action


class MustLay(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Choose the pair to lay, after this verdict (B16)."""

    seat: int
    verdict: Verdict


class MustTake(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Take one card, unseen, from this loser's hand (B5, B8, M10)."""

    seat: int
    loser: int
    why: Why


class MustBury(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Pick one card, unseen and unlooked at, from who touched without a pair (C8)."""

    seat: int
    loser: int


class MustChoose(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Choose which of these loses a card: none of them touched (B12)."""

    seat: int
    among: tuple[int, ...]


Duty: TypeAlias = MustDraw | AwaitVerdict | MustLay | MustTake | MustBury | MustChoose
