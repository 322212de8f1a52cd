"""The log of a table: what is kept of all that happens there, entry by entry, and how it is written.

Laws of this room:
- a table is rebuilt from its log alone (:mod:`~slamomatic.table.memory`). Whatever is not here (who is connected, a
  hand in the air, votes) begins anew when a table comes back; whatever is here nobody loses;
- an entry once written is readable for ever: its shape changes only with :data:`LOG_VERSION`, and what older versions
  wrote is brought up in :mod:`~slamomatic.table.upcasting`;
- times (``at_us``) are whole microseconds since 1970; 0: nobody knows, it was written before times were kept.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from slamomatic.game.commands import Command
from slamomatic.game.edition import Edition
from slamomatic.game.events import Dealt, Event
from slamomatic.table.protocol import Level, Pace, RaceView
from slamomatic.table.upcasting import upcast
from slamomatic.unit import Flag

LOG_VERSION = 2
"""What is written today; it stands beside every entry, for a table may live through many versions."""


class Opened(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A table was opened."""

    code: str
    edition: Edition
    pace: Pace
    listed: bool
    quick: bool
    rated: bool


class SeatTaken(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A person, known by the hash of his ticket, or a bot sat down."""

    seat: int
    name: str
    ticket_hash: str | None
    bot: Level | None
    person: str | None
    avatar: int
    mark: str | None
    """Where he came from, in a form that means nothing elsewhere."""


class TicketRenewed(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Who sits there has a new ticket; his old one opens nothing any more."""

    seat: int
    ticket_hash: str


class SeatFreed(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Nobody sits there any more; if it was the host, there is none, and if it was to deal, the next to the left is."""

    seat: int


class SeatMoved(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Someone moved to another hand."""

    seat: int
    hand: int


class SeatHandedOver(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A bot plays on for someone who left in mid-game; if it was the host, there is none."""

    seat: int
    bot: Level


class SeatRenamed(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Someone has another name."""

    seat: int
    name: str


class HostChanged(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The host's rights are this seat's."""

    seat: int


class EditionSet(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The next game is played by these rulings."""

    edition: Edition


class PaceSet(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Players may think so long."""

    pace: Pace


class ListedSet(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The table is among the open ones, or not."""

    listed: bool


class RttCapSet(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Nobody plays at this table whose round trip is longer; or everybody may again."""

    rtt_ms: int | None


class RatedSet(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The games to come count for the ratings, or do not."""

    rated: bool


class SeatsLocked(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Nobody more may sit down; or everybody may again."""

    locked: bool


class PersonBanned(msgspec.Struct, frozen=True, gc=False, tag=True):
    """This person may not sit down here again, nor whoever bears this mark; None: no such person, no such mark."""

    person: str | None
    mark: str | None


class DealerNamed(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The host named the next dealer, or left it to chance (M2)."""

    seat: int | None


class AssistSet(msgspec.Struct, frozen=True, gc=False, tag=True):
    """This player's presses are never short, or again as the edition says (M8)."""

    seat: int
    never_short: bool


class SeatFlagged(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Something is odd about this seat's connection over its last races, or is not any more. It decides nothing."""

    seat: int
    flag: Flag
    is_raised: bool


class GameBegan(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Cards were dealt."""

    at_us: int
    game: str
    """By this id, which nobody can guess, the game is known once it is over."""
    dealt: Dealt


class GameMoved(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Commands were played, with what they led to; and the race that gave the verdict among them."""

    at_us: int
    commands: tuple[Command, ...]
    events: tuple[Event, ...]
    race: RaceView | None


class GameCalledOff(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The game is over without a count, by vote of all but these seats, who were gone."""

    at_us: int
    gone: tuple[int, ...]


class ClockStopped(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The table fell asleep, or its server stopped, while somebody had to act: his clock stands."""

    at_us: int


class ClockRan(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The table woke, and the clock goes on where it stood."""

    at_us: int


Entry: TypeAlias = (
    Opened
    | SeatTaken
    | TicketRenewed
    | SeatFreed
    | SeatMoved
    | SeatHandedOver
    | SeatRenamed
    | HostChanged
    | EditionSet
    | PaceSet
    | ListedSet
    | RttCapSet
    | RatedSet
    | SeatsLocked
    | PersonBanned
    | DealerNamed
    | AssistSet
    | SeatFlagged
    | GameBegan
    | GameMoved
    | GameCalledOff
    | ClockStopped
    | ClockRan
)

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Entry] = msgspec.json.Decoder(Entry)


def encode(entry: Entry) -> bytes:
    """An entry as it is kept, in :data:`LOG_VERSION`."""
    return _encoder.encode(entry)


def decode(version: int, body: bytes) -> Entry:
    """An entry kept by this version of the log or an older one.

    Raises:
        ValueError: a newer program wrote it, or it is no entry.
    """
    if version == LOG_VERSION:
        return _decoder.decode(body)
    if not 1 <= version < LOG_VERSION:
        raise ValueError(f"this log is of version {version}, and this program knows 1 to {LOG_VERSION}: update it")
    entry: Entry = msgspec.convert(upcast(version, LOG_VERSION, msgspec.json.decode(body)), Entry)
    return entry
