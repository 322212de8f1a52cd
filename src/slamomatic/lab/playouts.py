"""Playouts: whole games of random commands, by the reference engine.

Each command is as likely as any other that is legal, and so is each verdict the unit could give. So nobody plays well,
but everything happens: that is what finds a breach of the rules. The same seed plays the same games.
"""

from __future__ import annotations

from functools import partial
from random import Random
from typing import NamedTuple

import msgspec

from slamomatic.game import Command, Edition, Record, State, carry_out, deal, dealt, legal, score, start
from slamomatic.game.chance import Rng, pick
from slamomatic.game.events import Dealt, Event, GameEnd, Judged
from slamomatic.lab.invariants import breach
from slamomatic.lab.timing import timed


class Playout(NamedTuple):
    """One game as it was played."""

    deal: Dealt
    played: list[tuple[Command, tuple[Event, ...]]]
    end: State


class Playouts(msgspec.Struct, frozen=True, kw_only=True):
    """What many playouts came to."""

    players: int
    games: int
    games_per_second: float
    """Of playing alone, on one core; the checks are not in it."""
    turns_per_second: float
    moves_per_second: float
    """A move is one command, or one verdict."""
    mean_turns: float
    mean_scores: tuple[float, ...]
    """Total points a game, in seat order."""
    jams: int
    """How many jams there were in all."""
    stalled: int
    """How many games ended by B14."""
    invariants: str
    """``held``, or the first breach, and in which game, from 0: the one that :func:`record` sets down."""


def seed_of(seed: int, game: int) -> int:
    """The seed of one of many games; that of game 0 is the seed itself."""
    return seed + (game << 64)


def playout(edition: Edition, players: int, rng: Rng) -> Playout:
    """One game of random commands, from the deal to its end."""
    first = dealt(edition, range(1, players + 1), rng)
    state = start(first)
    played = []
    while state.ended is None:
        command = pick(rng, legal(state))
        state, events = carry_out(state, command, rng)
        played.append((command, events))
    return Playout(first, played, state)


def _play(edition: Edition, players: int, games: int, seed: int) -> None:
    """The games of :func:`playouts`, and nothing but the playing."""
    for game in range(games):
        rng = Random(seed_of(seed, game))
        state = deal(edition, players, rng)
        while state.ended is None:
            state, _ = carry_out(state, pick(rng, legal(state)), rng)


def record(edition: Edition, players: int, seed: int, game: int = 0) -> Record:
    """One of the games of :func:`playouts`, set down."""
    seed = seed_of(seed, game)
    one = playout(edition, players, Random(seed))
    return Record.of(one.deal, one.played, seed=seed)


def playouts(edition: Edition, players: int, games: int, seed: int) -> Playouts:
    """Play so many games, check in each what must hold in every game, and count.

    They are played twice: once for the clock, and once more to be recorded and checked.
    """
    _, seconds = timed(partial(_play, edition, players, games, seed))
    turns = moves = jams = stalled = 0
    totals = [0] * players
    breached = None
    for game in range(games):
        rng = Random(seed_of(seed, game))
        one = playout(edition, players, rng)
        turns += one.end.turn_number
        moves += len(one.played)
        jams += sum(isinstance(event, Judged) and event.verdict.jam for _, events in one.played for event in events)
        stalled += one.end.ended is GameEnd.STALL
        totals = [total + count.total for total, count in zip(totals, score(one.end), strict=True)]
        if breached is None:
            reason = breach(one.deal, [events for _, events in one.played], one.end, rng)
            breached = reason and f"seed {seed}, game {game}: {reason}"
    return Playouts(
        players=players,
        games=games,
        games_per_second=games / seconds,
        turns_per_second=turns / seconds,
        moves_per_second=moves / seconds,
        mean_turns=turns / games,
        mean_scores=tuple(total / games for total in totals),
        jams=jams,
        stalled=stalled,
        invariants=breached or "held",
    )
