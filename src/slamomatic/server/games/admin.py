"""`slamomatic admin`: what whoever runs a server does about players and tables, from the command line.

Laws of this room:
- it works on the database, whether servers run on it or not; those that do hear of it within a second or two;
- it never makes a database: one that is not there, or is something else's, is told and left alone;
- exit code 0: done; 1: it could not be, and why is on stderr; 2: the command itself was wrong.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click
import msgspec
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from slamomatic.server import codes
from slamomatic.server.clock import now_us
from slamomatic.server.games import ratings
from slamomatic.server.games.archive import Archivist
from slamomatic.server.games.aside import Aside
from slamomatic.server.games.orders import OrderKind
from slamomatic.server.storage import ratings as stored_ratings
from slamomatic.server.storage import reports as stored
from slamomatic.server.storage.commands import data_option
from slamomatic.server.storage.database import Database, StorageError, url_of
from slamomatic.server.storage.engines import file_of, reading_engine, shown
from slamomatic.server.storage.logs import LEASE_US, Logs
from slamomatic.server.storage.migrating import version_of
from slamomatic.table.names import clean_name

MOST_FOUND = 50
"""So many people are listed."""

T = TypeVar("T")

_json = click.option("--json", "as_json", is_flag=True, help="For programs.")


@click.group()
@data_option("The folder that the server keeps everything in.")
@click.option(
    "--database-url",
    envvar="DATABASE_URL",
    show_envvar=True,
    metavar="URL",
    help="The PostgreSQL database that it does, in place of --data.",
)
@click.pass_context
def admin(context: click.Context, data: Path, database_url: str | None) -> None:
    """Look after players and tables, while the server runs or not."""
    try:
        context.obj = url_of(data, database_url)
    except StorageError as error:
        raise click.UsageError(str(error)) from None


@admin.command()
@click.option("--all", "settled", is_flag=True, help="Those that are settled too.")
@click.option("--settle", "done", type=int, metavar="ID", help="Nothing more is to be done about this one.")
@_json
@click.pass_obj
def reports(url: str, settled: bool, done: int | None, as_json: bool) -> None:
    """The names that players have reported."""

    async def act(database: Database) -> None:
        if done is not None:
            if not await database.write(partial(stored.settle, report=done, now_us=now_us())):
                _fail(f"there is no open report {done}")
            click.echo(f"report {done} is settled")
            return
        async with database.read() as connection:
            found = await stored.listed(connection, settled=settled)
        _tell(
            [report._asdict() for report in found],
            {
                "id": lambda row: str(row["id"]),
                "when": lambda row: _when(row["at_us"]),
                "table": lambda row: row["code"],
                "name": lambda row: row["name"],
                "person": lambda row: row["person"] or "-",
                "reported by": lambda row: row["reporter"],
                "reason": lambda row: " ".join(row["reason"].split()) + (" (settled)" if row["settled_us"] else ""),
            },
            as_json=as_json,
            nothing="no reports",
        )

    _with(url, act)


@admin.command()
@click.argument("person")
@click.argument("name")
@click.pass_obj
def rename(url: str, person: str, name: str) -> None:
    """Give a person another name: at tables, in his past games, everywhere."""
    clean = clean_name(name)
    if clean is None:
        raise click.UsageError("this name has no letter or figure in it")

    async def act(connection: AsyncConnection) -> str:
        found = await _person(connection, person)
        await stored.rename(connection, found, clean)
        await stored.give(connection, OrderKind.RENAME, found, now_us())
        return f"{found} is called {clean} from now on"

    _write(url, act)


@admin.command()
@click.argument("person")
@click.pass_obj
def ban(url: str, person: str) -> None:
    """Let a person play on this server no more."""

    async def act(connection: AsyncConnection) -> str:
        found = await _person(connection, person)
        await stored.ban(connection, found, now_us())
        await stored.give(connection, OrderKind.BAN, found, now_us())
        return f"{found} is banned"

    _write(url, act)


@admin.command()
@click.argument("person")
@click.pass_obj
def unban(url: str, person: str) -> None:
    """Let a banned person play again."""

    async def act(connection: AsyncConnection) -> str:
        found = await _person(connection, person)
        await stored.ban(connection, found, None)
        await stored.give(connection, OrderKind.UNBAN, found, now_us())
        return f"{found} may play again"

    _write(url, act)


@admin.command()
@click.argument("code")
@click.pass_obj
def close(url: str, code: str) -> None:
    """Close a table for good; its finished games stay."""
    code = codes.tidied(code)

    async def act(database: Database) -> None:
        async with database.read() as connection:
            table = next((one for one in await stored.open_tables(connection) if one.code == code), None)
        if table is None:
            _fail(f"there is no open table {code}")
        await database.write(partial(stored.give, kind=OrderKind.CLOSE, subject=code, now_us=now_us()))
        if table.owner is not None and (table.alive_us or 0) > now_us() - LEASE_US:
            click.echo(f"{table.owner} closes table {code} now")
            return
        await Archivist(database).catch_up()  # a game that ended just before its server died is in this log alone
        await Logs(database, "admin").close_table(code, now_us())
        click.echo(f"table {code} is closed")

    _with(url, act)


@admin.command()
@_json
@click.pass_obj
def tables(url: str, as_json: bool) -> None:
    """The tables that are open, awake or asleep."""

    async def act(database: Database) -> None:
        async with database.read() as connection:
            found = await stored.open_tables(connection)
        _tell(
            [table._asdict() for table in found],
            {
                "table": lambda row: row["code"],
                "server": lambda row: _owner(row["owner"], row["alive_us"]),
                "opened": lambda row: _when(row["opened_us"]),
                "last used": lambda row: _when(row["touched_us"]),
                "games": lambda row: str(row["games"]),
                "entries": lambda row: str(row["entries"]),
            },
            as_json=as_json,
            nothing="no open tables",
        )

    _with(url, act)


@admin.command()
@click.argument("words", metavar="FIND")
@_json
@click.pass_obj
def people(url: str, words: str, as_json: bool) -> None:
    """The people whose name has FIND in it, or whose id begins with it."""

    async def act(database: Database) -> None:
        async with database.read() as connection:
            found = await stored.find(connection, words, MOST_FOUND)
        _tell(
            [one._asdict() for one in found],
            {
                "person": lambda row: row["id"],
                "name": lambda row: row["name"],
                "kind": lambda row: "account" if row["has_account"] else "guest",
                "games": lambda row: str(row["games"]),
                "since": lambda row: _when(row["made_us"]),
                "last seen": lambda row: _when(row["seen_us"]),
                "": lambda row: (
                    f"is {row['merged_into']} now" if row["merged_into"] else "banned" if row["banned_us"] else ""
                ),
            },
            as_json=as_json,
            nothing="nobody",
        )

    _with(url, act)


@admin.command("ratings")
@_json
@click.pass_obj
def recount(url: str, as_json: bool) -> None:
    """Count all ratings anew, from the first rated game on, and tell what that changes."""

    async def act(database: Database) -> None:
        aside = Aside()
        changes: list[ratings.Change] = []
        async with database.read() as connection:
            editions = await stored_ratings.editions(connection)
        for edition in editions:
            changes += await ratings.recount(database, aside, edition)
        _tell(
            [{"edition": change.edition, "person": change.person, **_skills(change)} for change in changes],
            {
                "edition": lambda row: row["edition"],
                "person": lambda row: row["person"],
                "before": lambda row: _points(row["before"]),
                "after": lambda row: _points(row["after"]),
            },
            as_json=as_json,
            nothing="nothing has changed",
        )

    _with(url, act)


def _skills(change: ratings.Change) -> dict[str, Any]:
    return {
        when: None if skill is None else {**skill._asdict(), "points": ratings.points(skill.mu)}
        for when, skill in (("before", change.before), ("after", change.after))
    }


def _points(skill: dict[str, Any] | None) -> str:
    return "-" if skill is None else f"{skill['points']} in {skill['games']} games"


# The database.


def _with(url: str, act: Callable[[Database], Awaitable[T]]) -> T:
    """Do this with the database, and say in one line what went wrong."""

    async def run() -> T:
        await _check(url)
        database = await Database.open(url)
        try:
            return await act(database)
        finally:
            await database.close()

    try:
        return asyncio.run(run())
    except StorageError as error:
        _fail(str(error))


def _write(url: str, job: Callable[[AsyncConnection], Awaitable[str]]) -> None:
    click.echo(_with(url, lambda database: database.write(job)))


async def _check(url: str) -> None:
    """Opening a database makes what is not there: so it is looked at first, by one who cannot write.

    Raises:
        StorageError: it is not there, or something else's.
    """
    file = file_of(url)
    if file is not None and not file.is_file():
        raise StorageError(f"there is no database in {file.parent}: name the server's --data, or its DATABASE_URL")
    engine = reading_engine(url)
    try:
        async with engine.begin() as connection:
            version = await connection.run_sync(version_of)
    except (DBAPIError, OSError, TimeoutError) as error:
        why = " ".join(str(getattr(error, "orig", error)).split()) or type(error).__name__
        raise StorageError(f"cannot open the database {shown(url)}: {why}") from None
    finally:
        await engine.dispose()
    if version is None:
        raise StorageError(f"{shown(url)} is no database of this server's: it is left as it is")


async def _person(connection: AsyncConnection, person: str) -> str:
    found = await stored.who_is(connection, person)
    if found is None:
        _fail(f"there is no person {person}: slamomatic admin people FIND lists them")
    return found


# Words.


def _fail(why: str) -> NoReturn:
    raise click.ClickException(why)


def _tell(
    rows: Sequence[dict[str, Any]],
    columns: dict[str, Callable[[dict[str, Any]], str]],
    *,
    as_json: bool,
    nothing: str,
) -> None:
    """A list, for people in columns, for programs in JSON."""
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(rows)))
    elif not rows:
        click.echo(nothing)
    else:
        lines = [list(columns), *([column(row) for column in columns.values()] for row in rows)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        for line in lines:
            click.echo("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def _when(us: int) -> str:
    return f"{datetime.fromtimestamp(us / 1_000_000, UTC):%Y-%m-%d %H:%M}"


def _owner(name: str | None, alive_us: int | None) -> str:
    if name is None:
        return "asleep"
    return name if (alive_us or 0) > now_us() - LEASE_US else f"{name} (gone)"
