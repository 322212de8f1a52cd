"""The process that writes to SQLite's file: one thing after the other, each in a transaction of its own.

A server's loop runs this file as it stands; `scribe.py` is the end that speaks to it. In a thread of the server SQLite
would wait for the interpreter's lock before and after each commit, and a commit would take ten times as long.

Laws of this room:
- nothing of the server is imported here: it starts in a moment, and stays small;
- it ends when its input does, and by no signal meant for the server: what was asked of it last is still written;
- a statement's error is told to who asked, and is not the end;
- what is asked for together is done together, or nothing of it.
"""

from __future__ import annotations

import marshal
import signal
import sqlite3
import struct
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

LENGTH = struct.Struct("!I")
"""In front of everything that is said, either way."""


def said(thing: Any) -> bytes:
    """This, as it goes through the pipe."""
    data = marshal.dumps(thing)
    return LENGTH.pack(len(data)) + data


def heard(source: BinaryIO) -> Iterator[Any]:
    """Everything that is said, until nothing more comes."""
    while len(head := source.read(LENGTH.size)) == LENGTH.size:
        [length] = LENGTH.unpack(head)
        data = source.read(length)
        if len(data) < length:
            return
        yield marshal.loads(data)


def write(source: BinaryIO, sink: BinaryIO) -> None:
    """Open the file that is named first, then carry out statements: each is answered with its number of rows, or with
    SQLite's code of what went wrong, and its words. Several in a list are done together, and answered with 0."""
    told = heard(source)
    file, pragmas = next(told)
    connection = sqlite3.connect(file, isolation_level=None)
    for name, value in pragmas.items():
        connection.execute(f"PRAGMA {name}={value}")
    for asked in told:
        try:
            answer: Any = (
                together(connection, asked) if isinstance(asked, list) else connection.execute(*asked).rowcount
            )
        except sqlite3.Error as error:
            answer = (getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR), str(error))
        sink.write(said(answer))
        sink.flush()
    connection.close()


def together(connection: sqlite3.Connection, asked: list[tuple[str, tuple[Any, ...], int | None]]) -> int:
    """Carry out all of these, or none, where one fails or writes more or fewer rows than it has to."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement, values, wanted in asked:
            written = connection.execute(statement, values).rowcount
            if wanted not in (None, written):
                raise sqlite3.IntegrityError(f"{written} rows in place of {wanted}")
        connection.execute("COMMIT")
    except sqlite3.Error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return 0


if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    write(sys.stdin.buffer, sys.stdout.buffer)
