"""What can go wrong with what is kept, each said in words a person at a console can act on."""

from __future__ import annotations


class StorageError(Exception):
    """Something could not be kept, or could not be read."""


class Unavailable(StorageError):
    """The database does not answer. Whether what was asked of it was kept is not known; ask again later."""


class NoTable(StorageError):
    """There is no open table of this code."""


class Elsewhere(StorageError):
    """The table is played at another server, which is alive."""


class LostTable(StorageError):
    """The table is not ours any more: another server has taken it, or it was closed."""
