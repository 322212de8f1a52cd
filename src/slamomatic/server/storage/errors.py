"""What can go wrong with what is kept, each said in words a person at a console can act on."""

from __future__ import annotations


class StorageError(Exception):
    """Something could not be kept, or could not be read."""


class Unavailable(StorageError):
    """The database does not answer; whether what was asked of it was kept is not known. Ask again later."""
