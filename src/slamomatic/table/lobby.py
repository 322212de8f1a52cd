"""Around the game: who sits where, who is host, what is played, who is ready, and what people say without words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from slamomatic.game.dealing import CARDS_DEALT, HANDS_OF_THE_UNIT
from slamomatic.game.edition import DealerChoice
from slamomatic.table import clockwork, play
from slamomatic.table.log import (
    AssistSet,
    DealerNamed,
    EditionSet,
    HostChanged,
    ListedSet,
    PaceSet,
    SeatFreed,
    SeatHandedOver,
    SeatMoved,
    SeatRenamed,
    SeatTaken,
    Sitter,
)
from slamomatic.table.names import bot_name
from slamomatic.table.output import Refusal
from slamomatic.table.protocol import (
    AddBot,
    Assist,
    Bye,
    ByeReason,
    Emoted,
    Hidden,
    Leave,
    NameDealer,
    Phase,
    Ready,
    RefusalCode,
    Remove,
    Rename,
    Say,
    SetEdition,
    SetListed,
    SetPace,
    Sit,
)
from slamomatic.table.sitting import STAND_IN, Sitting
from slamomatic.table.timing import EMOTE_US, HOST_GRACE_US, READY_GRACE_US

if TYPE_CHECKING:
    from slamomatic.table.table import Table

LEAST_PLAYERS = 2


def begin_if_ready(table: Table, now: int) -> None:
    """Begin when every person is ready; who has been away too long is not waited for."""
    if table.phase is Phase.PLAYING or len(table.record.seats) < LEAST_PLAYERS:
        return
    sittings = [table.sittings[seat] for seat in table.people]
    waited_for = [s for s in sittings if s.here or now < s.away_since_us + READY_GRACE_US]
    if any(s.ready and s.here for s in sittings) and all(s.ready for s in waited_for):
        play.begin(table, now)


def hand_on_host(table: Table) -> None:
    """The host's rights go to the first person here, else to the first who may come back, else to nobody."""
    others = [seat for seat in table.people if seat != table.record.host]
    here = [seat for seat in others if table.sittings[seat].here]
    table.keep(HostChanged(next(iter(here or others), None)))


def absence_over_us(table: Table, now: int) -> int | None:
    """Between games: the next moment at which someone has been away for too long."""
    if table.phase is Phase.PLAYING:
        return None
    away = {seat: table.sittings[seat] for seat in table.people if not table.sittings[seat].here}
    moments = [sitting.away_since_us + READY_GRACE_US for sitting in away.values()]
    if table.record.host in away:
        moments.append(away[table.record.host].away_since_us + HOST_GRACE_US)
    return min((moment for moment in moments if moment > now), default=None)


def absence_is_over(table: Table, now: int) -> None:
    """Between games someone has been away for too long: his rights move on, and nobody waits for him."""
    host = table.record.host
    if host is not None:
        sitting = table.sittings[host]
        others_here = any(table.sittings[seat].here for seat in table.people)
        if not sitting.here and now >= sitting.away_since_us + HOST_GRACE_US and others_here:
            hand_on_host(table)
            table.tell_table()
    begin_if_ready(table, now)


# Messages for everyone.


def _ready(table: Table, now: int, seat: int, message: Ready) -> None:
    _between_games(table)
    table.sittings[seat].ready = message.ready
    table.tell_table()
    begin_if_ready(table, now)


def _sit(table: Table, now: int, seat: int, message: Sit) -> None:
    if table.phase is not Phase.WAITING:
        raise Refusal(RefusalCode.NOT_NOW, "hands are chosen before the first game")
    table.free_hand(message.hand)
    table.move_seat(SeatMoved(seat, message.hand))
    table.tell_table()


def _rename(table: Table, now: int, seat: int, message: Rename) -> None:
    if message.seat != seat:
        _host_only(table, seat)
        _taken(table, message.seat)
    table.keep(SeatRenamed(message.seat, table.fit_name(message.name, message.seat)))
    table.tell_table()


def _leave(table: Table, now: int, seat: int, message: Leave) -> None:
    _get_up(table, now, seat, ByeReason.LEFT, "you have left the table")


def _hidden(table: Table, now: int, seat: int, message: Hidden) -> None:
    sitting = table.sittings[seat]
    if sitting.hidden != message.hidden:
        sitting.hidden = message.hidden
        clockwork.presence_changed(table, now, seat)


def _assist(table: Table, now: int, seat: int, message: Assist) -> None:
    table.keep(AssistSet(seat, message.never_short))


def _say(table: Table, now: int, seat: int, message: Say) -> None:
    sitting = table.sittings[seat]
    if sitting.said_us is not None and now < sitting.said_us + EMOTE_US:
        raise Refusal(RefusalCode.TOO_FAST, "one emote at a time")
    sitting.said_us = now
    table.announce(Emoted(seat, message.emote))


# Messages for the host.


def _set_edition(table: Table, now: int, seat: int, message: SetEdition) -> None:
    _host_only(table, seat)
    _between_games(table)
    if len(message.edition.deck) <= CARDS_DEALT * len(HANDS_OF_THE_UNIT):
        raise Refusal(RefusalCode.UNFIT_EDITION, "this deck is too small for four players")
    table.keep(EditionSet(message.edition))
    for sitting in table.sittings.values():  # nobody is ready for rules he has not seen
        sitting.ready = False
    table.tell_table()


def _set_pace(table: Table, now: int, seat: int, message: SetPace) -> None:
    _host_only(table, seat)
    _between_games(table)
    table.keep(PaceSet(message.pace))
    table.tell_table()


def _set_listed(table: Table, now: int, seat: int, message: SetListed) -> None:
    _host_only(table, seat)
    table.keep(ListedSet(message.listed))
    table.tell_table()


def _name_dealer(table: Table, now: int, seat: int, message: NameDealer) -> None:
    _host_only(table, seat)
    _between_games(table)
    if table.record.edition.dealer is not DealerChoice.CHOSEN:
        raise Refusal(RefusalCode.NOT_NOW, "in this edition the cut decides who deals")
    if message.seat is not None:
        _taken(table, message.seat)
    table.keep(DealerNamed(message.seat))
    table.tell_table()


def _add_bot(table: Table, now: int, seat: int, message: AddBot) -> None:
    _host_only(table, seat)
    _between_games(table)
    names = [sitter.name for sitter in table.record.seats.values()]
    hand = table.free_hand(message.hand)
    table.seat(SeatTaken(hand, bot_name(table.rng, names), ticket_hash=None, bot=message.level))
    table.tell_table()
    begin_if_ready(table, now)


def _remove(table: Table, now: int, seat: int, message: Remove) -> None:
    _host_only(table, seat)
    sitter = _taken(table, message.seat)
    if message.seat == seat:
        raise Refusal(RefusalCode.NOT_NOW, "to get up yourself, leave the table")
    if sitter.bot is not None and table.phase is Phase.PLAYING:
        raise Refusal(RefusalCode.NOT_NOW, "bots stay until the game is over")
    _get_up(table, now, message.seat, ByeReason.REMOVED, "the host has taken your seat back")


HANDLERS: dict[type, Callable[[Any, int, int, Any], None]] = {
    Ready: _ready,
    Sit: _sit,
    Rename: _rename,
    Leave: _leave,
    Hidden: _hidden,
    Assist: _assist,
    Say: _say,
    SetEdition: _set_edition,
    SetPace: _set_pace,
    SetListed: _set_listed,
    NameDealer: _name_dealer,
    AddBot: _add_bot,
    Remove: _remove,
}


# The pieces.


def _host_only(table: Table, seat: int) -> None:
    if seat != table.record.host:
        raise Refusal(RefusalCode.NOT_HOST, "only the host can do that")


def _between_games(table: Table) -> None:
    if table.phase is Phase.PLAYING:
        raise Refusal(RefusalCode.NOT_NOW, "not while a game is being played")


def _taken(table: Table, seat: int) -> Sitter:
    sitter = table.record.seats.get(seat)
    if sitter is None:
        raise Refusal(RefusalCode.NO_SEAT, f"nobody sits at hand {seat}")
    return sitter


def _get_up(table: Table, now: int, seat: int, reason: ByeReason, text: str) -> None:
    """A seat is given up: free between games, a bot's to play on in the middle of one."""
    table.send(seat, Bye(reason, text))
    was_host = table.record.host == seat
    if table.phase is Phase.PLAYING:
        table.keep(SeatHandedOver(seat, STAND_IN))
        table.sittings[seat] = Sitting()
        clockwork.seat_handed_over(table, now, seat)
    else:
        table.keep(SeatFreed(seat))
        del table.sittings[seat]
    if was_host:
        hand_on_host(table)
    table.tell_table()
    begin_if_ready(table, now)
