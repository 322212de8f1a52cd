"""The result page, read as a player reads it, and counted once more by the cards it shows."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
from playwright.async_api import Page

COUNT = (Path(__file__).parent / "count.js").read_text()
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
VALUES = {word: value for value, word in enumerate(NUMBERS, start=1)}


class Line(msgspec.Struct, frozen=True):
    """One line of a player's count."""

    source: str
    points: int
    cards: tuple[str, ...]


class Player(msgspec.Struct, frozen=True):
    """One player's count."""

    name: str
    wins: bool
    total: int
    lines: tuple[Line, ...]

    def cards(self, *sources: str) -> Counter[str]:
        """The cards of these lines."""
        return Counter(card for line in self.lines if line.source in sources for card in line.cards)


class Count(msgspec.Struct, frozen=True):
    """The whole page."""

    headline: str
    ending: str
    players: tuple[Player, ...]

    def by_name(self) -> dict[str, int]:
        """Everyone's total."""
        return {player.name: player.total for player in self.players}


async def read_count(page: Page) -> Count:
    return msgspec.convert(await page.evaluate(COUNT), Count)


def check_count(count: Count) -> None:
    """What every result shows, whatever was played: lines that add up, and the winners first."""
    for player in count.players:
        assert player.total == sum(line.points for line in player.lines)
    best = max(player.total for player in count.players)
    winners = [player for player in count.players if player.wins]
    assert winners
    assert {player.total for player in winners} == {best}
    assert list(count.players[: len(winners)]) == winners
    for winner in winners:
        assert winner.name in count.headline


def check_classic(count: Count) -> None:
    """All 42 cards are there once (C1), and count by their values (C10)."""
    everywhere = sum((player.cards("Laid", "Still in hand", "Set aside") for player in count.players), Counter[str]())
    assert everywhere == Counter(dict.fromkeys(NUMBERS, 4) | {"Smiling Joker": 1, "Sad Joker": 1})
    assert "last card is gone" in count.ending
    laid_values = VALUES | {"Smiling Joker": 10}
    held_values = VALUES | {"Smiling Joker": 10, "Sad Joker": 20}
    for player in count.players:
        laid = sum(laid_values[card] for card in player.cards("Laid").elements())
        held = sum(held_values[card] for card in player.cards("Still in hand", "Set aside").elements())
        assert player.total == laid - held, player


def check_modern(count: Count) -> None:
    """Twenty pairs and the joker: 22 points (M12, M13)."""
    assert "All pairs are laid" in count.ending
    assert sum(player.total for player in count.players) == 22
    laid = sum((player.cards("Laid") for player in count.players), Counter[str]())
    assert laid == Counter(dict.fromkeys(NUMBERS, 4))
    assert [player.cards("Still in hand") for player in count.players].count(Counter({"Joker": 1})) == 1
    for player in count.players:
        assert player.total == player.cards("Laid").total() // 2 + 2 * player.cards("Still in hand")["Joker"], player
