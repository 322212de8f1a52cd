"""How entries get into the log of a table, many tables' at once.

Laws of this room:
- an append is whole or it is not there, and it is there only if the table was ours when it was committed: the check of
  the epoch, the entries and the commit are one statement (`append_at_once`);
- where that leaves anything in doubt (a table lost, an entry already there, a connection that broke before it told the
  end), `settle` finds out for each append what became of it, and writes what is missing. An append may so be tried any
  number of times, and is kept once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import msgspec
from sqlalchemy import bindparam, insert, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from slamomatic.server.storage.errors import LostTable, StorageError
from slamomatic.server.storage.schema import OPEN, entries, tables
from slamomatic.server.storage.scribe import Demand, Scribe
from slamomatic.server.storage.statements import ForSqlite

MOST_ROWS = 512
"""So many entries at most are written at once, but for an append that alone is longer."""


class Row(msgspec.Struct, frozen=True):
    """One entry of a table's log: the how manieth, of which version of the form, and its bytes."""

    seq: int
    version: int
    body: bytes


class Hold(msgspec.Struct, eq=False):
    """A table that is ours: of which epoch, what comes next in its log, and, once something failed, what.

    Nothing more is appended after a failure: a log has no gaps.
    """

    code: str
    epoch: int
    next_seq: int
    alive_us: int
    touched_us: int
    lost: StorageError | None = None


class Append(msgspec.Struct, eq=False):
    """Entries on their way into a log."""

    hold: Hold
    rows: Sequence[Row]


async def append_at_once(driver: Any, appends: Sequence[Append]) -> bool:
    """Append all of these in one statement, outside of any transaction: it is one, and is committed as it ends.

    By a scribe, or straight to PostgreSQL's driver: one errand, where a statement through the engine makes three, and
    begin and commit as many each.

    Returns whether everything was written. If not, `settle` finds out what was.
    """
    if isinstance(driver, Scribe):
        statement, values, count = _for_sqlite(appends)
        return await driver.carry_out(statement, values) == count
    rows = _rows(appends)
    status = await driver.execute(_FOR_POSTGRES, *zip(*rows, strict=True))
    return bool(status == f"INSERT 0 {len(rows)}")


def append_by_scribe(scribe: Scribe, appends: Sequence[Append], tell: Callable[[bool], None]) -> None:
    """The same for who does not wait: it is on its way when this returns, and `tell` is told whether it is written."""
    statement, values, count = _for_sqlite(appends)
    scribe.write(statement, values, lambda answer: tell(answer == count))


async def append_with(scribe: Scribe, append: Append | None, job: Sequence[ForSqlite]) -> None:
    """Have all of this done by a scribe, the append and the job, or nothing of it.

    Raises:
        sqlite3.Error: nothing of it is done; also where the append is not possible as it stands.
        Broken: it is done, or not.
    """
    demands: list[Demand] = [(statement, values, None) for statement, values in job]
    if append is not None:
        demands.insert(0, _for_sqlite([append]))
    await scribe.carry_out_together(demands)


async def settle(connection: AsyncConnection, appends: Sequence[Append]) -> list[bool | LostTable]:
    """See to it that each of these is written, in the transaction this connection is in.

    Returns for each whether it is written only now, or the error that says why it cannot be.
    """
    ours = await _ours(connection, {append.hold.code for append in appends})
    there = await _there(connection, appends)
    results: list[bool | LostTable] = []
    missing: list[dict[str, Any]] = []
    for append in appends:
        code, epoch = append.hold.code, append.hold.epoch
        wanted = [(code, row.seq, epoch, row.version, row.body) for row in append.rows]
        found = [there[code, row.seq] for row in append.rows if (code, row.seq) in there]
        if ours.get(code) != epoch:
            results.append(LostTable(f"table {code} was taken by another server, or closed"))
        elif found == wanted:
            results.append(False)
        elif found:
            del ours[code]  # what comes after it in the same log is refused as well
            results.append(LostTable(f"table {code} was written to by another server"))
        else:
            results.append(True)
            missing += [dict(zip(_COLUMNS, row, strict=True)) for row in wanted]
    if missing:
        await connection.execute(insert(entries), missing)
    return results


_COLUMNS = tuple(column.name for column in entries.c)
_OURS = select(tables.c.code, tables.c.epoch).where(tables.c.code.in_(bindparam("codes", expanding=True)), OPEN)
_THERE = select(entries).where(tuple_(entries.c.code, entries.c.seq).in_(bindparam("places", expanding=True)))


async def _ours(connection: AsyncConnection, codes: set[str]) -> dict[str, int]:
    """The epochs these tables are in, and stay in until this transaction ends."""
    found = await connection.execute(_OURS.order_by(tables.c.code).with_for_update(read=True), {"codes": sorted(codes)})
    return {table.code: table.epoch for table in found}


async def _there(connection: AsyncConnection, appends: Sequence[Append]) -> dict[tuple[str, int], tuple[Any, ...]]:
    places = [(append.hold.code, row.seq) for append in appends for row in append.rows]
    there: dict[tuple[str, int], tuple[Any, ...]] = {}
    for start in range(0, len(places), MOST_ROWS):
        found = await connection.execute(_THERE, {"places": places[start : start + MOST_ROWS]})
        there |= {(row.code, row.seq): tuple(row) for row in found}
    return there


_FOR_POSTGRES = """
INSERT INTO entries (code, seq, epoch, version, body)
SELECT fresh.code, fresh.seq, fresh.epoch, fresh.version, fresh.body
FROM unnest($1::text[], $2::integer[], $3::integer[], $4::integer[], $5::bytea[])
    AS fresh (code, seq, epoch, version, body)
JOIN (SELECT code, epoch FROM tables WHERE code = ANY ($1) AND closed_us IS NULL ORDER BY code FOR SHARE) AS ours
    ON ours.code = fresh.code AND ours.epoch = fresh.epoch
"""
"""FOR SHARE: whoever takes one of the tables over while this runs waits for its end, or has it see the new epoch."""


def _for_sqlite(appends: Sequence[Append]) -> tuple[str, list[Any], int]:
    """The statement that appends all of these, what goes in, and how many rows it writes if all is well.

    One row of values for each entry, and empty ones up to the next power of two: so there are few statements, and each
    is compiled once.
    """
    rows = _rows(appends)
    size = 1 << (len(rows) - 1).bit_length()
    text = _texts.get(size)
    if text is None:
        values = ", ".join(["(?, ?, ?, ?, ?)"] * size)
        text = _texts[size] = f"""
INSERT INTO entries (code, seq, epoch, version, body)
SELECT fresh.column1, fresh.column2, fresh.column3, fresh.column4, fresh.column5
FROM (VALUES {values}) AS fresh
JOIN tables ON tables.code = fresh.column1 AND tables.epoch = fresh.column3 AND tables.closed_us IS NULL
"""
    return text, [*chain.from_iterable(rows), *[None] * (5 * (size - len(rows)))], len(rows)


def _rows(appends: Sequence[Append]) -> list[tuple[str, int, int, int, bytes]]:
    return [
        (append.hold.code, row.seq, append.hold.epoch, row.version, row.body)
        for append in appends
        for row in append.rows
    ]


_texts: dict[int, str] = {}
