"""A quick match: strangers who sit down are ready at once, and bots take the hands that nobody has taken in time.

The time runs while somebody is here. After its first game such a table is one like any other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from slamomatic.game.dealing import HANDS_OF_THE_UNIT
from slamomatic.table import lobby
from slamomatic.table.protocol import Level
from slamomatic.table.timing import FILL_US

if TYPE_CHECKING:
    from slamomatic.table.table import Table

FILLED_BY = Level.STEADY


def look_round(table: Table, now: int) -> None:
    """Somebody has come or gone: who is here is ready, and if nobody is the time stands."""
    if not table.record.is_quick:
        return
    here = [table.sittings[seat] for seat in table.people if table.sittings[seat].here]
    for sitting in here:
        sitting.ready = True
    if here and table.fills_us is None:
        table.fills_us = now + table.fill_left_us
    elif not here and table.fills_us is not None:
        table.fill_left_us = max(0, table.fills_us - now)
        table.fills_us = None
    if not table.people:
        table.fill_left_us = FILL_US


def begins_us(table: Table, now: int) -> int | None:
    """When the game begins if nobody comes or goes: at once with four, otherwise when the time is up."""
    people = table.people
    if len(people) == len(HANDS_OF_THE_UNIT) and all(table.sittings[seat].here for seat in people):
        return now
    return table.fills_us


def fill(table: Table) -> None:
    """Bots take the free hands."""
    for hand in HANDS_OF_THE_UNIT:
        if hand not in table.record.seats:
            lobby.seat_bot(table, hand, FILLED_BY)
