"""How the two stores are spoken to: SQLite in one file, PostgreSQL by its address. Whatever differs stands here.

Laws of this room:
- what is committed is on the disk: SQLite in WAL with synchronous FULL, PostgreSQL as its operator set it;
- one connection writes and takes its lock as it begins; those that read see one moment, and cannot write.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import Connection, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from slamomatic.server.storage.errors import StorageError

FILE_NAME = "slamomatic.db"
"""The SQLite file in the folder given with ``--data``."""
BUSY_MS = 1_000
"""So long one statement waits for another process to let go of an SQLite file; after that it is asked again."""
READERS = 4
PATIENCE_SECONDS = 5.0
"""So long PostgreSQL may take to answer one statement of the writer, or to let a connection in."""

_SQLITE_AWAY = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_NOTADB,
    }
)
_POSTGRES_AWAY = frozenset({"08", "25", "28", "3D", "40", "53", "55", "57", "58", "XX"})
"""Classes of SQLSTATE: connections, transactions that ended, not let in, no such database, deadlocks, no room, not now
(a lock not to be had, a database that takes nobody), shutting down, the disk, PostgreSQL's own faults.
"""

WRITING = {
    "journal_mode": "WAL",
    "synchronous": "FULL",
    "foreign_keys": "ON",
    "busy_timeout": BUSY_MS,
    "wal_autocheckpoint": 0,  # see checkpoints.py
}
_READING = {"busy_timeout": BUSY_MS, "query_only": "ON"}


def url_of(data: Path | None, database_url: str | None) -> str:
    """Where to keep everything: the database of this address, else an SQLite file in this folder.

    Raises:
        StorageError: neither is given, or the address is none.
    """
    if database_url:
        return str(_parsed(database_url).render_as_string(hide_password=False))
    if data is None:
        raise StorageError("nowhere to keep anything: give a folder with --data, or an address in DATABASE_URL")
    return f"sqlite+aiosqlite:///{data.absolute() / FILE_NAME}"


def file_of(url: str) -> Path | None:
    """The SQLite file of this address; None: it is PostgreSQL's."""
    parsed = _parsed(url)
    return Path(parsed.database or "") if parsed.get_backend_name() == "sqlite" else None


def shown(url: str) -> str:
    """The address without its password, for people to read."""
    file = file_of(url)
    return str(file) if file is not None else _parsed(url).render_as_string(hide_password=True)


def writing_engine(url: str) -> AsyncEngine:
    """The engine of the one connection that writes."""
    file = file_of(url)
    if file is None:
        return create_async_engine(
            _parsed(url),
            pool_size=1,
            max_overflow=0,
            connect_args={
                "timeout": PATIENCE_SECONDS,
                "command_timeout": PATIENCE_SECONDS,
                # A server whose network broke holds no table's lock for longer than a table may be waited for.
                "server_settings": {
                    "application_name": "slamomatic",
                    "default_transaction_isolation": "read committed",
                    "idle_in_transaction_session_timeout": str(int(PATIENCE_SECONDS * 1_000)),
                },
            },
        )
    make_private(file)
    return _sqlite_engine(url, "BEGIN IMMEDIATE", WRITING, pool_size=1, max_overflow=0)


def reading_engine(url: str) -> AsyncEngine:
    """The engine of the connections that read."""
    if file_of(url) is not None:
        return _sqlite_engine(url, "BEGIN", _READING, pool_size=READERS)
    return create_async_engine(
        _parsed(url),
        pool_size=READERS,
        pool_pre_ping=True,
        isolation_level="REPEATABLE READ",
        execution_options={"postgresql_readonly": True},
        connect_args={"timeout": PATIENCE_SECONDS, "server_settings": {"application_name": "slamomatic"}},
    )


def is_away(error: BaseException | None) -> bool:
    """Whether this says that the database does not answer now and may later: not that it was asked something wrong."""
    while error is not None:
        if isinstance(error, sqlite3.Error):
            return _sqlite_code(error) in _SQLITE_AWAY
        if isinstance(error, asyncpg.PostgresError):
            return str(error.sqlstate)[:2] in _POSTGRES_AWAY
        if isinstance(error, asyncpg.InterfaceError):
            return not isinstance(error, ValueError)  # the driver's own, for values that do not fit
        if isinstance(error, (OSError, TimeoutError)):
            return True
        if isinstance(error, asyncpg.InternalClientError):
            return True  # what a connection says that broke in the middle of something and is asked something else
        error = error.__cause__
    return False


def is_locked(error: DBAPIError) -> bool:
    """Whether this says that somebody else has an SQLite file to himself just now."""
    return _sqlite_code(error.orig) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _sqlite_code(error: BaseException | None) -> int:
    """What SQLite says went wrong, without the details; an error that is not its own says nothing."""
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & 0xFF


def _parsed(database_url: str) -> URL:
    try:
        url = make_url(database_url)
    except ArgumentError:
        raise StorageError("DATABASE_URL is no address: it looks like postgresql://user:password@host/name") from None
    match url.get_backend_name():
        case "postgresql" | "postgres":
            query = dict(url.query)
            if "sslmode" in query:  # libpq's word; the driver's is another
                query["ssl"] = query.pop("sslmode")
            return url.set(drivername="postgresql+asyncpg", query=query)
        case "sqlite" if url.database not in (None, "", ":memory:"):
            return url.set(drivername="sqlite+aiosqlite")
        case other:
            raise StorageError(f"DATABASE_URL speaks of {other}: only postgresql:// and the file of --data are known")


def _sqlite_engine(url: str, begin: str, pragmas: dict[str, Any], **pool: Any) -> AsyncEngine:
    engine = create_async_engine(url, **pool)

    @event.listens_for(engine.sync_engine, "connect")
    def _connect(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # the driver begins nothing by itself
        cursor = connection.cursor()
        for name, value in pragmas.items():
            cursor.execute(f"PRAGMA {name}={value}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def make_private(file: Path) -> None:
    """The file is there, and only whoever runs the server can read what is in it: tokens' keys are."""
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):
            os.close(os.open(file, os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        raise StorageError(f"cannot keep anything in {file.parent}: {error.strerror or error}") from None
