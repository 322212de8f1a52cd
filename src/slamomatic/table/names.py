"""Names at a table: never refused for being taken, only for being unreadable."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection

from slamomatic.game.chance import Rng, pick
from slamomatic.table.protocol import MAX_NAME

BOT_NAMES = (
    "Ada", "Bruno", "Cleo", "Dot", "Elmo", "Fay", "Gus", "Hazel", "Ike", "Juno", "Kit", "Lou", "Mabel", "Ned", "Opal",
    "Pip", "Quinn", "Rosie", "Stan", "Tilly", "Uma", "Vern", "Wanda", "Xavi", "Yves", "Zelda",
)  # fmt: skip


def clean_name(text: str) -> str | None:
    """The name as it can be shown, in one line and without invisible marks; None if nothing readable is left."""
    shown = "".join(
        char for char in unicodedata.normalize("NFC", text) if not unicodedata.category(char).startswith("C")
    )
    name = " ".join(shown.split())[:MAX_NAME].rstrip()
    return name if any(char.isalnum() for char in name) else None


def apart(name: str, taken: Collection[str]) -> str:
    """The name, with a number behind it where someone at the table already has it."""
    lower = {other.casefold() for other in taken}
    candidate, number = name, 2
    while candidate.casefold() in lower:
        candidate = f"{name[: MAX_NAME - 2]} {number}"
        number += 1
    return candidate


def bot_name(rng: Rng, taken: Collection[str]) -> str:
    """A bot's name that nobody at the table has."""
    free = [name for name in BOT_NAMES if name not in taken]
    return pick(rng, free)
