"""Positions of every kind, and house rules of every kind, for bots to be asked about."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from random import Random

from hypothesis import strategies as st
from msgspec.structs import fields, replace

from slamomatic.game import CLASSIC, PRESETS, Card, Edition, State, UnfitEdition, deal, legal, play


@st.composite
def editions(draw: st.DrawFn) -> Edition:
    """A preset, or house rules that fit together (B19)."""
    preset = draw(st.sampled_from(tuple(PRESETS.values())))
    rulings = {
        field.name: draw(st.sampled_from(tuple(field.type)))
        for field in fields(Edition)
        if isinstance(field.type, type) and issubclass(field.type, Enum) and draw(st.booleans())
    }
    numbers = {
        "full_press_ms": draw(st.sampled_from((0, 30))),
        "free_fakes": draw(st.integers(0, 3)),
        "duel_limit_ms": draw(st.sampled_from((0, 400))),
    }
    try:
        return replace(preset, name="House rules", **rulings, **numbers)
    except UnfitEdition:
        return replace(preset, name="House rules", **numbers)


def wandering(edition: Edition, players: int, rng: Random, most: int = 400) -> Iterator[State]:
    """The positions of a game in which everyone, the unit included, does anything legal."""
    state = deal(edition, players, rng)
    for _ in range(most):
        yield state
        commands = legal(state)
        if not commands:
            return
        state = play(state, commands[int(rng.random() * len(commands))], rng).state


def holding(*hands: str, edition: Edition = CLASSIC, pile: int = 20) -> State:
    """Seat 1, free to act, and the others with these hands, cards written as in ``5 5 smiling``."""
    state = deal(edition, len(hands), Random(1))
    cards = tuple(tuple(sorted(map(Card.parse, hand.split()))) for hand in hands)
    return replace(state, turn=1, duties=(), hands=cards, pile=state.pile[:pile])
