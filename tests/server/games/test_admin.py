"""What the operator does from the command line: on either store, beside a running server or without one."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import inspect, select
from sqlalchemy.ext.asyncio import create_async_engine

from slamomatic.cli import main
from slamomatic.server.games.archive import Archivist
from slamomatic.server.games.aside import Aside
from slamomatic.server.games.orders import Order, OrderKind, Orders
from slamomatic.server.games.ratings import rate_due
from slamomatic.server.storage import games as stored_games
from slamomatic.server.storage import ratings as stored_ratings
from slamomatic.server.storage import reports as stored
from slamomatic.server.storage.database import Database
from slamomatic.server.storage.people import merge
from slamomatic.server.storage.ratings import Skill
from slamomatic.server.storage.schema import entries, servers
from tests.server.games.conftest import Build
from tests.server.games.made import BEGAN_US, Keeper, game_entries, outcome_of, table_entries, until

T = TypeVar("T")


def call(url: str, *words: str, exit_code: int = 0) -> Result:
    """Call `slamomatic admin`."""
    told = CliRunner().invoke(main, ["admin", *words], env={"DATABASE_URL": url})
    assert told.exit_code == exit_code, (told.output, told.exception)
    if exit_code:
        assert told.stdout == ""
        assert told.stderr.startswith("Error: ")
        assert told.stderr.count("\n") == 1
    return told


def told_as_json(url: str, *words: str) -> Any:
    return json.loads(call(url, *words, "--json").stdout)


def kept(url: str, act: Callable[[Keeper], Awaitable[T]]) -> T:
    """Do this in the database, while nobody else does."""

    async def run() -> T:
        database = await Database.open(url)
        try:
            return await act(Keeper(database))
        finally:
            await database.close()

    return asyncio.run(run())


@pytest.fixture
def url(store_url: str) -> str:
    """A database with a few people."""
    kept(store_url, lambda keeper: keeper.people("ann", "bob", "cid"))
    return store_url


# Reports.


def test_reports_are_listed_and_settled(url: str) -> None:
    async def report(keeper: Keeper) -> None:
        for name in ("Rude", "Ruder"):
            new = stored.NewReport(BEGAN_US, "TABLE7", "ann", "bob", name, "it is\nrude")
            await keeper.database.write(partial(stored.add, report=new))

    assert call(url, "reports").stdout == "no reports\n"
    kept(url, report)
    first, second = told_as_json(url, "reports")
    assert (first["name"], first["person"], first["reporter"], first["settled_us"]) == ("Rude", "bob", "ann", None)
    lines = call(url, "reports").stdout.splitlines()
    assert len(lines) == 3
    assert "Ruder" in lines[2]
    assert "it is rude" in lines[2]
    assert "2025-10-09" in lines[2]
    call(url, "reports", "--settle", str(first["id"]))
    assert [one["name"] for one in told_as_json(url, "reports")] == ["Ruder"]
    assert [bool(one["settled_us"]) for one in told_as_json(url, "reports", "--all")] == [True, False]
    call(url, "reports", "--settle", str(first["id"]), exit_code=1)
    call(url, "reports", "--settle", "99", exit_code=1)
    assert second["id"] != first["id"]


# People.


def test_people_are_found_by_name_and_by_id(url: str) -> None:
    assert [one["id"] for one in told_as_json(url, "people", "AN")] == ["ann"]
    assert [one["id"] for one in told_as_json(url, "people", "ci")] == ["cid"]
    assert call(url, "people", "%").stdout == "nobody\n"
    assert "Ann" in call(url, "people", "ann").stdout


def test_a_new_name_is_everywhere_at_once_and_servers_hear_of_it(url: str) -> None:
    async def plays(keeper: Keeper) -> None:
        await keeper.game(outcome_of("g1", {1: "ann", 2: "bob"}))

    async def look(keeper: Keeper) -> tuple[list[Order], list[str]]:
        async with keeper.database.read() as connection:
            game = await stored_games.info(connection, "g1")
        assert game is not None
        return await Orders(keeper.database).new(), [player.name for player in game.players]

    kept(url, plays)
    call(url, "rename", "bob", "  Robert\u200b ")
    assert told_as_json(url, "people", "bob")[0]["name"] == "Robert"
    assert kept(url, look) == ([Order(OrderKind.RENAME, "bob")], ["Ann", "Robert"])
    call(url, "rename", "nobody", "Robert", exit_code=1)
    call(url, "rename", "bob", "\u200b", exit_code=2)


def test_whoever_has_become_an_account_is_meant_by_his_old_id_too(url: str) -> None:
    kept(url, lambda keeper: keeper.database.write(lambda connection: merge(connection, "ann", "bob")))
    assert call(url, "ban", "ann").stdout == "bob is banned\n"
    assert told_as_json(url, "people", "bob")[0]["banned_us"]


def test_a_ban_can_be_taken_back(url: str) -> None:
    call(url, "ban", "cid")
    assert "banned" in call(url, "people", "cid").stdout
    call(url, "unban", "cid")
    assert told_as_json(url, "people", "cid")[0]["banned_us"] is None
    orders = kept(url, lambda keeper: Orders(keeper.database).new())
    assert orders == [Order(OrderKind.BAN, "cid"), Order(OrderKind.UNBAN, "cid")]
    call(url, "ban", "nobody", exit_code=1)
    call(url, "unban", "nobody", exit_code=1)


# Tables.


def test_a_table_nobody_serves_is_closed_and_its_last_game_is_written_down_first(url: str) -> None:
    async def plays(keeper: Keeper) -> None:
        log = [*table_entries("GGGGGG"), *game_entries("g1", most=10)]
        await keeper.table("GGGGGG", log, [outcome_of("g1", {1: "ann", 2: "bob"}, code="GGGGGG")])

    async def look(keeper: Keeper) -> tuple[bool, list[Any]]:
        async with keeper.database.read() as connection:
            text = await stored_games.text_of(connection, "g1")
            return text is not None, list((await connection.execute(select(entries))).all())

    kept(url, plays)
    [table] = told_as_json(url, "tables")
    assert (table["code"], table["games"], table["entries"]) == ("GGGGGG", 1, 14)
    assert "(gone)" in call(url, "tables").stdout
    assert call(url, "close", "gggggg ").stdout == "table GGGGGG is closed\n"
    assert call(url, "tables").stdout == "no open tables\n"
    assert kept(url, look) == (True, [])
    call(url, "close", "gggggg", exit_code=1)


def test_a_table_that_a_server_plays_is_for_that_server_to_close(url: str) -> None:
    async def plays(keeper: Keeper) -> None:
        await keeper.table("GGGGGG", table_entries("GGGGGG"))
        alive = servers.update().values(alive_us=2**52)
        await keeper.database.write(lambda connection: connection.execute(alive))

    kept(url, plays)
    assert call(url, "close", "GGGGGG").stdout == "test closes table GGGGGG now\n"
    assert len(told_as_json(url, "tables")) == 1
    assert kept(url, lambda keeper: Orders(keeper.database).new()) == [Order(OrderKind.CLOSE, "GGGGGG")]


# Ratings.


def test_ratings_are_counted_anew_and_what_changes_is_told(url: str) -> None:
    async def plays(keeper: Keeper) -> None:
        await keeper.game(outcome_of("g1", {1: "ann", 2: "bob"}, rated=True))
        await rate_due(keeper.database, Aside())

    async def spoil(keeper: Keeper) -> None:
        wrong: dict[str, Skill | None] = {"ann": Skill(50, 1, 9)}
        await keeper.database.write(lambda connection: stored_ratings.write(connection, "Classic", wrong, []))

    kept(url, plays)
    assert call(url, "ratings").stdout == "nothing has changed\n"
    kept(url, spoil)
    told = call(url, "ratings").stdout
    assert "2250 in 9 games" in told
    assert told_as_json(url, "ratings") == []
    kept(url, spoil)
    [change] = told_as_json(url, "ratings")
    assert (change["edition"], change["person"], change["before"]["points"]) == ("Classic", "ann", 2250)
    assert change["after"]["games"] == 1


# A database that is none.


def test_no_database_is_made_where_there_is_none(tmp_path: Path) -> None:
    folder = tmp_path / "nothing"
    told = CliRunner().invoke(main, ["admin", "--data", str(folder), "reports"], env={"DATABASE_URL": ""})
    assert told.exit_code == 1
    assert "there is no database" in told.stderr
    assert not folder.exists()


@pytest.mark.parametrize("content", [b"", b"this is a letter and no database at all" * 100])
def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "slamomatic.db"
    file.write_bytes(content)
    told = CliRunner().invoke(main, ["admin", "--data", str(tmp_path), "ban", "ann"], env={"DATABASE_URL": ""})
    assert told.exit_code == 1
    assert told.stderr.count("\n") == 1
    assert file.read_bytes() == content


def test_somebody_elses_database_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "slamomatic.db"
    with sqlite3.connect(file) as theirs:
        theirs.execute("CREATE TABLE letters (text)")
    theirs.close()
    before = file.read_bytes()
    told = CliRunner().invoke(main, ["admin", "--data", str(tmp_path), "tables"], env={"DATABASE_URL": ""})
    assert told.exit_code == 1
    assert "is no database of this server's" in told.stderr
    assert file.read_bytes() == before


def test_an_empty_database_stays_empty(postgres: Any) -> None:
    url = postgres.new_database()

    async def names() -> list[str]:
        engine = create_async_engine(url)
        async with engine.connect() as connection:
            found: list[str] = await connection.run_sync(lambda plain: inspect(plain).get_table_names())
        await engine.dispose()
        return found

    assert "is no database of this server's" in call(url, "tables", exit_code=1).stderr
    assert asyncio.run(names()) == []
    postgres.drop_database(url)


def test_a_database_that_cannot_be_reached_is_told_in_one_line_without_its_password() -> None:
    told = call("postgresql://me:s3cret@localhost:1/none", "tables", exit_code=1)
    assert "cannot open the database" in told.stderr
    assert "s3cret" not in told.stderr


def test_an_address_that_is_none_is_a_wrong_word() -> None:
    assert "DATABASE_URL" in call("mysql://localhost/none", "tables", exit_code=2).stderr


# Beside a running server.


async def in_another_process(url: str, *words: str) -> Result:
    """As good as: in another thread, with a loop and connections of its own."""
    return await asyncio.to_thread(call, url, *words)


async def test_orders_are_heard_each_once_and_those_of_the_last_day_at_the_start(keeper: Keeper) -> None:
    async def give(kind: str, subject: str, at_us: int) -> None:
        await keeper.database.write(lambda connection: stored.give(connection, kind, subject, at_us))

    orders = Orders(keeper.database)
    now = 2**52
    await give("ban", "old", 1)
    await give("ban", "ann", now)
    await give("dance", "bob", now)
    assert await orders.new() == [Order(OrderKind.BAN, "ann")]
    assert await orders.new() == []
    await give("close", "GGGGGG", now)
    assert await orders.new() == [Order(OrderKind.CLOSE, "GGGGGG")]
    assert await Orders(keeper.database).new() == [Order(OrderKind.BAN, "ann"), Order(OrderKind.CLOSE, "GGGGGG")]


async def test_a_running_server_obeys(build: Build, store_url: str) -> None:
    town = await build()
    ann, ann_id = await town.guest("Ann")
    code = (await town.fine("POST", "/api/tables", {"name": "Ann"}, token=ann))["code"]
    table = f"/api/tables/{code}"
    await in_another_process(store_url, "rename", ann_id, "Annabel")

    async def is_renamed() -> bool:
        return bool((await town.fine("GET", table))["host"] == "Annabel")

    await until(is_renamed)
    assert (await town.fine("GET", "/api/me", token=ann))["name"] == "Annabel"
    await in_another_process(store_url, "ban", ann_id)

    async def is_banned() -> bool:
        return (await town.call("GET", "/api/me/games", token=ann))[0] == 403

    await until(is_banned)
    bob, _ = await town.guest("Bob")
    other = (await town.fine("POST", "/api/tables", {"name": "Bob"}, token=bob))["code"]
    assert "closes table" in (await in_another_process(store_url, "close", other)).stdout

    async def is_closed() -> bool:
        return (await town.call("GET", f"/api/tables/{other}"))[0] == 404

    await until(is_closed)
    await in_another_process(store_url, "unban", ann_id)

    async def is_welcome() -> bool:
        return (await town.call("GET", "/api/me/games", token=ann))[0] == 200

    await until(is_welcome)


async def test_the_archivist_and_the_operator_count_side_by_side(keeper: Keeper, store_url: str) -> None:
    await keeper.people("ann", "bob")
    for number in range(6):
        await keeper.game(outcome_of(f"g{number}", {1: "ann", 2: "bob"}, rated=True, ended_us=BEGAN_US + number))
    await asyncio.gather(
        in_another_process(store_url, "ratings"), Archivist(keeper.database).catch_up(), return_exceptions=False
    )
    async with keeper.database.read() as connection:
        skills = await stored_ratings.skills(connection, "Classic")
    assert skills["ann"].games == 6
    assert (await in_another_process(store_url, "ratings")).stdout == "nothing has changed\n"
