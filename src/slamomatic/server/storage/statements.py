"""Jobs whose statements are known before they begin, values and all: in SQLite the pen does such a job in one go.

Any other job goes to and fro between the loop and a thread of SQLite's for each of its statements, and whoever slams
meanwhile waits for it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Self, TypeAlias

from sqlalchemy.dialects import sqlite
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql import ClauseElement, Executable

Job: TypeAlias = Callable[[AsyncConnection], Awaitable[Any]]
"""Something to do in a transaction. It may be run more than once before it is committed."""
ForSqlite: TypeAlias = tuple[str, Sequence[Any]]
"""A statement's text, and what goes in."""

_SQLITE = sqlite.dialect()


class Prepared:
    """A statement that is compiled once, for values that come later."""

    def __init__(self, statement: ClauseElement) -> None:
        compiled = statement.compile(dialect=_SQLITE, compile_kwargs={"render_postcompile": True})
        self._text = str(compiled)
        self._names = compiled.positiontup or ()  # type: ignore[attr-defined]
        self._params = compiled.params

    def of(self, values: Mapping[str, Any] | None = None) -> ForSqlite:
        """With these values, by name, beside those it has already."""
        known = self._params if values is None else {**self._params, **values}
        return self._text, [known[name] for name in self._names]


class Statements:
    """A job that comes to the same whichever way it is done: run on a connection, or as these statements of SQLite's.

    It may be done twice, and nobody asks what it returns.
    """

    __slots__ = ("_job", "for_sqlite")

    def __init__(self, job: Job, for_sqlite: Sequence[ForSqlite]) -> None:
        self._job = job
        self.for_sqlite = for_sqlite

    @classmethod
    def one(cls, statement: Executable) -> Self:
        """A single one; its values are in it."""
        assert isinstance(statement, ClauseElement)
        return cls(lambda connection: connection.execute(statement), [Prepared(statement).of()])

    async def __call__(self, connection: AsyncConnection) -> None:
        """Do it."""
        await self._job(connection)
