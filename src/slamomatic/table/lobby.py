"""Around the game: who sits where, who is here, who is host, who is ready, what emotes say."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from slamomatic.game.dealing import CARDS_DEALT, HANDS_OF_THE_UNIT
from slamomatic.game.edition import Edition
from slamomatic.game.editions import PRESETS
from slamomatic.table import clockwork, quick, showing, votes
from slamomatic.table.guests import Guest, avatar_of
from slamomatic.table.log import (
    AssistSet,
    HostChanged,
    SeatFlagged,
    SeatHandedOver,
    SeatMoved,
    SeatRenamed,
    SeatsLocked,
    SeatTaken,
)
from slamomatic.table.memory import Sitter
from slamomatic.table.names import apart, bot_name, clean_name
from slamomatic.table.output import Refusal
from slamomatic.table.protocol import (
    Assist,
    Bye,
    ByeReason,
    Emoted,
    Flagged,
    Hidden,
    Leave,
    Level,
    Phase,
    Ready,
    RefusalCode,
    Refused,
    Rename,
    Say,
    Sit,
)
from slamomatic.table.sitting import STAND_IN, Sitting
from slamomatic.table.timing import EMOTE_US, HOST_GRACE_US, MS, READY_GRACE_US
from slamomatic.unit import Flag
from slamomatic.unit.standing import SESSION

if TYPE_CHECKING:
    from slamomatic.table.table import Table

LEAST_PLAYERS = 2


def sit_down(table: Table, now: int, name: str, ticket_hash: str, hand: int | None, guest: Guest) -> int:
    """Someone takes the hand he wants, or the lowest free one; at a table where only bots sit they make room.

    Raises:
        Refusal: no free hand, that hand is taken, the name is unreadable, a game is being played, or he is not wanted,
            or not known well enough, at this table.
    """
    _check_wanted(table, guest)
    if table.phase is Phase.PLAYING:
        raise Refusal(RefusalCode.NOT_NOW, "a game is being played: watch, and sit down when it is over")
    shown = fit_name(table, name)
    bots_go = not table.people or table.record.rated
    seat = free_hand(table, hand, bots_go=bots_go)
    if bots_go:
        send_bots_away(table)
    if table.record.locked:  # by somebody who has left: nobody could open it again
        table.keep(SeatsLocked(locked=False))
    avatar = avatar_of(shown) if guest.avatar is None else guest.avatar
    entry = SeatTaken(seat, shown, ticket_hash, None, guest.person, avatar, guest.mark)
    table.seat(entry, guest.standing)
    table.sittings[seat].away_since_us = now
    if table.record.host is None:
        table.keep(HostChanged(seat))
    table.tell_table(now)
    return seat


def _check_wanted(table: Table, guest: Guest) -> None:
    record = table.record
    if guest.person in record.banned or guest.mark in record.banned_marks:
        raise Refusal(RefusalCode.BANNED, "the host has banned you from this table: find another one")
    if record.locked and table.people:
        raise Refusal(RefusalCode.LOCKED, "the host lets nobody more sit down: watch, or ask to be let in")
    if record.rated and guest.person is None:
        raise Refusal(RefusalCode.NO_PERSON, "only people this server knows play rated games: become one first")


def seat_bot(table: Table, hand: int, level: Level) -> None:
    """A bot takes a free hand."""
    name = bot_name(table.rng, [sitter.name for sitter in table.record.seats.values()])
    table.seat(SeatTaken(hand, name, None, level, None, avatar_of(name), None))


def send_bots_away(table: Table) -> None:
    """All of them, and those who play on for people who have left."""
    for seat, sitter in tuple(table.record.seats.items()):
        if sitter.bot is not None:
            table.free(seat)


def presence_changed(table: Table, now: int, seat: int) -> None:
    """A person has come or gone: from now on his hand is his own, or a bot's (B17)."""
    sitting = table.sittings[seat]
    if sitting.here:
        votes.came_back(table, seat)
        if table.reach is not None and table.reach.is_open and table.reach.seat != seat:
            clockwork.forget_errands(table, seat)
    else:
        sitting.away_since_us = now
    quick.look_round(table, now)
    _replan(table, now, seat)
    table.tell_table(now)


def begins_us(table: Table, now: int) -> int | None:
    """Between games: when the next one begins if nobody says anything more; None: it does not.

    Everyone here is ready, and whoever is away has been so for too long to be waited for.
    """
    if table.record.is_quick:
        return quick.begins_us(table, now)
    seats = table.people if table.record.rated else table.record.seats
    if table.phase is Phase.PLAYING or len(seats) < LEAST_PLAYERS:
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


def host_has_gone(table: Table, now: int) -> None:
    """The host's rights move on, to the first person here."""
    table.keep(HostChanged(next(seat for seat in table.people if table.sittings[seat].here)))
    table.tell_table(now)
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


def measured(table: Table, now: int, seat: int) -> None:
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
        table.tell_table(now)


# Messages for everyone.


def _ready(table: Table, now: int, seat: int, message: Ready) -> None:
    between_games(table)
    sitting = table.sittings[seat]
    if table.record.is_quick and not message.ready:
        raise Refusal(RefusalCode.NOT_NOW, "a quick match begins by itself: to stay out of it, leave the table")
    if message.ready and not _is_near_enough(table, sitting):
        raise Refusal(RefusalCode.TOO_FAR, _too_far(table, sitting.hand.network.rtt_us))
    sitting.ready = message.ready
    table.tell_table(now)


def _sit(table: Table, now: int, seat: int, message: Sit) -> None:
    if table.phase is not Phase.WAITING:
        raise Refusal(RefusalCode.NOT_NOW, "hands are chosen before the first game")
    free_hand(table, message.hand)
    table.move_seat(SeatMoved(seat, message.hand))
    table.send(
        message.hand, showing.welcome(table, now, message.hand, None)
    )  # first of all his page learns which hand is his now
    table.tell_table(now)


def _rename(table: Table, now: int, seat: int, message: Rename) -> None:
    if message.seat != seat:
        host_only(table, seat)
        taken(table, message.seat)
    rename(table, now, message.seat, message.name)


def _leave(table: Table, now: int, seat: int, message: Leave) -> None:
    get_up(table, now, seat, ByeReason.LEFT, "you have left the table")


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


HANDLERS: dict[type, Callable[[Any, int, int, Any], None]] = {
    Ready: _ready,
    Sit: _sit,
    Rename: _rename,
    Leave: _leave,
    Hidden: _hidden,
    Assist: _assist,
    Say: _say,
}


# The pieces.


def check_edition(edition: Edition, *, rated: bool) -> None:
    """Whether a table of four can play it, and be rated for it.

    Raises:
        Refusal: it cannot, and the reason.
    """
    if len(edition.deck) <= CARDS_DEALT * len(HANDS_OF_THE_UNIT):
        raise Refusal(RefusalCode.UNFIT_EDITION, "this deck is too small for four players: take more numbers in")
    if rated and edition not in PRESETS.values():
        names = ", ".join(preset.name for preset in PRESETS.values())
        raise Refusal(RefusalCode.UNFIT_EDITION, f"rated games are played by the book: {names}")


def host_only(table: Table, seat: int) -> None:
    """Raises a refusal if somebody else is host."""
    if seat != table.record.host:
        raise Refusal(RefusalCode.NOT_HOST, "only the host can do that")


def between_games(table: Table) -> None:
    """Raises a refusal while a game is being played."""
    if table.phase is Phase.PLAYING:
        raise Refusal(RefusalCode.NOT_NOW, "not while a game is being played")


def taken(table: Table, seat: int) -> Sitter:
    """Who sits there; raises a refusal if nobody does."""
    sitter = table.record.seats.get(seat)
    if sitter is None:
        raise Refusal(RefusalCode.NO_SEAT, f"nobody sits at hand {seat}")
    return sitter


def free_hand(table: Table, wanted: int | None, *, bots_go: bool = False) -> int:
    """The hand wanted, or the lowest free one; raises a refusal if there is none. ``bots_go``: theirs are free too."""
    seats = table.record.seats
    free = [hand for hand in HANDS_OF_THE_UNIT if hand not in seats or (bots_go and seats[hand].bot is not None)]
    if not free:
        raise Refusal(RefusalCode.FULL, "all four hands are taken")
    if wanted is not None and wanted not in free:
        raise Refusal(RefusalCode.TAKEN, f"hand {wanted} is taken: choose another")
    return wanted or free[0]


def fit_name(table: Table, name: str, seat: int | None = None) -> str:
    """The name as it will stand at the table, at this seat."""
    shown = clean_name(name)
    if shown is None:
        raise Refusal(RefusalCode.BAD_NAME, "a name needs a letter or a digit")
    return apart(shown, [sitter.name for other, sitter in table.record.seats.items() if other != seat])


def get_up(table: Table, now: int, seat: int, reason: ByeReason, text: str) -> None:
    """A seat is given up: free between games, a bot's to play on in the middle of one."""
    table.send(seat, Bye(reason, text))
    if table.record.seats[seat].flags and table.record.host != seat:
        _tell_host(table, Flagged(seat, ()))
    if table.phase is Phase.PLAYING:
        table.keep(SeatHandedOver(seat, STAND_IN))
        table.sittings[seat] = Sitting()
        table.gone.discard(seat)
        table.end_votes.discard(seat)
        _replan(table, now, seat)
    else:
        table.free(seat)
        quick.look_round(table, now)
    table.tell_table(now)
    votes.count(table, now)


def rename(table: Table, now: int, seat: int, name: str) -> None:
    """Another name for whoever sits there.

    Raises:
        Refusal: it is unreadable.
    """
    table.keep(SeatRenamed(seat, fit_name(table, name, seat)))
    table.tell_table(now)


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
