"""Calling a game off: when somebody is gone, those who are left may end it together.

Gone is who has left, or has been away for so long that a bot has been playing for him for a while. Time in which
nobody played does not count: who is first back at a sleeping table finds the others where they were.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from slamomatic.table import outcome
from slamomatic.table.log import GameCalledOff
from slamomatic.table.output import Refusal
from slamomatic.table.protocol import CalledOff, Phase, RefusalCode, VoteEnd
from slamomatic.table.timing import AWAY_GRACE_US, GONE_US

if TYPE_CHECKING:
    from slamomatic.table.table import Table


def is_open(table: Table) -> bool:
    """Whether the game can be called off: it is being played, and somebody is gone."""
    return table.phase is Phase.PLAYING and bool(_gone(table))


def gone_us(table: Table) -> int | None:
    """When the next one who is away will be gone; None: nobody will."""
    awake_since_us = table.awake_since_us
    if table.phase is not Phase.PLAYING or awake_since_us is None:
        return None
    away = [table.sittings[seat] for seat in table.people if seat not in table.gone and not table.sittings[seat].here]
    patience_us = AWAY_GRACE_US[table.record.pace] + GONE_US
    return min((max(sitting.away_since_us, awake_since_us) + patience_us for sitting in away), default=None)


def look_round(table: Table, now: int) -> None:
    """Somebody has been away for too long to be waited for."""
    patience_us = AWAY_GRACE_US[table.record.pace] + GONE_US
    assert table.awake_since_us is not None, "nobody goes missing while nobody looks"
    for seat in table.people:
        sitting = table.sittings[seat]
        if not sitting.here and max(sitting.away_since_us, table.awake_since_us) + patience_us <= now:
            table.gone.add(seat)
            table.end_votes.discard(seat)
    table.tell_table(now)
    count(table, now)


def came_back(table: Table, seat: int) -> None:
    """Somebody is here again: if he was the only one gone, there is nothing to vote about."""
    table.gone.discard(seat)
    if not is_open(table):
        table.end_votes.clear()


def count(table: Table, now: int) -> None:
    """If all who are not gone want to call the game off, it is; while a hand is on the unit, after the verdict."""
    if not is_open(table) or table.reach is not None:
        return
    voters = set(table.people) - table.gone
    if voters and voters <= table.end_votes:
        gone = tuple(sorted(_gone(table)))
        table.finish(outcome.called_off(table.record, now, gone))
        table.keep(GameCalledOff(now, gone))
        table.errands.clear()
        forget(table)
        table.announce(CalledOff())
        table.tell_table(now)


def forget(table: Table) -> None:
    """The game is over: so is any vote about it."""
    table.gone.clear()
    table.end_votes.clear()


def _gone(table: Table) -> set[int]:
    return table.gone | {seat for seat, sitter in table.record.seats.items() if sitter.left}


def _vote_end(table: Table, now: int, seat: int, message: VoteEnd) -> None:
    if not is_open(table):
        raise Refusal(RefusalCode.NOT_NOW, "a game is called off only while somebody is gone: play on")
    if message.end:
        table.end_votes.add(seat)
    else:
        table.end_votes.discard(seat)
    table.tell_table(now)
    count(table, now)


HANDLERS: dict[type, Callable[[Any, int, int, Any], None]] = {VoteEnd: _vote_end}
