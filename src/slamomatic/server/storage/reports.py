"""What players report and what the operator does: the tables ``reports``, ``orders``, and who is who for him.

Laws of this room:
- what the operator does is in the rows at once, and an order tells the running servers to look;
- who has become somebody else is meant by his old id too.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import func, insert, or_, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from slamomatic.server.storage.schema import (
    entries,
    games,
    orders,
    passkeys,
    people,
    players,
    recovery_codes,
    reports,
    servers,
    tables,
)


class NewReport(NamedTuple):
    """A name at a table that should not be there."""

    at_us: int
    code: str
    reporter: str
    person: str | None
    name: str
    reason: str


class StoredReport(NamedTuple):
    """The same, as the operator reads it."""

    id: int
    at_us: int
    code: str
    reporter: str
    person: str | None
    name: str
    reason: str
    settled_us: int | None


class StoredOrder(NamedTuple):
    """Something the operator did."""

    id: int
    at_us: int
    kind: str
    subject: str


class Found(NamedTuple):
    """A person, as the operator sees him."""

    id: str
    name: str
    has_account: bool
    made_us: int
    seen_us: int
    banned_us: int | None
    merged_into: str | None
    games: int


class OpenTable(NamedTuple):
    """A table that is not closed."""

    code: str
    owner: str | None
    alive_us: int | None
    """When that server was last known alive."""
    opened_us: int
    touched_us: int
    entries: int
    games: int
    """Finished ones."""


# Reports.


async def add(connection: AsyncConnection, report: NewReport) -> None:
    """Keep a report; one that says again what is not settled yet is no other."""
    same = select(reports.c.id).where(
        reports.c.reporter == report.reporter,
        reports.c.code == report.code,
        reports.c.name == report.name,
        reports.c.settled_us.is_(None),
    )
    if await connection.scalar(same.limit(1)) is None:
        await connection.execute(insert(reports), report._asdict())


async def listed(connection: AsyncConnection, *, settled: bool) -> list[StoredReport]:
    """The reports, oldest first: the open ones, or all."""
    query = select(reports).order_by(reports.c.id)
    if not settled:
        query = query.where(reports.c.settled_us.is_(None))
    return [StoredReport(*row) for row in await connection.execute(query)]


async def settle(connection: AsyncConnection, report: int, now_us: int) -> bool:
    """This report needs nothing more; False: there is no such open one."""
    settling = update(reports).where(reports.c.id == report, reports.c.settled_us.is_(None)).values(settled_us=now_us)
    return bool((await connection.execute(settling)).rowcount)


# Orders.


async def give(connection: AsyncConnection, kind: str, subject: str, now_us: int) -> None:
    """Tell the running servers. Orders are seen in the order of their ids: nobody reads past one not committed yet."""
    if connection.dialect.name == "postgresql":
        await connection.execute(text("LOCK TABLE orders IN EXCLUSIVE MODE"))
    await connection.execute(insert(orders), {"at_us": now_us, "kind": kind, "subject": subject})


async def orders_after(connection: AsyncConnection, last: int, since_us: int) -> list[StoredOrder]:
    """The orders after this one that are not older than that."""
    query = select(orders).where(orders.c.id > last, orders.c.at_us >= since_us).order_by(orders.c.id)
    return [StoredOrder(*row) for row in await connection.execute(query)]


# People.


async def who_is(connection: AsyncConnection, person: str) -> str | None:
    """Whom this id means today; None: nobody."""
    found: str | None = None
    wanted: str | None = person
    while wanted is not None and wanted != found:
        row = (await connection.execute(select(people.c.id, people.c.merged_into).where(people.c.id == wanted))).first()
        if row is None:
            return None
        found, wanted = row
    return found


async def find(connection: AsyncConnection, words: str, limit: int) -> list[Found]:
    """The people whose name has this in it, or whose id begins so; those seen last come first."""
    his_keys = select(passkeys.c.person).where(passkeys.c.person == people.c.id)
    his_codes = select(recovery_codes.c.person).where(recovery_codes.c.person == people.c.id)
    his_games = select(func.count()).select_from(players).where(players.c.person == people.c.id)
    query = (
        select(
            people.c.id,
            people.c.name,
            or_(his_keys.exists(), his_codes.exists()),
            people.c.made_us,
            people.c.seen_us,
            people.c.banned_us,
            people.c.merged_into,
            his_games.scalar_subquery(),
        )
        .where(or_(people.c.name.icontains(words, autoescape=True), people.c.id.startswith(words, autoescape=True)))
        .order_by(people.c.seen_us.desc(), people.c.id)
        .limit(limit)
    )
    return [Found(*row) for row in await connection.execute(query)]


async def rename(connection: AsyncConnection, person: str, name: str) -> None:
    """Another name for this person, in all he has played too: a replay must not tell the old one."""
    await connection.execute(update(people).where(people.c.id == person).values(name=name))
    await connection.execute(update(players).where(players.c.person == person).values(name=name))


async def ban(connection: AsyncConnection, person: str, banned_us: int | None) -> None:
    """This person may not play on this server; None: he may again."""
    await connection.execute(update(people).where(people.c.id == person).values(banned_us=banned_us))


# Tables.


async def open_tables(connection: AsyncConnection) -> list[OpenTable]:
    """Those that are not closed; the one touched last comes first."""
    its_entries = select(func.count()).select_from(entries).where(entries.c.code == tables.c.code)
    its_games = select(func.count()).select_from(games).where(games.c.code == tables.c.code)
    query = (
        select(
            tables.c.code,
            tables.c.owner,
            servers.c.alive_us,
            tables.c.opened_us,
            tables.c.touched_us,
            its_entries.scalar_subquery(),
            its_games.scalar_subquery(),
        )
        .outerjoin(servers, servers.c.name == tables.c.owner)
        .where(tables.c.closed_us.is_(None))
        .order_by(tables.c.touched_us.desc(), tables.c.code)
    )
    return [OpenTable(*row) for row in await connection.execute(query)]


async def is_open(connection: AsyncConnection, code: str) -> bool:
    """Whether there is such a table, and it is not closed."""
    query = select(tables.c.code).where(tables.c.code == code, tables.c.closed_us.is_(None))
    return await connection.scalar(query) is not None
