"""Around the game: who sits where, who is here, who is host, what is played, who is ready, what emotes say."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from slamomatic.game.dealing import CARDS_DEALT, HANDS_OF_THE_UNIT
from slamomatic.game.edition import DealerChoice, Edition
from slamomatic.table import clockwork
from slamomatic.table.log import (
    AssistSet,
    DealerNamed,
    EditionSet,
    HostChanged,
    ListedSet,
    PaceSet,
    RttCapSet,
    SeatFlagged,
    SeatHandedOver,
    SeatMoved,
    SeatRenamed,
    SeatTaken,
    Sitter,
)
from slamomatic.table.names import apart, bot_name, clean_name
from slamomatic.table.output import Refusal
from slamomatic.table.protocol import (
    AddBot,
    Assist,
    Bye,
    ByeReason,
    CapRoundTrip,
    Emoted,
    Flagged,
    Hidden,
    Leave,
    NameDealer,
    Phase,
    Ready,
    RefusalCode,
    Refused,
    Remove,
    Rename,
    Say,
    SetEdition,
    SetListed,
    SetPace,
    Sit,
)
from slamomatic.table.sitting import STAND_IN, Sitting
from slamomatic.table.timing import EMOTE_US, HOST_GRACE_US, MS, READY_GRACE_US
from slamomatic.unit import Flag
from slamomatic.unit.standing import SESSION

if TYPE_CHECKING:
    from slamomatic.table.table import Table

LEAST_PLAYERS = 2


def sit_down(table: Table, now: int, name: str, ticket_hash: str, hand: int | None) -> int:
    """Someone takes the hand he wants, or the lowest free one; at a table where only bots sit they make room.

    Raises:
        Refusal: no free hand, that hand is taken, the name is unreadable, or a game is being played.
    """
    if table.phase is Phase.PLAYING:
        raise Refusal(RefusalCode.NOT_NOW, "a game is being played: watch, and sit down when it is over")
    shown = _fit_name(table, name)
    if not table.people:
        for bot in tuple(table.record.seats):
            table.free(bot)
    seat = _free_hand(table, hand)
    table.seat(SeatTaken(seat, shown, ticket_hash, bot=None))
    table.sittings[seat].away_since_us = now
    if table.record.host is None:
        table.keep(HostChanged(seat))
    table.tell_table()
    return seat


def presence_changed(table: Table, now: int, seat: int) -> None:
    """A person has come or gone: from now on his hand is his own, or a bot's (B17)."""
    sitting = table.sittings[seat]
    if not sitting.here:
        sitting.away_since_us = now
    elif table.reach is not None and table.reach.is_open and table.reach.seat != seat:
        clockwork.forget_errands(table, seat)
    _replan(table, now, seat)
    table.tell_table()


def begins_us(table: Table, now: int) -> int | None:
    """Between games: when the next one begins if nobody says anything more; None: it does not.

    Everyone here is ready, and whoever is away has been so for too long to be waited for.
    """
    if table.phase is Phase.PLAYING or len(table.record.seats) < LEAST_PLAYERS:
        return None
    sittings = [table.sittings[seat] for seat in table.people]
    here = [sitting for sitting in sittings if sitting.here]
    if not here or not all(sitting.ready for sitting in here):
        return None
    waited_for = [sitting for sitting in sittings if not sitting.here and not sitting.ready]
    if not all(_is_near_enough(table, sitting) for sitting in here):
        return None
    return max((sitting.away_since_us + READY_GRACE_US for sitting in waited_for), default=now)


def host_goes_us(table: Table, now: int) -> int | None:
    """When the host's rights move on: he has left, or been away for too long; None: he is here, or nobody else is."""
    if not any(table.sittings[seat].here for seat in table.people):
        return None
    if table.record.host is None:
        return now
    host = table.sittings[table.record.host]
    return None if host.here else host.away_since_us + HOST_GRACE_US


def host_has_gone(table: Table, _now: int) -> None:
    """The host's rights move on, to the first person here."""
    table.keep(HostChanged(next(seat for seat in table.people if table.sittings[seat].here)))
    table.tell_table()
    tell_flags(table)


def tell_flags(table: Table) -> None:
    """The host learns whose connections are odd, as far as that is known by now."""
    for seat, sitter in table.record.seats.items():
        if sitter.flags:
            _tell_host(table, Flagged(seat, sitter.flags))


def judge_standing(table: Table, seat: int) -> None:
    """What the last races say of a seat's connection, if that is news: to the log and the host, never to a verdict."""
    standing, before = table.sittings[seat].hand.standing, table.record.seats[seat].flags
    now = standing.flags()
    for flag in Flag:
        is_raised = flag in now
        # After a restart there are at first too few races to take anything back.
        if is_raised != (flag in before) and (is_raised or standing.races >= SESSION):
            table.keep(SeatFlagged(seat, flag, is_raised))
    after = table.record.seats[seat].flags
    if after != before:
        _tell_host(table, Flagged(seat, after))


def measured(table: Table, seat: int) -> None:
    """A connection is measured again: everyone is told of a round trip that has become another to the eye.

    Who has become too far away for this table is not ready any more.
    """
    sitting = table.sittings[seat]
    rtt_us = sitting.hand.network.rtt_us
    bars = _bars(rtt_us)
    is_told = sitting.bars == bars
    sitting.bars = bars
    if (
        rtt_us is not None
        and sitting.ready
        and not _is_near_enough(table, sitting)
        and table.phase is not Phase.PLAYING
    ):
        sitting.ready = is_told = False
        table.send(seat, Refused(RefusalCode.TOO_FAR, _too_far(table, rtt_us)))
    if not is_told:
        table.tell_table()


# Messages for everyone.


def _ready(table: Table, now: int, seat: int, message: Ready) -> None:
    _between_games(table)
    sitting = table.sittings[seat]
    if message.ready and not _is_near_enough(table, sitting):
        raise Refusal(RefusalCode.TOO_FAR, _too_far(table, sitting.hand.network.rtt_us))
    sitting.ready = message.ready
    table.tell_table()


def _sit(table: Table, now: int, seat: int, message: Sit) -> None:
    if table.phase is not Phase.WAITING:
        raise Refusal(RefusalCode.NOT_NOW, "hands are chosen before the first game")
    _free_hand(table, message.hand)
    table.move_seat(SeatMoved(seat, message.hand))
    table.send(message.hand, table.welcome(now, message.hand))  # first of all his page learns which hand is his now
    table.tell_table()


def _rename(table: Table, now: int, seat: int, message: Rename) -> None:
    if message.seat != seat:
        _host_only(table, seat)
        _taken(table, message.seat)
    table.keep(SeatRenamed(message.seat, _fit_name(table, message.name, message.seat)))
    table.tell_table()


def _leave(table: Table, now: int, seat: int, message: Leave) -> None:
    _get_up(table, now, seat, ByeReason.LEFT, "you have left the table")


def _hidden(table: Table, now: int, seat: int, message: Hidden) -> None:
    sitting = table.sittings[seat]
    if sitting.hidden != message.hidden:
        sitting.hidden = message.hidden
        presence_changed(table, now, seat)


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
    check_edition(message.edition)
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


def _cap_round_trip(table: Table, now: int, seat: int, message: CapRoundTrip) -> None:
    _host_only(table, seat)
    _between_games(table)
    table.keep(RttCapSet(message.rtt_ms))
    table.tell_table()
    for person in table.people:
        measured(table, person)


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
    hand = _free_hand(table, message.hand)
    table.seat(SeatTaken(hand, bot_name(table.rng, names), ticket_hash=None, bot=message.level))
    table.tell_table()


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
    CapRoundTrip: _cap_round_trip,
    NameDealer: _name_dealer,
    AddBot: _add_bot,
    Remove: _remove,
}


# The pieces.


def check_edition(edition: Edition) -> None:
    """Whether a table of four can play it.

    Raises:
        Refusal: it cannot, and the reason.
    """
    if len(edition.deck) <= CARDS_DEALT * len(HANDS_OF_THE_UNIT):
        raise Refusal(RefusalCode.UNFIT_EDITION, "this deck is too small for four players: take more numbers in")


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


def _free_hand(table: Table, wanted: int | None) -> int:
    free = [hand for hand in HANDS_OF_THE_UNIT if hand not in table.record.seats]
    if not free:
        raise Refusal(RefusalCode.FULL, "all four hands are taken")
    if wanted is not None and wanted not in free:
        raise Refusal(RefusalCode.TAKEN, f"hand {wanted} is taken: choose another")
    return wanted or free[0]


def _fit_name(table: Table, name: str, seat: int | None = None) -> str:
    """The name as it will stand at the table, at this seat."""
    shown = clean_name(name)
    if shown is None:
        raise Refusal(RefusalCode.BAD_NAME, "a name needs a letter or a digit")
    return apart(shown, [sitter.name for other, sitter in table.record.seats.items() if other != seat])


def _is_near_enough(table: Table, sitting: Sitting) -> bool:
    """Whether this connection's round trip is known to be within the table's cap, if it has one."""
    cap_ms, rtt_us = table.record.rtt_cap_ms, sitting.hand.network.rtt_us
    return cap_ms is None or (rtt_us is not None and rtt_us <= cap_ms * MS)


def _too_far(table: Table, rtt_us: int | None) -> str:
    cap_ms = table.record.rtt_cap_ms
    if rtt_us is None:
        return f"this table allows round trips up to {cap_ms} ms, and yours is being measured: try again in a second"
    return (
        f"your round trip is {rtt_us // MS} ms, and this table allows {cap_ms} ms: "
        "try a cable, or a place nearer to the router, or ask the host to allow more"
    )


def _bars(rtt_us: int | None) -> int:
    """A round trip as coarsely as people care: only when this changes is everyone told."""
    return 0 if rtt_us is None else 1 + sum(rtt_us > limit_us for limit_us in (80_000, 160_000, 300_000))


def _tell_host(table: Table, message: Flagged) -> None:
    if table.record.host is not None:
        table.send(table.record.host, message)


def _replan(table: Table, now: int, seat: int) -> None:
    """If everyone waits for this seat, whoever moves it now is to think."""
    state = table.record.state
    if state is not None and state.to_act == seat:
        clockwork.plan(table, now)


def _get_up(table: Table, now: int, seat: int, reason: ByeReason, text: str) -> None:
    """A seat is given up: free between games, a bot's to play on in the middle of one."""
    table.send(seat, Bye(reason, text))
    if table.record.seats[seat].flags and table.record.host != seat:
        _tell_host(table, Flagged(seat, ()))
    if table.phase is Phase.PLAYING:
        table.keep(SeatHandedOver(seat, STAND_IN))
        table.sittings[seat] = Sitting()
        _replan(table, now, seat)
    else:
        table.free(seat)
    table.tell_table()
