"""The logs of the tables: who may write to which, and what is in them.

Laws of this room:
- a table belongs to one server at a time. Taking it raises its epoch, and what its former owner still sends is refused
  by the database; nobody takes it from a server whose heart has beaten within `LEASE_US`;
- a server that starts lets go of what its former self held, as of when that was last known alive;
- a code is used once, for ever: what is said of one table is never believed of another.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

import msgspec
from sqlalchemy import BigInteger, String, bindparam, case, delete, func, insert, select, tuple_, update
from sqlalchemy import Row as Found
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql.dml import Update

from slamomatic.server.storage.appending import Append, Hold, Row
from slamomatic.server.storage.database import Database
from slamomatic.server.storage.errors import Elsewhere, LostTable, NoTable, StorageError, Unavailable
from slamomatic.server.storage.schema import OPEN, entries, servers, tables
from slamomatic.server.storage.statements import Job, Statements
from slamomatic.server.storage.writer import Work

__all__ = ["Claim", "Elsewhere", "Job", "Logs", "LostTable", "NoTable", "Row", "StorageError", "Unavailable"]

LEASE_US = 10_000_000
"""A server not heard of for so long is taken for dead."""
TOUCH_US = 60_000_000
"""That a table is played at is written down no oftener than this."""
MOST_TOUCHED = 50
"""Of so many tables at a beat: whoever slams just then waits for it."""


class Claim(msgspec.Struct, frozen=True):
    """The right to write to a table, until somebody takes it over."""

    code: str
    epoch: int


class Logs:
    """The logs as one server sees them. One a server, and one server a name."""

    def __init__(self, database: Database, name: str) -> None:
        self._database = database
        self._writer = database.writer
        self._name = name
        self._holds: dict[str, Hold] = {}
        self._touched: set[str] = set()
        self._now_us = 0
        self._beginning = asyncio.Lock()
        self._begun = asyncio.Event()
        self._claiming: _Claiming | None = None

    async def open(self, code: str, now_us: int) -> Claim | None:
        """A new table of this code, ours; None: a table of this code is, or was.

        Raises:
            Unavailable: the database does not answer.
        """
        await self._begin(now_us)

        async def job(connection: AsyncConnection) -> bool:
            if await connection.scalar(select(tables.c.code).where(tables.c.code == code)) is not None:
                return False
            await connection.execute(
                insert(tables).values(code=code, epoch=1, owner=self._name, opened_us=now_us, touched_us=now_us)
            )
            return True

        try:
            is_new = await self._writer.write(job)
        except IntegrityError:  # another server opened one at this very moment
            return None
        return self._hold(Hold(code, 1, 0, now_us, now_us)) if is_new else None

    async def claim(self, code: str, now_us: int) -> Claim:
        """Take an open table. What was appended with any former claim is there, or never will be.

        Raises:
            NoTable: there is no open table of this code.
            Elsewhere: it is another server's, which is alive.
            Unavailable: the database does not answer.
        """
        await self._begin(now_us)
        # After a restart everybody comes back at once: who waits at the same time is served together.
        if self._claiming is None:
            self._claiming = _Claiming()
            self._claiming.told = asyncio.ensure_future(self._claim_together(self._claiming))
        claiming = self._claiming
        claiming.codes.add(code)
        result = (await asyncio.shield(claiming.told))[code]
        if isinstance(result, StorageError):
            raise result
        return result

    async def rows(self, claim: Claim) -> tuple[Sequence[Row], int]:
        """The whole log of a table of ours, oldest first, and `alive_us`: when its last owner was last known alive.

        Raises:
            LostTable: it is not ours any more.
            Unavailable: the database does not answer.
        """
        hold = self._held(claim)
        if hold is None:
            raise _lost(claim)
        query = (
            select(entries.c.seq, entries.c.version, entries.c.body)
            .select_from(tables.outerjoin(entries))
            .where(tables.c.code == claim.code, tables.c.epoch == claim.epoch, OPEN)
            .order_by(entries.c.seq)
        )
        async with self._database.read() as connection:
            found = (await connection.execute(query)).all()
        if not found:
            raise _lost(claim)
        return [Row(seq, version, body) for seq, version, body in found if seq is not None], hold.alive_us

    def append(
        self,
        claim: Claim,
        rows: Sequence[Row],
        done: Callable[[StorageError | None], None],
        also: Job | None = None,
        *,
        can_wait: bool = False,
    ) -> None:
        """Have these entries written to the end of the log of a table of ours, and this job done with them, or neither.

        Returns at once. `done` is called on the loop, later: with None once they are committed, with `LostTable` if the
        table is not ours or its log does not end just before them, with `Unavailable` if the database did not answer
        for `RETRY_US`, with another `StorageError` if the job failed. After a failure nothing more is appended with
        this claim: drop the table, and claim it again to see what is in its log.

        ``can_wait``: a few milliseconds, for others to share the commit with.
        """
        hold = self._held(claim)
        error: StorageError | None = None
        if hold is None:
            error = _lost(claim)
        elif hold.lost is not None:
            error = hold.lost
        elif [row.seq for row in rows] != list(range(hold.next_seq, hold.next_seq + len(rows))):
            error = LostTable(f"the log of table {claim.code} goes on with entry {hold.next_seq}")
        if hold is None or error is not None:
            asyncio.get_running_loop().call_soon(done, error)
            return
        hold.next_seq += len(rows)
        self._touched.add(claim.code)

        def tell(result: Any) -> None:
            done(hold.lost if isinstance(result, Exception) else None)

        self._writer.put(Work(Append(hold, rows), also, tell, can_wait=can_wait))

    def listen(self) -> None:
        """Call now the `done` of all that is known to be committed: a busy loop comes round to it late."""
        self._writer.listen()

    async def release(self, claims: Iterable[Claim]) -> None:
        """Let these tables go, for whoever comes next to take at once; what was appended to them is written first.

        Raises:
            Unavailable: the database does not answer.
        """
        ours = [claim for claim in claims if self._held(claim) is not None]
        if not ours:
            return
        values = [{"its": claim.code, "as_of": claim.epoch, "now": self._now_us} for claim in ours]
        await self._writer.write(lambda connection: connection.execute(_RELEASE, values))
        for claim in ours:
            self._forget(claim)

    async def close_table(self, code: str, now_us: int) -> None:
        """Close this table for ever, whoever's it is, and delete its log. Its games stay.

        Raises:
            Unavailable: the database does not answer.
        """

        async def job(connection: AsyncConnection) -> None:
            await connection.execute(
                update(tables).where(tables.c.code == code, OPEN).values(closed_us=now_us, owner=None)
            )
            await connection.execute(delete(entries).where(entries.c.code == code))

        await self._writer.write(job)
        hold = self._holds.get(code)
        if hold is not None:
            self._forget(Claim(code, hold.epoch))

    async def stale(self, before_us: int, limit: int, shorter_than: int | None = None) -> list[str]:
        """The open tables nobody has touched since then, the longest forgotten first; at most so many.

        ``shorter_than``: only those with fewer entries than that in their logs.

        Raises:
            Unavailable: the database does not answer.
        """
        query = (
            select(tables.c.code)
            .where(OPEN, tables.c.touched_us < before_us)
            .order_by(tables.c.touched_us, tables.c.code)
            .limit(limit)
        )
        if shorter_than is not None:
            later = select(entries.c.seq).where(entries.c.code == tables.c.code, entries.c.seq >= shorter_than - 1)
            query = query.where(~later.exists())
        async with self._database.read() as connection:
            return list((await connection.execute(query)).scalars())

    async def beat(self, now_us: int) -> None:
        """This server is alive; to be called every second. Writes down, too, which tables are played at.

        Raises:
            Unavailable: the database does not answer.
        """
        await self._begin(now_us)
        await self._writer.write(Statements.one(_beat(self._name, now_us)))
        touched = (
            hold
            for code in self._touched
            if (hold := self._holds.get(code)) is not None and now_us - hold.touched_us >= TOUCH_US
        )
        due = list(islice(touched, MOST_TOUCHED))
        if not due:
            return
        ours = tuple_(tables.c.code, tables.c.epoch).in_([(hold.code, hold.epoch) for hold in due])
        older = tables.c.touched_us < now_us
        await self._writer.write(Statements.one(update(tables).where(ours, older).values(touched_us=now_us)))
        for hold in due:
            hold.touched_us = now_us
            self._touched.discard(hold.code)

    async def _begin(self, now_us: int) -> None:
        """Once, before anything is taken: let go of what this server held when it ran last."""
        self._now_us = max(self._now_us, now_us)
        if self._begun.is_set():
            return
        async with self._beginning:
            if self._begun.is_set():
                return

            async def job(connection: AsyncConnection) -> None:
                alive_us = await connection.scalar(select(servers.c.alive_us).where(servers.c.name == self._name))
                if alive_us is None:
                    await connection.execute(insert(servers).values(name=self._name, alive_us=now_us))
                else:
                    await connection.execute(_LET_GO, {"its": self._name, "now": alive_us})
                    await connection.execute(_beat(self._name, now_us))

            await self._writer.write(job)
            self._begun.set()

    async def _claim_together(self, claiming: _Claiming) -> dict[str, Claim | StorageError]:
        async def job(connection: AsyncConnection) -> dict[str, Hold | StorageError]:
            self._claiming = None  # who comes from now on waits for the next
            return await self._take(connection, claiming.codes)

        try:
            taken: dict[str, Hold | StorageError] = await self._writer.write(job)
        finally:
            if self._claiming is claiming:
                self._claiming = None
        return {code: self._hold(hold) if isinstance(hold, Hold) else hold for code, hold in taken.items()}

    async def _take(self, connection: AsyncConnection, codes: set[str]) -> dict[str, Hold | StorageError]:
        found = {table.code: table for table in await connection.execute(_OWNERS, {"codes": sorted(codes)})}
        taken = {code: self._would_take(code, found.get(code)) for code in codes}
        ours = sorted(code for code, hold in taken.items() if isinstance(hold, Hold))
        await connection.execute(_TAKE, {"codes": ours, "its": self._name})
        for code, last_seq in await connection.execute(_LAST, {"codes": ours}):
            hold = taken[code]
            assert isinstance(hold, Hold)
            hold.next_seq = 0 if last_seq is None else last_seq + 1
        return taken

    def _would_take(self, code: str, table: Found[Any] | None) -> Hold | StorageError:
        if table is None or table.closed_us is not None:
            return NoTable(f"there is no open table {code}")
        if table.owner == self._name:
            alive_us = self._now_us
        elif table.owner is None or table.alive_us is None:
            alive_us = table.touched_us
        elif table.alive_us > self._now_us - LEASE_US:
            return Elsewhere(f"table {code} is played at the server {table.owner}")
        else:
            alive_us = max(table.alive_us, table.touched_us)
        return Hold(code, table.epoch + 1, 0, alive_us, table.touched_us)

    def _hold(self, hold: Hold) -> Claim:
        self._holds[hold.code] = hold
        return Claim(hold.code, hold.epoch)

    def _held(self, claim: Claim) -> Hold | None:
        hold = self._holds.get(claim.code)
        return hold if hold is not None and hold.epoch == claim.epoch else None

    def _forget(self, claim: Claim) -> None:
        if self._held(claim) is not None:
            del self._holds[claim.code]
            self._touched.discard(claim.code)


class _Claiming:
    """Those who claim a table at the same time."""

    def __init__(self) -> None:
        self.codes: set[str] = set()
        self.told: asyncio.Future[dict[str, Claim | StorageError]]


def _beat(name: str, now_us: int) -> Update:
    return update(servers).where(servers.c.name == name).values(alive_us=now_us)


def _lost(claim: Claim) -> LostTable:
    return LostTable(f"table {claim.code} is not ours any more")


_ITS = bindparam("its", type_=String)
_NOW = bindparam("now", type_=BigInteger)
_CODES = bindparam("codes", type_=String, expanding=True)
_LATEST = case((tables.c.touched_us < _NOW, _NOW), else_=tables.c.touched_us)
_THIS_TABLE = (tables.c.code == _ITS) & (tables.c.epoch == bindparam("as_of"))
_RELEASE = update(tables).where(_THIS_TABLE).values(owner=None, touched_us=_LATEST)
_LET_GO = update(tables).where(tables.c.owner == _ITS).values(owner=None, touched_us=_LATEST)
_OWNERS = (
    select(tables, servers.c.alive_us)
    .select_from(tables.outerjoin(servers, servers.c.name == tables.c.owner))
    .where(tables.c.code.in_(_CODES))
    .order_by(tables.c.code)
    .with_for_update(of=tables)
)
_TAKE = update(tables).where(tables.c.code.in_(_CODES)).values(epoch=tables.c.epoch + 1, owner=_ITS)
_LAST = select(
    tables.c.code, select(func.max(entries.c.seq)).where(entries.c.code == tables.c.code).scalar_subquery()
).where(tables.c.code.in_(_CODES))
