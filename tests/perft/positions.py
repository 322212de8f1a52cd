"""The positions that are counted, each named by how to come to it.

Deal ``edition``, its deck cut down to ``highest`` where one is given, to ``players`` with the chance of ``seed``; then
play ``moves`` commands, each ``commands[int(random() * len(commands))]`` of those legal, with the same chance, but stop
short of the one that ends the game.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import msgspec
from msgspec.structs import replace

from slamomatic.game import PRESETS, State, deal, legal, perft, play

GOLDEN = Path(__file__).parent / "perft.json"

ENOUGH = 4_000
"""Counting goes as deep as it takes to reach this number."""


class Case(msgspec.Struct, frozen=True):
    """One position, and how many command paths of 1, 2, 3, ... commands lead away from it, once counted."""

    edition: str
    highest: int
    players: int
    seed: int
    moves: int
    counts: tuple[int, ...] = ()


CASES = tuple(
    Case(edition, highest, players, seed, moves)
    for edition in PRESETS
    for highest, seeds, begins in ((10, (1, 2), (0, 50, 120)), (5, (3,), (0, 40)), (3, (4,), (0, 30)))
    for players in (2, 3, 4)
    for seed in seeds
    for moves in begins
    if players < highest
)


def position(case: Case) -> State:
    """The position this case names."""
    edition = PRESETS[case.edition]
    edition = replace(edition, deck=replace(edition.deck, highest=case.highest))
    rng = Random(case.seed)
    state = deal(edition, case.players, rng)
    for _ in range(case.moves):
        commands = legal(state)
        following = play(state, commands[int(rng.random() * len(commands))], rng).state
        if following.ended is not None:
            break
        state = following
    return state


def counted(case: Case) -> Case:
    """The case with its counts, as deep as :data:`ENOUGH` asks for, or to the game's end."""
    state, counts = position(case), [0]
    while counts[-1] < ENOUGH and len(counts) < 40:
        counts.append(perft(state, len(counts)))
        if not counts[-1]:
            break
    return replace(case, counts=tuple(counts[1:]))


def golden() -> list[Case]:
    """What the golden file says."""
    return msgspec.json.decode(GOLDEN.read_bytes(), type=list[Case])


def written(cases: list[Case]) -> str:
    """The golden file: one line a case."""
    lines = ",\n".join(json.dumps(msgspec.to_builtins(case)) for case in cases)
    return f"[\n{lines}\n]\n"
