"""Whose turn it is with the SQLite file: one server's, or that of a command that puts another in its place.

The lock is SQLite's own, on a small file beside the database: it works wherever SQLite does, and ends with the process
that holds it, however that ends.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path

from slamomatic.server.storage.engines import file_of, make_private
from slamomatic.server.storage.errors import StorageError

LOCK_NAME = "slamomatic.lock"


@contextmanager
def serving(url: str) -> Iterator[None]:
    """While this lasts, the database of this address is ours to serve: SQLite's alone, PostgreSQL's beside others.

    Raises:
        StorageError: another server serves from the SQLite file, or its folder cannot be written to.
    """
    file = file_of(url)
    with alone_with(file.parent) if file is not None else nullcontext():
        yield


@contextmanager
def alone_with(data: Path) -> Iterator[None]:
    """While this lasts, no other server serves from this folder, and nothing is restored into it.

    Raises:
        StorageError: another one does already, or the folder cannot be written to.
    """
    file = data / LOCK_NAME
    make_private(file)
    with closing(sqlite3.connect(file, isolation_level=None, timeout=0)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
                raise StorageError(f"a server is running on {data}: stop it first, or use another folder") from None
            raise StorageError(f"cannot lock {file}: {error}") from None
        yield
