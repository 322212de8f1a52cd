"""Eyes of three kinds: a player's, a cheat's, and those of a thumb that looks for its way."""

from __future__ import annotations

from pathlib import Path

import msgspec
from playwright.async_api import Page

_HERE = Path(__file__).parent
SIGHT, FACES, LAYOUT = ((_HERE / f"{name}.js").read_text() for name in ("sight", "faces", "layout"))


class Sight(msgspec.Struct, frozen=True):
    """What is on the screen right now."""

    page: str
    """``waiting``, ``table``, ``result``, or ``elsewhere``."""
    prompt: str
    controls: tuple[str, ...]
    """The names of all buttons one could press."""
    answers: tuple[str, ...]
    """Those among them that answer a question: pairs, people, cards face down."""
    hand: tuple[str, ...]
    """One's own cards, face up."""
    told: tuple[str, ...]
    notice: str

    def offers(self, *starts: str) -> bool:
        """Whether a control whose name begins with one of these can be pressed."""
        return any(name.startswith(starts) for name in self.controls)


class CardsTold(msgspec.Struct, frozen=True):
    """What a page says about cards beside what is laid and what the history tells."""

    over: bool
    """There is no game, or it is over: then everyone may see all cards."""
    open: tuple[str, ...]
    """Cards that lie face up."""
    words: tuple[str, ...]
    """Texts, labels and attributes that speak of a card."""


async def look_at(page: Page) -> Sight:
    return msgspec.convert(await page.evaluate(SIGHT), Sight)


async def see_cards(page: Page) -> CardsTold:
    return msgspec.convert(await page.evaluate(FACES), CardsTold)


async def find_obstacles(page: Page) -> list[str]:
    """What would trouble a thumb during play; see the script."""
    return msgspec.convert(await page.evaluate(LAYOUT), list[str])
