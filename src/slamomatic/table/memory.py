"""What a table remembers: the one fold that makes a table of its log.

Laws of this room:
- it is pure: the same entries make the same record, on any machine, in any later version;
- it is taken entry by entry, so whoever reads a long log may stop for breath wherever he likes;
- the clock of the open duty is in it, so time left is kept like everything else. A table that sleeps has its clock
  stand still; so has one whose server is gone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

import msgspec
from msgspec.structs import replace

from slamomatic.game import evolve, start
from slamomatic.game.edition import DealerChoice, Edition
from slamomatic.game.scoring import score
from slamomatic.game.state import State
from slamomatic.game.view import Viewer, seen
from slamomatic.table.log import (
    AssistSet,
    ClockRan,
    ClockStopped,
    DealerNamed,
    EditionSet,
    Entry,
    GameBegan,
    GameCalledOff,
    GameMoved,
    HostChanged,
    ListedSet,
    Opened,
    PaceSet,
    PersonBanned,
    RatedSet,
    RttCapSet,
    SeatFlagged,
    SeatFreed,
    SeatHandedOver,
    SeatMoved,
    SeatRenamed,
    SeatsLocked,
    SeatTaken,
    TicketRenewed,
)
from slamomatic.table.protocol import Level, Missed, Pace, Phase, RaceView
from slamomatic.table.timing import CLOCKS_US
from slamomatic.unit import Flag

MOVES_KEPT = 64
"""So many moves may be missed and still be told one by one: a minute or two of a quick game."""


_UNTOLD = (SeatFlagged, AssistSet, TicketRenewed)


class Sitter(msgspec.Struct, frozen=True, gc=False):
    """Who sits at a hand. The seat is the ticket's, not the name's and not the socket's."""

    name: str
    ticket_hash: str | None
    """None for a bot, and for a seat handed over: its old ticket opens nothing."""
    bot: Level | None
    person: str | None
    """Of this server's people; None for bots, and for guests of a program that never named itself."""
    avatar: int
    mark: str | None = None
    """Where he came from."""
    never_short: bool = False
    wins: int = 0
    flags: tuple[Flag, ...] = ()
    """What is odd about his connection."""
    dealt_in: bool = False
    """The game being played, or the last one, is his too: he did not sit down after it."""
    left: bool = False
    """He got up in the middle of the game, and a bot plays on for him."""


class TableRecord(msgspec.Struct, frozen=True, gc=False):
    """All that a table remembers."""

    code: str
    edition: Edition
    pace: Pace
    listed: bool
    quick: bool
    """Strangers are matched here, until the first game has begun."""
    rated: bool
    seats: dict[int, Sitter]
    """In seat order."""
    host: int | None = None
    rtt_cap_ms: int | None = None
    locked: bool = False
    banned: frozenset[str] = frozenset()
    """People who may not sit down here again."""
    banned_marks: frozenset[str] = frozenset()
    dealer: int | None = None
    """Who deals next where one may be chosen; None: chance (M2)."""
    game_number: int = 0
    state: State | None = None
    """The game being played, or the last one; None too once one was called off."""
    race: RaceView | None = None
    """The last race of this game."""
    game: str | None = None
    """The id of the last game that began."""
    began_us: int = 0
    """When it did."""
    last_game: str | None = None
    """The id of the last game that is over."""
    clock_us: int | None = None
    """When the time for the open duty is up, while the clock runs; None: none is open, or no clock (B18)."""
    stopped_us: int | None = None
    """Since when that clock stands; None: it runs."""
    timed_us: int = 0
    """When the last thing happened whose time was kept."""

    @property
    def phase(self) -> Phase:
        """Where the table stands."""
        if self.state is None:
            return Phase.WAITING
        return Phase.PLAYING if self.state.ended is None else Phase.RESULT

    @property
    def is_quick(self) -> bool:
        """Whether it still waits for strangers: after the first game it is a table like any other."""
        return self.quick and self.game_number == 0

    def seat_of(self, person: str) -> int | None:
        """Where this person sits; None: nowhere, or he has left in mid-game."""
        return next((seat for seat, one in self.seats.items() if one.bot is None and one.person == person), None)


class RecentMoves:
    """The last moves of this game, for pages that come back and have missed some."""

    def __init__(self) -> None:
        self.stands_since = 0
        """What pages had counted to when the game came to stand as it stands."""
        self._known_from: int | None = None
        """Who has counted so far can be told the rest of this game; None: there is none."""
        self._moves: deque[tuple[int, GameMoved]] = deque()

    def take(self, seq: int, entry: Entry) -> None:
        """Pages have counted to this by now, and this is the last entry."""
        match entry:
            case GameBegan():
                self._moves.clear()
                self._known_from = self.stands_since = seq
            case GameMoved():
                self._moves.append((seq, entry))
                self.stands_since = seq
                if len(self._moves) > MOVES_KEPT:
                    self._known_from = self._moves.popleft()[0]
            case GameCalledOff():
                self._moves.clear()
                self._known_from = None
                self.stands_since = seq
            case _:
                pass

    def since(self, since: int, viewer: Viewer) -> tuple[Missed, ...] | None:
        """What was played after that, as this viewer may know it; None: too much is missing, or it was another game."""
        if self._known_from is None or since < self._known_from:
            return None
        return tuple(
            Missed(seq, tuple(seen(event, viewer) for event in move.events), move.race)
            for seq, move in self._moves
            if seq > since
        )


class Memory:
    """What a table knows of its past, as long as its log."""

    def __init__(self) -> None:
        self.seq = 0
        """How many entries the log has."""
        self.told_seq = 0
        """The same without those that are not for everyone: by this pages count, and learn nothing of a flag."""
        self.moves = RecentMoves()
        self._record: TableRecord | None = None

    @property
    def record(self) -> TableRecord:
        """What these entries make.

        Raises:
            ValueError: there are none.
        """
        if self._record is None:
            raise ValueError("a table's log begins with Opened")
        return self._record

    def take(self, entry: Entry) -> None:
        """One entry more.

        Raises:
            ValueError: it is the first, and no ``Opened``.
        """
        if isinstance(entry, Opened):
            self._record = opened(entry)
        else:
            self._record = applied(self.record, entry)
        self.seq += 1
        self.told_seq += not isinstance(entry, _UNTOLD)
        self.moves.take(self.told_seq, entry)


def rebuilt(entries: Iterable[Entry]) -> TableRecord:
    """The record these entries make.

    Raises:
        ValueError: they do not begin with an ``Opened``.
    """
    memory = Memory()
    for entry in entries:
        memory.take(entry)
    return memory.record


def opened(entry: Opened) -> TableRecord:
    """The record of a table just opened."""
    return TableRecord(entry.code, entry.edition, entry.pace, entry.listed, entry.quick, entry.rated, seats={})


def applied(record: TableRecord, entry: Entry) -> TableRecord:
    """The record with one entry more."""
    return _CHANGES[type(entry)](record, entry)


def _seats(record: TableRecord, seats: dict[int, Sitter]) -> TableRecord:
    return replace(record, seats=dict(sorted(seats.items())))


def _sitter(record: TableRecord, seat: int, **changes: Any) -> TableRecord:
    return _seats(record, record.seats | {seat: replace(record.seats[seat], **changes)})


def _seat_taken(record: TableRecord, entry: SeatTaken) -> TableRecord:
    sitter = Sitter(entry.name, entry.ticket_hash, entry.bot, entry.person, entry.avatar, entry.mark)
    return _seats(record, record.seats | {entry.seat: sitter})


def _seat_freed(record: TableRecord, entry: SeatFreed) -> TableRecord:
    seats = {seat: sitter for seat, sitter in record.seats.items() if seat != entry.seat}
    dealer = record.dealer
    if dealer == entry.seat:
        dealer = min(seats, key=lambda seat: (seat < entry.seat, seat), default=None)
    return replace(record, seats=seats, host=_host_without(record, entry.seat), dealer=dealer)


def _seat_handed_over(record: TableRecord, entry: SeatHandedOver) -> TableRecord:
    record = replace(record, host=_host_without(record, entry.seat))
    return _sitter(record, entry.seat, ticket_hash=None, bot=entry.bot, flags=(), left=True)


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


def _person_banned(record: TableRecord, entry: PersonBanned) -> TableRecord:
    return replace(
        record,
        banned=record.banned | {person for person in (entry.person,) if person is not None},
        banned_marks=record.banned_marks | {mark for mark in (entry.mark,) if mark is not None},
    )


def _game_began(record: TableRecord, entry: GameBegan) -> TableRecord:
    dealt = entry.dealt
    state = start(dealt)
    record = replace(
        record,
        seats={seat: _dealt_in(sitter) for seat, sitter in record.seats.items()},
        state=state,
        race=None,
        dealer=state.left_of(dealt.dealer) if dealt.edition.dealer is DealerChoice.CHOSEN else None,
        game_number=record.game_number + 1,
        game=entry.game,
        began_us=entry.at_us,
    )
    return _next_duty(record, entry.at_us)


def _dealt_in(sitter: Sitter) -> Sitter:
    """Who left the last game has no part in this one: his bot is a bot like any other."""
    return replace(sitter, dealt_in=True, left=False, person=None if sitter.left else sitter.person)


def _game_moved(record: TableRecord, entry: GameMoved) -> TableRecord:
    assert record.state is not None, "a log moves a game only once it has begun"
    state = reduce(evolve, entry.events, record.state)
    record = replace(record, state=state, race=entry.race or record.race)
    if state.ended is not None:
        record = replace(record, last_game=record.game)
        for count in score(state):
            if count.wins:
                record = _sitter(record, count.seat, wins=record.seats[count.seat].wins + 1)
    return _next_duty(record, entry.at_us)


def _game_called_off(record: TableRecord, entry: GameCalledOff) -> TableRecord:
    return _next_duty(replace(record, state=None, race=None, last_game=record.game), entry.at_us)


def _next_duty(record: TableRecord, at_us: int) -> TableRecord:
    """The game stands still for somebody, and his clock begins; at a table asleep it stands from the beginning."""
    clock_us = CLOCKS_US[record.pace] if record.phase is Phase.PLAYING else None
    if clock_us is None:
        return replace(record, clock_us=None, stopped_us=None, timed_us=at_us)
    stopped_us = None if record.stopped_us is None else at_us
    return replace(record, clock_us=at_us + clock_us, stopped_us=stopped_us, timed_us=at_us)


def _clock_ran(record: TableRecord, entry: ClockRan) -> TableRecord:
    assert record.clock_us is not None, "only a clock that stands"
    assert record.stopped_us is not None, "can go on"
    clock_us = record.clock_us + entry.at_us - record.stopped_us
    return replace(record, clock_us=clock_us, stopped_us=None, timed_us=entry.at_us)


_CHANGES: dict[type, Callable[[TableRecord, Any], TableRecord]] = {
    SeatTaken: _seat_taken,
    TicketRenewed: lambda record, entry: _sitter(record, entry.seat, ticket_hash=entry.ticket_hash),
    SeatFreed: _seat_freed,
    SeatMoved: _seat_moved,
    SeatHandedOver: _seat_handed_over,
    SeatRenamed: lambda record, entry: _sitter(record, entry.seat, name=entry.name),
    HostChanged: lambda record, entry: replace(record, host=entry.seat),
    EditionSet: lambda record, entry: replace(record, edition=entry.edition),
    PaceSet: lambda record, entry: replace(record, pace=entry.pace),
    ListedSet: lambda record, entry: replace(record, listed=entry.listed),
    RttCapSet: lambda record, entry: replace(record, rtt_cap_ms=entry.rtt_ms),
    RatedSet: lambda record, entry: replace(record, rated=entry.rated),
    SeatsLocked: lambda record, entry: replace(record, locked=entry.locked),
    PersonBanned: _person_banned,
    DealerNamed: lambda record, entry: replace(record, dealer=entry.seat),
    AssistSet: lambda record, entry: _sitter(record, entry.seat, never_short=entry.never_short),
    SeatFlagged: _seat_flagged,
    GameBegan: _game_began,
    GameMoved: _game_moved,
    GameCalledOff: _game_called_off,
    ClockStopped: lambda record, entry: replace(record, stopped_us=entry.at_us, timed_us=entry.at_us),
    ClockRan: _clock_ran,
}
