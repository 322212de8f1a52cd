"""The bodies of the HTTP calls that concern tables. Those about people and their games are the server's own."""

from __future__ import annotations

from typing import Annotated

import msgspec

from slamomatic.game.edition import Edition
from slamomatic.table.protocol import HandNumber, Level, Name, Pace, Phase, RefusalCode


class OpenTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``POST /api/tables``: make a table and sit down as its host."""

    name: Name
    edition: Edition | str = "classic"
    """An edition, or a preset's name."""
    pace: Pace = Pace.NORMAL
    listed: bool = False
    rated: bool = False
    bots: Annotated[tuple[Level, ...], msgspec.Meta(max_length=3)] = ()
    """Bots that sit down at once."""
    start: bool = False
    """Begin the first game at once; takes a bot to play against."""


class JoinTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``POST /api/tables/{code}/join``: sit down at the table. Who sits there already gets his seat back, with a new
    ticket."""

    name: Name
    hand: HandNumber | None = None
    """The hand wanted; the lowest free one if none is named."""


class QuickMatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``POST /api/quick``: sit down at the best open table of this edition, or at a new one that others will find.

    There, bots take the free hands after a while (:data:`~slamomatic.table.timing.FILL_US`).
    """

    name: Name
    edition: str = "classic"
    """A preset's name."""


class Seated(msgspec.Struct, frozen=True):
    """The answer to all three: one's seat, and the ticket that proves it; keep it secret."""

    code: str
    seat: int
    ticket: str


class ListedTable(msgspec.Struct, frozen=True):
    """One row of ``GET /api/tables``, and of the live lobby."""

    code: str
    host: str
    edition: str
    players: int
    free: int
    """Hands one may still take; 0 where the game is only to be watched."""
    phase: Phase
    rated: bool
    watchers: int


class ListedTables(msgspec.Struct, frozen=True):
    """``GET /api/tables``: the listed ones, those to be joined first; each event of ``GET /api/lobby`` is one too."""

    tables: tuple[ListedTable, ...]


class Editions(msgspec.Struct, frozen=True):
    """``GET /api/editions``: the presets by the name a link uses."""

    presets: dict[str, Edition]


class Failure(msgspec.Struct, frozen=True):
    """The body of every HTTP error."""

    code: RefusalCode
    text: str
