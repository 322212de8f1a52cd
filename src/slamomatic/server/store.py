"""Where the logs of tables are kept. A table is its log: what is appended here survives its table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from slamomatic.table.log import Entry


class Store(Protocol):
    """Keeps entries in the order they came."""

    def append(self, code: str, entries: Iterable[Entry]) -> None:
        """Keep these entries of this table; they are kept once this returns, and only then may anyone see them."""
        ...

    def entries(self, code: str) -> Sequence[Entry]:
        """The whole log of this table, oldest first; empty if there is none."""
        ...

    def forget(self, code: str) -> None:
        """The table is closed: its log is not needed any more."""
        ...


class MemoryStore:
    """Keeps everything as long as the process runs."""

    def __init__(self) -> None:
        self._logs: dict[str, list[Entry]] = {}

    def append(self, code: str, entries: Iterable[Entry]) -> None:
        """Keep these entries of this table."""
        self._logs.setdefault(code, []).extend(entries)

    def entries(self, code: str) -> Sequence[Entry]:
        """The whole log of this table, oldest first."""
        return tuple(self._logs.get(code, ()))

    def forget(self, code: str) -> None:
        """Drop this table's log."""
        self._logs.pop(code, None)
