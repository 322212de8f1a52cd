"""The fingerprint of the rule engine: how many command paths lead away from known positions.

A number that changes says that a rule has changed. If that was meant: ``python -m tests.perft``, and look at the diff.
"""

from contextlib import suppress
from functools import reduce

import pytest
from msgspec.structs import replace

from slamomatic.game import IllegalCommand, State, Take, carry_out, decide, evolve, legal, perft
from slamomatic.game.chance import Fated
from tests.game.naive import Naive, naive_perft
from tests.perft.positions import CASES, golden, position
from tests.strategies import conceivable


def test_the_golden_file_holds_every_case() -> None:
    assert tuple(replace(case, counts=()) for case in golden()) == CASES


@pytest.mark.parametrize("edition", ["classic", "classic-junior", "modern"])
def test_the_counts_are_the_golden_ones(edition: str) -> None:
    for case in golden():
        if case.edition == edition:
            state = position(case)
            assert [perft(state, depth) for depth in range(1, len(case.counts) + 1)] == list(case.counts), case


def test_no_commands_is_one_path_and_a_finished_game_has_none() -> None:
    state = position(CASES[0])
    assert perft(state, 0) == 1
    while commands := legal(state):
        state, _ = carry_out(state, commands[-1], Fated(0, 1))
    assert perft(state, 0) == 1
    assert perft(state, 1) == perft(state, 5) == 0


def test_a_second_telling_of_the_rules_counts_the_same() -> None:
    for case in golden():
        if case.moves == 0:
            game = Naive(position(case))
            depths = [depth for depth, count in enumerate(case.counts, 1) if count <= 1000]
            assert [naive_perft(game, depth) for depth in depths] == list(case.counts[: len(depths)]), case


def brute_perft(state: State, depth: int) -> int:
    """The same, without asking what is legal: every conceivable command is tried."""
    if depth == 0:
        return 1
    total = 0
    for command in set(conceivable(state)):
        held = len(state.hand(command.loser)) if isinstance(command, Take) and command.loser in state.seats else 0
        chance = Fated(command.position, held) if isinstance(command, Take) and held else Fated(0, 1)
        with suppress(IllegalCommand):
            total += brute_perft(reduce(evolve, decide(state, command, chance), state), depth - 1)
    return total


@pytest.mark.parametrize("edition", ["classic", "modern"])
def test_trying_every_conceivable_command_counts_the_same(edition: str) -> None:
    for case in golden():
        if case.edition == edition and case.players == 3 and case.highest in (3, 10):
            depths = [depth for depth, count in enumerate(case.counts, 1) if count <= 60]
            assert [brute_perft(position(case), depth) for depth in depths] == list(case.counts[: len(depths)]), case
