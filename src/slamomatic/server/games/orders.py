"""What the operator does from the command line, as the running servers hear of it."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from slamomatic.server.clock import now_us
from slamomatic.server.limits import DAY
from slamomatic.server.storage import reports
from slamomatic.server.storage.database import Database

REMEMBERED_US = DAY
"""A server that has just started hears of what was done so long ago: it may have missed it. Done twice, it is done."""


class OrderKind(StrEnum):
    """What was done."""

    CLOSE = "close"
    """A table is closed; the subject is its code."""
    BAN = "ban"
    """A person may not play here any more; the subject is his id, as with all that follow."""
    UNBAN = "unban"
    """He may again."""
    RENAME = "rename"
    """He has another name."""


class Order(NamedTuple):
    """One thing the operator did. It is in the database already; what is in memory has to follow."""

    kind: OrderKind
    subject: str


class Orders:
    """Reads them, each once."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._last = 0

    async def new(self) -> list[Order]:
        """Those given since the last time, in their order; the first time, those of the last day."""
        async with self._database.read() as connection:
            found = await reports.orders_after(connection, self._last, now_us() - REMEMBERED_US)
        if found:
            self._last = found[-1].id
        known = set(OrderKind)
        return [Order(OrderKind(order.kind), order.subject) for order in found if order.kind in known]
