"""Recovery codes: ten words on paper that bring one back when every device is lost.

Each has 90 random bits, so what is kept of it, a plain hash, tells nobody the code; and looking a hash up says nothing
by the time it takes: who tries codes would have to guess hashes, not letters.
"""

from __future__ import annotations

import hashlib
import secrets

from slamomatic.server.codes import ALPHABET

COUNT = 10
GROUPS, GROUP = 4, 5


def new_codes() -> tuple[str, ...]:
    """Ten codes, as they are printed: ``K7WPX-6BTRH-…``."""
    return tuple(_new_code() for _ in range(COUNT))


def hashed(code: str) -> str:
    """What is kept of a code, however it was typed."""
    told = "".join(char for char in code.upper() if char.isalnum())
    return hashlib.sha256(told.encode()).hexdigest()


def _new_code() -> str:
    return "-".join("".join(secrets.choice(ALPHABET) for _ in range(GROUP)) for _ in range(GROUPS))
