"""What a table remembers: a versioned record of entries, and the one fold that makes a table of them.

A table is rebuilt from its log alone. Whatever is not here (who is connected, a hand in the air, clocks) begins anew
when a table comes back; whatever is here nobody loses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import replace

from slamomatic.game import evolve, start
from slamomatic.game.commands import Command
from slamomatic.game.edition import DealerChoice, Edition
from slamomatic.game.events import Dealt, Event
from slamomatic.game.scoring import score
from slamomatic.game.state import State
from slamomatic.table.protocol import Level, Pace, Phase, RaceView
from slamomatic.unit import Flag

LOG_VERSION = 1


class Opened(msgspec.Struct, frozen=True, tag=True):
    """A table was opened."""

    version: int
    code: str
    edition: Edition
    pace: Pace
    listed: bool


class SeatTaken(msgspec.Struct, frozen=True, tag=True):
    """A person, known by the hash of his ticket, or a bot sat down."""

    seat: int
    name: str
    ticket_hash: str | None
    bot: Level | None


class SeatFreed(msgspec.Struct, frozen=True, tag=True):
    """Nobody sits there any more; if it was the host, there is none, and if it was to deal, the next to the left is."""

    seat: int


class SeatMoved(msgspec.Struct, frozen=True, tag=True):
    """Someone moved to another hand."""

    seat: int
    hand: int


class SeatHandedOver(msgspec.Struct, frozen=True, tag=True):
    """A bot plays on for someone who left in mid-game; if it was the host, there is none."""

    seat: int
    bot: Level


class SeatRenamed(msgspec.Struct, frozen=True, tag=True):
    """Someone has another name."""

    seat: int
    name: str


class HostChanged(msgspec.Struct, frozen=True, tag=True):
    """The host's rights are this seat's."""

    seat: int


class EditionSet(msgspec.Struct, frozen=True, tag=True):
    """The next game is played by these rulings."""

    edition: Edition


class PaceSet(msgspec.Struct, frozen=True, tag=True):
    """Players may think so long."""

    pace: Pace


class ListedSet(msgspec.Struct, frozen=True, tag=True):
    """The table is among the open ones, or not."""

    listed: bool


class RttCapSet(msgspec.Struct, frozen=True, tag=True):
    """Nobody plays at this table whose round trip is longer; or everybody may again."""

    rtt_ms: int | None


class DealerNamed(msgspec.Struct, frozen=True, tag=True):
    """The host named the next dealer, or left it to chance (M2)."""

    seat: int | None


class AssistSet(msgspec.Struct, frozen=True, tag=True):
    """This player's presses are never short, or again as the edition says (M8)."""

    seat: int
    never_short: bool


class SeatFlagged(msgspec.Struct, frozen=True, tag=True):
    """Something is odd about this seat's connection over its last races, or is not any more. It decides nothing."""

    seat: int
    flag: Flag
    is_raised: bool


class GameBegan(msgspec.Struct, frozen=True, tag=True):
    """Cards were dealt."""

    dealt: Dealt


class GameMoved(msgspec.Struct, frozen=True, tag=True):
    """Commands were played, with what they led to; and the race that gave the verdict among them."""

    commands: tuple[Command, ...]
    events: tuple[Event, ...]
    race: RaceView | None


Entry: TypeAlias = (
    Opened
    | SeatTaken
    | SeatFreed
    | SeatMoved
    | SeatHandedOver
    | SeatRenamed
    | HostChanged
    | EditionSet
    | PaceSet
    | ListedSet
    | RttCapSet
    | DealerNamed
    | AssistSet
    | SeatFlagged
    | GameBegan
    | GameMoved
)


class Sitter(msgspec.Struct, frozen=True):
    """Who sits at a hand. The seat is the ticket's, not the name's and not the socket's."""

    name: str
    ticket_hash: str | None
    """None for a bot, and for a seat handed over: its old ticket opens nothing."""
    bot: Level | None
    never_short: bool = False
    wins: int = 0
    flags: tuple[Flag, ...] = ()
    """What is odd about his connection."""


class TableRecord(msgspec.Struct, frozen=True):
    """All that a table remembers."""

    code: str
    edition: Edition
    pace: Pace
    listed: bool
    seats: dict[int, Sitter]
    """In seat order."""
    host: int | None = None
    rtt_cap_ms: int | None = None
    dealer: int | None = None
    """Who deals next where one may be chosen; None: chance (M2)."""
    game_number: int = 0
    state: State | None = None
    """The game being played, or the last one."""
    race: RaceView | None = None
    """The last race of this game."""

    @property
    def phase(self) -> Phase:
        """Where the table stands."""
        if self.state is None:
            return Phase.WAITING
        return Phase.PLAYING if self.state.ended is None else Phase.RESULT


def rebuilt(entries: Iterable[Entry]) -> TableRecord:
    """The record these entries make.

    Raises:
        ValueError: they do not begin with an ``Opened`` of a known version.
    """
    log = iter(entries)
    first = next(log, None)
    if not isinstance(first, Opened) or first.version != LOG_VERSION:
        raise ValueError(f"a table's log begins with Opened, version {LOG_VERSION}")
    return reduce(applied, log, opened(first))


def opened(entry: Opened) -> TableRecord:
    """The record of a table just opened."""
    return TableRecord(entry.code, entry.edition, entry.pace, entry.listed, seats={})


def applied(record: TableRecord, entry: Entry) -> TableRecord:
    """The record with one entry more."""
    return _CHANGES[type(entry)](record, entry)


def _seats(record: TableRecord, seats: dict[int, Sitter]) -> TableRecord:
    return replace(record, seats=dict(sorted(seats.items())))


def _sitter(record: TableRecord, seat: int, **changes: Any) -> TableRecord:
    return _seats(record, record.seats | {seat: replace(record.seats[seat], **changes)})


def _seat_taken(record: TableRecord, entry: SeatTaken) -> TableRecord:
    return _seats(record, record.seats | {entry.seat: Sitter(entry.name, entry.ticket_hash, entry.bot)})


def _seat_freed(record: TableRecord, entry: SeatFreed) -> TableRecord:
    seats = {seat: sitter for seat, sitter in record.seats.items() if seat != entry.seat}
    dealer = record.dealer
    if dealer == entry.seat:
        dealer = min(seats, key=lambda seat: (seat < entry.seat, seat), default=None)
    return replace(record, seats=seats, host=_host_without(record, entry.seat), dealer=dealer)


def _seat_handed_over(record: TableRecord, entry: SeatHandedOver) -> TableRecord:
    record = replace(record, host=_host_without(record, entry.seat))
    return _sitter(record, entry.seat, ticket_hash=None, bot=entry.bot, flags=())


def _host_without(record: TableRecord, seat: int) -> int | None:
    return None if record.host == seat else record.host


def _seat_moved(record: TableRecord, entry: SeatMoved) -> TableRecord:
    moved = {entry.hand if seat == entry.seat else seat: sitter for seat, sitter in record.seats.items()}
    return replace(
        _seats(record, moved),
        host=entry.hand if record.host == entry.seat else record.host,
        dealer=entry.hand if record.dealer == entry.seat else record.dealer,
    )


def _seat_flagged(record: TableRecord, entry: SeatFlagged) -> TableRecord:
    others = {flag for flag in record.seats[entry.seat].flags if flag is not entry.flag}
    flags = others | {entry.flag} if entry.is_raised else others
    return _sitter(record, entry.seat, flags=tuple(flag for flag in Flag if flag in flags))


def _game_began(record: TableRecord, entry: GameBegan) -> TableRecord:
    dealt = entry.dealt
    state = start(dealt)
    next_dealer = state.left_of(dealt.dealer) if dealt.edition.dealer is DealerChoice.CHOSEN else None
    return replace(record, state=state, race=None, dealer=next_dealer, game_number=record.game_number + 1)


def _game_moved(record: TableRecord, entry: GameMoved) -> TableRecord:
    assert record.state is not None, "a log moves a game only once it has begun"
    state = reduce(evolve, entry.events, record.state)
    record = replace(record, state=state, race=entry.race or record.race)
    if state.ended is not None:
        for count in score(state):
            if count.wins:
                record = _sitter(record, count.seat, wins=record.seats[count.seat].wins + 1)
    return record


_CHANGES: dict[type, Callable[[TableRecord, Any], TableRecord]] = {
    Opened: lambda _, entry: opened(entry),
    SeatTaken: _seat_taken,
    SeatFreed: _seat_freed,
    SeatMoved: _seat_moved,
    SeatHandedOver: _seat_handed_over,
    SeatRenamed: lambda record, entry: _sitter(record, entry.seat, name=entry.name),
    HostChanged: lambda record, entry: replace(record, host=entry.seat),
    EditionSet: lambda record, entry: replace(record, edition=entry.edition),
    PaceSet: lambda record, entry: replace(record, pace=entry.pace),
    ListedSet: lambda record, entry: replace(record, listed=entry.listed),
    RttCapSet: lambda record, entry: replace(record, rtt_cap_ms=entry.rtt_ms),
    DealerNamed: lambda record, entry: replace(record, dealer=entry.seat),
    AssistSet: lambda record, entry: _sitter(record, entry.seat, never_short=entry.never_short),
    SeatFlagged: _seat_flagged,
    GameBegan: _game_began,
    GameMoved: _game_moved,
}
