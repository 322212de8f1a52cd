"""The database: brought up to date as it is opened, read by many, written by one."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import insert, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from slamomatic.server.storage import engines
from slamomatic.server.storage.database import Database, StorageError, url_of
from slamomatic.server.storage.engines import FILE_NAME
from slamomatic.server.storage.schema import metadata, secrets


async def _keep(connection: AsyncConnection, name: str) -> str:
    await connection.execute(insert(secrets).values(name=name, value=name.encode()))
    return name


async def _names(database: Database) -> list[str]:
    async with database.read() as connection:
        return list((await connection.execute(select(secrets.c.name).order_by(secrets.c.name))).scalars())


async def test_a_migrated_database_is_what_the_schema_says(store_url: str) -> None:
    database = await Database.open(store_url)

    async def compare(connection: AsyncConnection) -> list[object]:
        return await connection.run_sync(
            lambda plain: list(
                compare_metadata(
                    MigrationContext.configure(plain, opts={"compare_type": True, "compare_server_default": True}),
                    metadata,
                )
            )
        )

    assert await database.write(compare) == []
    await database.close()


async def test_what_is_written_is_there_after_the_database_was_closed(store_url: str) -> None:
    database = await Database.open(store_url)
    assert await database.write(lambda connection: _keep(connection, "a")) == "a"
    await database.close()
    database = await Database.open(store_url)
    assert await _names(database) == ["a"]
    await database.close()


async def test_a_job_that_fails_is_undone_and_told_to_its_own_caller_alone(store_url: str) -> None:
    database = await Database.open(store_url)

    async def half(connection: AsyncConnection) -> None:
        await _keep(connection, "half")
        raise LookupError("no more")

    results = await asyncio.gather(
        database.write(lambda connection: _keep(connection, "a")),
        database.write(half),
        database.write(lambda connection: _keep(connection, "a")),
        database.write(lambda connection: _keep(connection, "b")),
        return_exceptions=True,
    )
    assert results[0] == "a"
    assert isinstance(results[1], LookupError)
    assert isinstance(results[2], IntegrityError)
    assert results[3] == "b"
    assert await _names(database) == ["a", "b"]
    await database.close()


async def test_sqlite_writes_every_commit_to_the_disk_and_keeps_its_promises(sqlite_url: str) -> None:
    database = await Database.open(sqlite_url)

    async def pragmas(connection: AsyncConnection) -> list[object]:
        names = ("journal_mode", "synchronous", "foreign_keys")
        return [await connection.scalar(text(f"PRAGMA {name}")) for name in names]

    assert await database.write(pragmas) == ["wal", 2, 1]  # 2: FULL
    await database.close()


async def test_a_reader_sees_one_moment_and_cannot_write(store_url: str) -> None:
    database = await Database.open(store_url)
    async with database.read() as connection:
        count = text("SELECT count(*) FROM secrets")
        assert await connection.scalar(count) == 0
        await database.write(lambda connection: _keep(connection, "a"))
        assert await connection.scalar(count) == 0
        with pytest.raises(DBAPIError):
            await _keep(connection, "b")
    assert await _names(database) == ["a"]
    await database.close()


async def test_servers_that_start_at_once_on_an_empty_database_all_start(store_url: str) -> None:
    databases = await asyncio.gather(*(Database.open(store_url) for _ in range(3)))
    for database in databases:
        assert await _names(database) == []
        await database.close()


async def test_many_servers_make_a_new_file_ready_and_none_is_refused(tmp_path: Path) -> None:
    for number in range(12):
        url = url_of(tmp_path / str(number), None)
        for database in await asyncio.gather(*(Database.open(url) for _ in range(8))):
            await database.close()


async def test_a_file_that_somebody_has_to_himself_is_waited_for_but_not_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(engines.WRITING, "busy_timeout", 10)
    monkeypatch.setattr("slamomatic.server.storage.database.OPENING_SECONDS", 1.0)
    url = url_of(tmp_path, None)
    await (await Database.open(url)).close()
    holder = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageError, match="locked"):
        await Database.open(url)
    opening = asyncio.create_task(Database.open(url))
    await asyncio.sleep(0.2)
    assert not opening.done()
    holder.execute("ROLLBACK")
    await (await opening).close()
    holder.close()


async def test_a_database_made_by_a_newer_version_is_refused_in_words(store_url: str) -> None:
    database = await Database.open(store_url)
    await database.write(lambda connection: connection.execute(text("UPDATE alembic_version SET version_num = '9999'")))
    await database.close()
    with pytest.raises(StorageError, match=r"9999.*newer slamomatic"):
        await Database.open(store_url)


async def test_a_database_that_cannot_be_opened_is_named_without_its_password(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageError, match=r"file"):
        await Database.open(url_of(tmp_path / "file", None))
    with pytest.raises(StorageError) as refused:
        await Database.open("postgresql+asyncpg://someone:hunter2@127.0.0.1:1/nothing")
    assert "127.0.0.1" in str(refused.value)
    assert "hunter2" not in str(refused.value)
    with pytest.raises(StorageError, match="nonsense"):
        await Database.open("postgresql+asyncpg://127.0.0.1:1/nothing?nonsense=1")


def test_where_to_keep_is_an_address_or_a_folder(tmp_path: Path) -> None:
    assert url_of(tmp_path, None) == f"sqlite+aiosqlite:///{tmp_path}/slamomatic.db"
    for scheme in ("postgres", "postgresql", "postgresql+asyncpg"):
        assert url_of(tmp_path, f"{scheme}://me:pw@db:5433/slam") == "postgresql+asyncpg://me:pw@db:5433/slam"
    assert url_of(None, "postgres://db/slam?sslmode=require") == "postgresql+asyncpg://db/slam?ssl=require"
    for wrong in ("mysql://db/slam", "sqlite://", "somewhere"):
        with pytest.raises(StorageError):
            url_of(None, wrong)
    with pytest.raises(StorageError, match="--data"):
        url_of(None, None)
