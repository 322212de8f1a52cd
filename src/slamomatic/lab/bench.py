"""The rules beside a peer: random games of ours and of RLCard's Uno, from Python, in one run.

Two card games are not one, so the figures say how much a game and a move cost, not whose rules are better. Both sides
play their bare rules, each move drawn from the legal ones; the runs alternate, so that both meet the same machine.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import median
from typing import NamedTuple

import msgspec

from slamomatic.game import Edition
from slamomatic.lab.playouts import playout
from slamomatic.lab.timing import timed

PEER = "RLCard's Uno"


class NoPeer(RuntimeError):
    """The peer is not installed; the message says how to do that."""


class Rates(msgspec.Struct, frozen=True):
    """How fast one side plays, on one core: the median of its runs."""

    games_per_second: float
    moves_per_second: float
    moves_per_game: float


class RulesBench(msgspec.Struct, frozen=True, kw_only=True):
    """The two sides of one run."""

    players: int
    games: int
    """In each run."""
    runs: int
    """Of each side."""
    ours: Rates
    peer: str
    theirs: Rates


def bench_rules(edition: Edition, players: int, games: int, runs: int) -> RulesBench:
    """Time both sides.

    Raises:
        NoPeer: RLCard is not installed.
    """
    sides = (_ours(edition, players), _uno(players))
    timed: tuple[list[_Run], list[_Run]] = ([], [])
    for run in range(runs):
        for play, results in zip(sides, timed, strict=True):
            results.append(_run(play, games, Random(run)))
    ours, theirs = map(_rates, timed)
    return RulesBench(players=players, games=games, runs=runs, ours=ours, peer=PEER, theirs=theirs)


class _Run(NamedTuple):
    games_per_second: float
    moves_per_second: float
    moves_per_game: float


def _run(play: Callable[[Random], int], games: int, rng: Random) -> _Run:
    moves, seconds = timed(lambda: sum(play(rng) for _ in range(games)))
    return _Run(games / seconds, moves / seconds, moves / games)


def _rates(runs: list[_Run]) -> Rates:
    return Rates(*(round(median(figures), 1) for figures in zip(*runs, strict=True)))


def _ours(edition: Edition, players: int) -> Callable[[Random], int]:
    return lambda rng: len(playout(edition, players, rng).played)


def _uno(players: int) -> Callable[[Random], int]:
    try:
        from rlcard.games.uno import Game  # noqa: PLC0415 - an extra, for this bench alone
    except ImportError:
        raise NoPeer("RLCard is not installed: run pip install rlcard") from None
    game = Game(num_players=players)

    def play(rng: Random) -> int:
        game.init_game()
        moves = 0
        while not game.is_over():
            actions = game.get_legal_actions()
            game.step(actions[int(rng.random() * len(actions))])
            moves += 1
        return moves

    return play
