"""The SQLite file, copied while it is written to, and put back.

Laws of this room:
- a copy is one moment of the database, in one file, and is looked through before it gets its name;
- nothing is overwritten that was not meant to be: not a file of the same name, not the database of a running server;
  the database that was there before a restore is kept beside the new one;
- a file is at its place whole or not at all.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from slamomatic.server.storage.engines import BUSY_MS, FILE_NAME, make_private
from slamomatic.server.storage.errors import StorageError
from slamomatic.server.storage.migrating import known_versions
from slamomatic.server.storage.serving import alone_with


def backup(data: Path, file: Path, *, overwrite: bool = False) -> int:
    """Copy the database in this folder, whether a server runs on it or not; returns the bytes of the copy.

    Raises:
        StorageError: there is none, it is damaged, or there is a file of this name and it is not to be overwritten.
    """
    source = data / FILE_NAME
    if not source.is_file():
        raise StorageError(f"there is no {FILE_NAME} in {data}")
    if not file.parent.is_dir():
        raise StorageError(f"there is no folder {file.parent}")
    if file.exists() and file.samefile(source):
        raise StorageError(f"{file} is the database itself")
    if not overwrite and os.path.lexists(file):
        raise StorageError(f"{file} is there already: choose another name, or say --force")
    with _checked_copy(source, file) as copy:
        size = copy.stat().st_size
        if not overwrite:
            _reserve(file)
        os.replace(copy, file)
    _settle(file.parent)
    return size


def restore(data: Path, file: Path) -> Path | None:
    """Put a copy in the place of the database in this folder; returns where the former one is now, if there was one.

    Raises:
        StorageError: a server is running on it, or the copy is damaged, none of ours, or of a newer version.
    """
    if not file.is_file():
        raise StorageError(f"there is no file {file}")
    place = data / FILE_NAME
    if place.exists() and place.samefile(file):
        raise StorageError(f"{file} is the database itself")
    with alone_with(data), _checked_copy(file, place) as copy:
        former = _set_aside(place)
        os.replace(copy, place)
        _settle(data)
        return former


@contextmanager
def _checked_copy(source: Path, target: Path) -> Iterator[Path]:
    """A copy beside the target, on the disk, known to be good; gone at the end if it has not been moved away."""
    copy = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        copy.unlink(missing_ok=True)
        make_private(copy)
        with _opened(source, "rw") as old, _opened(copy, "rw") as new:
            old.backup(new)
            new.execute("PRAGMA journal_mode=DELETE")  # one file, whoever opens it next
            _check(new, source)
        with copy.open("rb+") as written:
            os.fsync(written.fileno())
        yield copy
    except sqlite3.Error as error:
        raise StorageError(f"cannot copy {source}: {error}") from error
    except OSError as error:
        raise StorageError(f"cannot write to {target.parent}: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            copy.unlink(missing_ok=True)


def _check(connection: sqlite3.Connection, source: Path) -> None:
    problems = [row[0] for row in connection.execute("PRAGMA integrity_check(3)")]
    if problems != ["ok"]:
        raise StorageError(f"{source} is damaged: {'; '.join(map(str, problems))}")
    if connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
        raise StorageError(f"{source} is damaged: some of its rows speak of others that are not there")
    try:
        versions = [row[0] for row in connection.execute("SELECT version_num FROM alembic_version")]
    except sqlite3.OperationalError:
        versions = []
    if not versions:
        raise StorageError(f"{source} is no database of slamomatic")
    if not known_versions().issuperset(versions):
        raise StorageError(f"{source} is of version {versions[0]}, made by a newer slamomatic: use that one")


def _set_aside(place: Path) -> Path | None:
    """Give the database another name as well, under which it is whole; None if there is none."""
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    aside = place.with_name(f"{FILE_NAME}.before-{stamp}")
    number = 1
    while aside.exists():
        number += 1
        aside = place.with_name(f"{FILE_NAME}.before-{stamp}-{number}")
    if place.exists():
        try:
            with _opened(place, "rw") as old:
                old.execute("PRAGMA journal_mode=DELETE")  # what a killed server left in the log beside it goes into it
        except sqlite3.Error as error:
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
                raise StorageError(f"something else has {place} open: stop it first") from None
    # It may be damaged, and that be the reason for all this: then it is kept just as it was found. And a log that is
    # still there would be taken for one of the database that comes now.
    for suffix in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            os.replace(f"{place}{suffix}", f"{aside}{suffix}")
    if not place.exists():
        return None
    try:
        os.link(place, aside)
    except OSError:  # no links on this file system
        os.replace(place, aside)
    return aside


@contextmanager
def _opened(file: Path, mode: str) -> Iterator[sqlite3.Connection]:
    uri = f"{file.absolute().as_uri()}?mode={mode}"
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None, timeout=BUSY_MS / 1_000)) as connection:
        yield connection


def _reserve(file: Path) -> None:
    try:
        os.close(os.open(file, os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        raise StorageError(f"{file} is there already: choose another name, or say --force") from None


def _settle(folder: Path) -> None:
    """The names in this folder are on the disk, where a folder can be asked for that."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
