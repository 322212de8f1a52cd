"""Positions in a few words, and what happens in them, for the tests of the rules.

``position(MODERN, "1: 3 7 7", "2: 9", pile="4 5")``: seat 1 is free to act, seat 2 watches, the pile's top card is a 4.
"""

from __future__ import annotations

from random import Random
from typing import Any

from slamomatic.game import Card, Command, Edition, Judge, State, Take, Verdict, legal, play
from slamomatic.game.cards import Hand, Pair
from slamomatic.game.chance import Fated, Rng
from slamomatic.game.events import Event


def cards(text: str) -> tuple[Card, ...]:
    """The cards in the order written: ``"7 smiling"``."""
    return tuple(map(Card.parse, text.split()))


def hand(text: str) -> Hand:
    """The cards in the order of a hand."""
    return tuple(sorted(cards(text)))


def pair(text: str) -> Pair:
    """Two cards, in the order written."""
    first, second = cards(text)
    return first, second


def position(edition: Edition, *players: str, pile: str | None = None, **fields: Any) -> State:
    """A position; each player is written ``seat: hand``, ``seat: hand | pairs laid``, the pairs parted by commas.

    The first player is the active one and free to act, the last one dealt; ``fields`` are further ones of the state.
    Without a ``pile`` it holds every card that is nowhere else.
    """
    seats, hands, laid = zip(*sorted(map(_player, players)), strict=True)
    first, last = int(players[0].split(":")[0]), int(players[-1].split(":")[0])
    lying = [card for one in hands for card in one] + [card for pairs in laid for pair in pairs for card in pair]
    rest = list(edition.deck.cards)
    for card in lying:
        if card in rest:
            rest.remove(card)
    named: dict[str, Any] = {
        "edition": edition,
        "seats": seats,
        "dealer": last,
        "hands": hands,
        "laid": laid,
        "aside": ((),) * len(seats),
        "pile": tuple(rest) if pile is None else cards(pile),
        "turn": first,
        "duties": (),
    }
    return State(**named | fields)


def _player(text: str) -> tuple[int, Hand, tuple[Pair, ...]]:
    seat, _, rest = text.partition(":")
    held, _, laid = rest.partition("|")
    return int(seat), hand(held), tuple(pair(words) for words in laid.split(",") if words.strip())


def says(*last: int, early: tuple[int, ...] = (), jam: bool = False, short: bool = False) -> Judge:
    """The unit's word: these were last."""
    return Judge(Verdict(early=early, last=last, jam=jam, short=short))


def after(state: State, *commands: Command, rng: Rng | None = None) -> State:
    """The position these commands lead to."""
    for command in commands:
        state = play(state, command, rng or Random(0)).state
    return state


def events_of(state: State, command: Command, rng: Rng | None = None) -> list[Event]:
    """What this command leads to."""
    return list(play(state, command, rng or Random(0)).events)


def take(state: State, card: str, loser: int | None = None) -> State:
    """The position after the card due is taken, and chance makes it this one."""
    command = next(c for c in legal(state) if isinstance(c, Take) and loser in (None, c.loser))
    held = state.hand(command.loser)
    return after(state, command, rng=Fated(held.index(Card.parse(card)), len(held)))


def kinds(state: State) -> list[str]:
    """Which kinds of commands are legal, each once: ``["Slam", "Fake", "Pass"]``."""
    return list(dict.fromkeys(type(command).__name__ for command in legal(state)))


class Script:
    """Chance as written: makes each :func:`~slamomatic.game.chance.pick` the item at ``index`` of ``count``.

    Once that is used up it leaves every order as it is.
    """

    def __init__(self, *picks: tuple[int, int]) -> None:
        self._numbers = [(index + 0.5) / count for index, count in picks]

    def random(self) -> float:
        return self._numbers.pop(0) if self._numbers else 0.999999
