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


BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""What Unicode counts among letters, marks or symbols although nothing is seen of it."""
MARKS_IN_A_ROW = 2
"""No script stacks more on one letter than this in a plain name; more of them climb over the neighbours."""


def clean_name(text: str) -> str | None:
    """The name as it can be shown: in one line, without invisible or piled-up marks; None: nothing readable is left."""
    shown: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", text):
        category = unicodedata.category(char)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks <= MARKS_IN_A_ROW and not category.startswith("C") and char not in BLANKS:
            shown.append(char)
    name = " ".join("".join(shown).split())[:MAX_NAME].rstrip()
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
    lower = {other.casefold() for other in taken}
    free = [name for name in BOT_NAMES if name.casefold() not in lower]
    return pick(rng, free)
