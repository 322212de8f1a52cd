"""What pages are shown of a table around its game: its seats, its row in a list, and all at once in a welcome."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slamomatic.game.dealing import HANDS_OF_THE_UNIT
from slamomatic.game.view import Viewer
from slamomatic.table import votes
from slamomatic.table.calls import ListedTable
from slamomatic.table.protocol import PROTOCOL, Missed, Phase, Presence, SeatView, TableView, Welcome
from slamomatic.table.timing import MS, WATCH_DELAY_US

if TYPE_CHECKING:
    from slamomatic.table.table import Table


def table_view(table: Table, now: int) -> TableView:
    """The table around the game, as everyone sees it."""
    record = table.record
    return TableView(
        code=record.code,
        phase=record.phase,
        seats=tuple(_seat_view(table, seat) for seat in record.seats),
        edition=record.edition,
        pace=record.pace,
        listed=record.listed,
        rtt_cap_ms=record.rtt_cap_ms,
        dealer=record.dealer,
        game_number=record.game_number,
        watchers=table.watchers,
        rated=record.rated,
        locked=record.locked,
        fills_ms=_fills_ms(table, now),
        end_votes=tuple(sorted(table.end_votes)) if votes.is_open(table) else None,
        last_game=record.last_game,
    )


def row(table: Table) -> ListedTable:
    """The table in a list of tables."""
    record = table.record
    host = record.seats.get(record.host or 0)
    can_be_joined = record.phase is not Phase.PLAYING and not record.locked
    return ListedTable(
        code=record.code,
        host="" if host is None else host.name,
        edition=record.edition.name,
        players=len(record.seats),
        free=len(HANDS_OF_THE_UNIT) - len(record.seats) if can_be_joined else 0,
        phase=record.phase,
        rated=record.rated,
        watchers=table.watchers,
    )


def welcome(table: Table, now: int, seat: Viewer, since: int | None) -> Welcome:
    """All there is to know, for a page that begins or comes back and has seen so much of the log already."""
    return Welcome(
        protocol=PROTOCOL,
        seat=seat,
        table=table_view(table, now),
        view=table.game_view(seat),
        race=table.record.race,
        clock_ms=table.clock_ms(now),
        reaching=table.reach.seat if table.reach is not None and table.reach.is_open else None,
        seq=table.memory.told_seq,
        missed=_missed(table, seat, since),
        delay_ms=WATCH_DELAY_US // MS if seat is None else 0,
    )


def _missed(table: Table, seat: Viewer, since: int | None) -> tuple[Missed, ...] | None:
    if since is None or since > table.memory.told_seq:  # or it has seen what was never kept, or another table's log
        return None
    return table.memory.moves.since(since, table.viewer(seat))


def _fills_ms(table: Table, now: int) -> int | None:
    if not table.record.is_quick:
        return None
    left_us = table.fill_left_us if table.fills_us is None else table.fills_us - now
    return max(0, left_us) // MS


def _seat_view(table: Table, seat: int) -> SeatView:
    sitter, sitting = table.record.seats[seat], table.sittings[seat]
    is_person = sitter.bot is None
    rtt_us = sitting.hand.network.rtt_us
    return SeatView(
        seat=seat,
        name=sitter.name,
        bot=sitter.bot,
        presence=sitting.presence if is_person else Presence.HERE,
        ready=sitting.ready or not is_person,
        host=seat == table.record.host,
        rtt_ms=None if rtt_us is None or not is_person else rtt_us // MS,
        wins=sitter.wins,
        person=sitter.person if is_person else None,
        avatar=sitter.avatar,
    )
