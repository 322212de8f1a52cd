"""Who sits down, as far as the server around a table knows him."""

from __future__ import annotations

import hashlib

import msgspec

from slamomatic.unit import Standing


class Guest(msgspec.Struct, frozen=True, eq=False):
    """What the server says of somebody who wants a seat. All of it may be missing: then he is nobody it knows."""

    person: str | None = None
    """His public id; only people with one play rated games."""
    avatar: int | None = None
    """None: one is made from his name."""
    standing: Standing | None = None
    """What the unit knows of his page from other seats and tables; it goes on in this same object."""
    mark: str | None = None
    """Where he comes from, in a form that says nothing of where that is, and the same after a restart."""


NOBODY = Guest()


def avatar_of(name: str) -> int:
    """The picture of who has chosen none: always the same for a name."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big") >> 1
