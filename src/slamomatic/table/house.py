"""What only the host may do: what is played and how, who may sit down, who has to go.

Until its first game a quick match is nobody's: there the host can send people away, and no more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from slamomatic.game.edition import DealerChoice
from slamomatic.table.lobby import between_games, check_edition, free_hand, get_up, host_only, measured, seat_bot, taken
from slamomatic.table.log import (
    DealerNamed,
    EditionSet,
    ListedSet,
    PaceSet,
    PersonBanned,
    RatedSet,
    RttCapSet,
    SeatsLocked,
)
from slamomatic.table.memory import Sitter
from slamomatic.table.output import Refusal
from slamomatic.table.protocol import (
    AddBot,
    Ban,
    ByeReason,
    CapRoundTrip,
    LockSeats,
    NameDealer,
    Phase,
    RefusalCode,
    Remove,
    SetEdition,
    SetListed,
    SetPace,
    SetRated,
)

if TYPE_CHECKING:
    from slamomatic.table.table import Table


def _set_edition(table: Table, now: int, seat: int, message: SetEdition) -> None:
    _may_arrange(table, seat)
    check_edition(message.edition, rated=table.record.rated)
    table.keep(EditionSet(message.edition))
    for sitting in table.sittings.values():  # nobody is ready for rules he has not seen
        sitting.ready = False
    table.tell_table(now)


def _set_pace(table: Table, now: int, seat: int, message: SetPace) -> None:
    _may_arrange(table, seat)
    table.keep(PaceSet(message.pace))
    table.tell_table(now)


def _set_listed(table: Table, now: int, seat: int, message: SetListed) -> None:
    host_only(table, seat)
    _no_quick_match(table)
    table.keep(ListedSet(message.listed))
    table.tell_table(now)


def _cap_round_trip(table: Table, now: int, seat: int, message: CapRoundTrip) -> None:
    _may_arrange(table, seat)
    table.keep(RttCapSet(message.rtt_ms))
    table.tell_table(now)
    for person in table.people:
        measured(table, now, person)


def _set_rated(table: Table, now: int, seat: int, message: SetRated) -> None:
    _may_arrange(table, seat)
    if message.rated:
        check_edition(table.record.edition, rated=True)
        sitters = table.record.seats.values()
        if any(sitter.bot is not None for sitter in sitters):
            raise Refusal(RefusalCode.NOT_NOW, "rated games are between people: send the bots away first")
        if any(sitter.person is None for sitter in sitters):
            raise Refusal(RefusalCode.NO_PERSON, "somebody here is not known to this server, so nobody can be rated")
    table.keep(RatedSet(message.rated))
    for sitting in table.sittings.values():  # nor for stakes he has not seen
        sitting.ready = False
    table.tell_table(now)


def _lock_seats(table: Table, now: int, seat: int, message: LockSeats) -> None:
    host_only(table, seat)
    _no_quick_match(table)
    table.keep(SeatsLocked(message.locked))
    table.tell_table(now)


def _name_dealer(table: Table, now: int, seat: int, message: NameDealer) -> None:
    _may_arrange(table, seat)
    if table.record.edition.dealer is not DealerChoice.CHOSEN:
        raise Refusal(RefusalCode.NOT_NOW, "in this edition the cut decides who deals")
    if message.seat is not None:
        taken(table, message.seat)
    table.keep(DealerNamed(message.seat))
    table.tell_table(now)


def _add_bot(table: Table, now: int, seat: int, message: AddBot) -> None:
    _may_arrange(table, seat)
    if table.record.rated:
        raise Refusal(RefusalCode.NOT_NOW, "rated games are between people: no bots here")
    seat_bot(table, free_hand(table, message.hand), message.level)
    table.tell_table(now)


def _remove(table: Table, now: int, seat: int, message: Remove) -> None:
    sitter = _may_send_away(table, seat, message.seat)
    if sitter.bot is not None and table.phase is Phase.PLAYING:
        raise Refusal(RefusalCode.NOT_NOW, "bots stay until the game is over")
    get_up(table, now, message.seat, ByeReason.REMOVED, "the host has taken your seat back")


def _ban(table: Table, now: int, seat: int, message: Ban) -> None:
    """Who he is, and where he comes from, is not wanted here any more; but those he shares a home with are."""
    sitter = _may_send_away(table, seat, message.seat)
    if sitter.bot is not None:
        raise Refusal(RefusalCode.NOT_NOW, "a bot moves this hand: it can only be removed")
    others = (other for at, other in table.record.seats.items() if at != message.seat)
    mark = None if any(other.mark == sitter.mark for other in others) else sitter.mark
    if sitter.person is not None or mark is not None:
        table.keep(PersonBanned(sitter.person, mark))
    get_up(table, now, message.seat, ByeReason.BANNED, "the host does not want you at this table any more")


HANDLERS: dict[type, Callable[[Any, int, int, Any], None]] = {
    SetEdition: _set_edition,
    SetPace: _set_pace,
    SetListed: _set_listed,
    CapRoundTrip: _cap_round_trip,
    SetRated: _set_rated,
    LockSeats: _lock_seats,
    NameDealer: _name_dealer,
    AddBot: _add_bot,
    Remove: _remove,
    Ban: _ban,
}


# The pieces.


def _may_arrange(table: Table, seat: int) -> None:
    """What is to be played is the host's to say, before it is."""
    host_only(table, seat)
    between_games(table)
    _no_quick_match(table)


def _no_quick_match(table: Table) -> None:
    if table.record.is_quick:
        raise Refusal(RefusalCode.NOT_NOW, "a quick match is as everyone found it, until its first game is over")


def _may_send_away(table: Table, seat: int, whom: int) -> Sitter:
    host_only(table, seat)
    sitter = taken(table, whom)
    if whom == seat:
        raise Refusal(RefusalCode.NOT_NOW, "to get up yourself, leave the table")
    if table.record.rated and table.phase is Phase.PLAYING:
        raise Refusal(RefusalCode.NOT_NOW, "nobody is sent away from a rated game: wait until it is over")
    return sitter
