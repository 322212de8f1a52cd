"""What older versions of the log wrote, brought up to today: raw JSON to raw JSON, one version at a time.

Nothing here is ever changed again, but for mistakes; a new version of the log is one function more. Each version has a
golden log among the tests.
"""

from __future__ import annotations

import hashlib
from typing import Any, TypeAlias

import msgspec

from slamomatic.table.guests import avatar_of

Raw: TypeAlias = dict[str, Any]
"""An entry as JSON has it, tagged by ``type``."""


def upcast(version: int, to: int, raw: Raw) -> Raw:
    """An entry that was written in that version, as this one would have."""
    for step in _STEPS[version - 1 : to - 1]:
        raw = step(raw)
    return raw


def _from_1(raw: Raw) -> Raw:
    """Version 1 knew no people, no times, no ratings, and a table told its version itself."""
    match raw["type"]:
        case "Opened":
            kept = {key: value for key, value in raw.items() if key != "version"}
            return kept | {"quick": False, "rated": False}
        case "SeatTaken":
            return raw | {"person": None, "avatar": avatar_of(raw["name"]), "mark": None}
        case "GameBegan":
            # The order of the pile is in it, so nobody guesses it any more than a live game's id.
            game = hashlib.sha256(msgspec.json.encode(raw, order="deterministic")).hexdigest()[:26]
            return raw | {"at_us": 0, "game": game}
        case "GameMoved":
            return raw | {"at_us": 0}
        case _:
            return raw


_STEPS = (_from_1,)
