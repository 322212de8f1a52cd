"""`slamomatic lab …`: the lab on the command line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import click
import msgspec

from slamomatic.game import PRESETS, deal, perft, write
from slamomatic.lab.playouts import Playouts, playouts, record

F = TypeVar("F", bound=Callable[..., Any])

HIGHEST_SEED = 2**64 - 1


@click.group()
def lab() -> None:
    """Play many games, count positions; measure how fair the unit is, and what a server carries."""


def the_game(command: F) -> F:
    """The options every command here has: which edition, for how many."""
    edition = click.option("--edition", type=click.Choice(list(PRESETS)), default="classic", show_default=True)
    players = click.option("--players", type=click.IntRange(2, 4), default=4, show_default=True)
    return edition(players(command))


seeded = click.option(
    "--seed", type=click.IntRange(0, HIGHEST_SEED), default=1, show_default=True, help="The same seed, the same games."
)
as_json = click.option("--json", "as_json", is_flag=True, help="For programs.")


@lab.command("playouts")
@the_game
@click.option("--games", type=click.IntRange(1), default=1000, show_default=True)
@seeded
@as_json
def play_out(edition: str, players: int, games: int, seed: int, as_json: bool) -> None:
    """Play random games, and check in each what must hold in every game."""
    result = playouts(PRESETS[edition], players, games, seed)
    if as_json:
        tell({"edition": edition} | msgspec.structs.asdict(result))
    else:
        click.echo(_told(edition, result))
    if result.invariants != "held":
        raise click.exceptions.Exit(1)


def _told(edition: str, result: Playouts) -> str:
    scores = "  ".join(f"{mean:.1f}" for mean in result.mean_scores)
    rows = {
        "games": f"{result.games} of {edition}, {result.players} players",
        "speed": f"{result.games_per_second:,.0f} games/s, {result.turns_per_second:,.0f} turns/s, "
        f"{result.moves_per_second:,.0f} moves/s (playing alone, one core)",
        "mean turns": f"{result.mean_turns:.1f}",
        "mean scores": scores,
        "jams": str(result.jams),
        "stalled": str(result.stalled),
        "invariants": result.invariants,
    }
    return "\n".join(f"{name:<12} {value}" for name, value in rows.items())


@lab.command("perft")
@the_game
@seeded
@click.option("--depth", type=click.IntRange(1), default=4, show_default=True)
@as_json
def count_paths(edition: str, players: int, seed: int, depth: int, as_json: bool) -> None:
    """Count the sequences of legal commands that lead away from a deal."""
    state = deal(PRESETS[edition], players, Random(seed))
    if as_json:
        tell({"counts": [perft(state, plies) for plies in range(1, depth + 1)]})
        return
    for plies in range(1, depth + 1):
        click.echo(f"{plies:>3} {perft(state, plies):>16,}")


@lab.command("record")
@the_game
@seeded
@click.option("--game", type=click.IntRange(0), default=0, help="Which game of the playouts with this seed, from 0.")
def write_record(edition: str, players: int, seed: int, game: int) -> None:
    """Play one random game, and write it down."""
    click.echo(write(record(PRESETS[edition], players, seed, game)), nl=False)


@lab.command("fairness")
@click.option("--networks", "paths", type=click.Path(path_type=Path), help="Network paths [default: those shipped].")
@click.option("--humans", "people", type=click.Path(path_type=Path), help="Reaction times [default: those shipped].")
@click.option("--hands", type=click.IntRange(2, 4), default=4, show_default=True, help="How many must follow.")
@click.option("--rounds", type=click.IntRange(1), default=10_000, show_default=True, help="In whole sessions of 25.")
@click.option(
    "--correlation",
    type=click.FloatRange(0, 1, max_open=True),
    help="How alike neighbouring packets fare [default: 0, 0.5, 0.8 and 0.95 in turn].",
)
@seeded
@as_json
def measure_fairness(
    paths: Path | None,
    people: Path | None,
    hands: int,
    rounds: int,
    correlation: float | None,
    seed: int,
    as_json: bool,
) -> None:
    """Play races whose truth is known over measured networks, and ask who loses; then let players lie."""
    from slamomatic.lab.fairness import fairness  # noqa: PLC0415 - numpy takes a while
    from slamomatic.lab.fairness_told import told  # noqa: PLC0415
    from slamomatic.lab.population import BadData, humans, networks  # noqa: PLC0415

    try:
        measured, persons = networks(paths), humans(people)
    except BadData as error:
        raise click.UsageError(str(error)) from None

    result = fairness(
        measured, persons, hands=hands, rounds=rounds, seed=seed, correlation=correlation, progress=progress
    )
    progress(None)
    if as_json:
        tell(msgspec.to_builtins(result))
    else:
        click.echo(told(result))


@lab.command("load")
@click.option("--tables", type=click.IntRange(1), default=1_250, show_default=True, help="Of four people each.")
@click.option("--seconds", type=click.FloatRange(1), default=30.0, show_default=True, help="Of each run.")
@click.option(
    "--store",
    default="sqlite",
    show_default=True,
    metavar="sqlite|postgres|URL",
    help="Where the server keeps everything; a URL: of an empty PostgreSQL database, which is written to.",
)
@seeded
@as_json
def measure_load(tables: int, seconds: float, store: str, seed: int, as_json: bool) -> None:
    """Seat people at a server of its own, and ask how late its verdicts are and how many moves it can make."""
    from slamomatic.lab.load import STORES, Broken, NoPostgres, NoServer, load  # noqa: PLC0415 - another room
    from slamomatic.lab.load_told import flat, told  # noqa: PLC0415

    if store not in STORES and not store.startswith(("postgres://", "postgresql://", "postgresql+asyncpg://")):
        raise click.UsageError(f"{store} is no store: take {' or '.join(STORES)}, or the URL of a PostgreSQL database")
    try:
        result = load(store=store, tables=tables, seconds=seconds, seed=seed, progress=progress)
    except (NoServer, NoPostgres, Broken) as error:
        raise click.ClickException(str(error)) from None
    finally:
        progress(None)
    if as_json:
        tell(flat(result))
    else:
        click.echo(told(result))


@lab.group()
def bench() -> None:
    """Time ours beside others'."""


@bench.command("rules")
@the_game
@click.option("--games", type=click.IntRange(1), default=200, show_default=True, help="In each run.")
@click.option("--runs", type=click.IntRange(1), default=5, show_default=True, help="Of each side, in turn.")
@as_json
def bench_the_rules(edition: str, players: int, games: int, runs: int, as_json: bool) -> None:
    """Time random games of ours beside RLCard's Uno, in one run."""
    from slamomatic.lab.bench import NoPeer, bench_rules  # noqa: PLC0415 - another room

    try:
        result = bench_rules(PRESETS[edition], players, games, runs)
    except NoPeer as error:
        raise click.UsageError(str(error)) from None
    if as_json:
        tell({"edition": edition} | msgspec.structs.asdict(result))
        return
    click.echo(f"{players} players, {games} random games a run, median of {runs} runs, one core")
    click.echo(f"{'':<24}{'games/s':>10}{'moves/s':>12}{'moves/game':>12}")
    for name, rates in ((f"slamomatic {edition}", result.ours), (result.peer, result.theirs)):
        figures = f"{rates.games_per_second:>10,.0f}{rates.moves_per_second:>12,.0f}{rates.moves_per_game:>12.1f}"
        click.echo(f"{name:<24}{figures}")


@bench.command("unit")
@click.option("--races", type=click.IntRange(1), default=200, show_default=True, help="For each number of hands.")
@click.option("--runs", type=click.IntRange(1), default=7, show_default=True, help="Of each side, in turn.")
@seeded
@as_json
def bench_the_unit(races: int, runs: int, seed: int, as_json: bool) -> None:
    """Time judging a race, and hearing a pong, beside ruling by order of arrival, in one run."""
    from slamomatic.lab.unit_bench import bench_unit  # noqa: PLC0415 - another room

    result = bench_unit(races, runs, seed)
    if as_json:
        tell(msgspec.to_builtins(result))
        return
    click.echo(f"{races} races a run, {result.pongs:.0f} pongs a hand, median of {runs} runs, one core, microseconds")
    click.echo(f"{'hands':<8}{'judge a race':>14}{'hear a pong':>14}{'arrival order':>16}")
    for cost in result.costs:
        click.echo(f"{cost.hands:<8}{cost.judge_us:>14.1f}{cost.pong_us:>14.2f}{cost.arrival_order_us:>16.2f}")


def progress(doing: str | None) -> None:
    """Say what is being done, if somebody looks on; None: nothing any more."""
    if sys.stderr.isatty():
        click.echo("\r\x1b[K" if doing is None else f"\r\x1b[K{doing} …", err=True, nl=False)


def tell(result: dict[str, Any]) -> None:
    """One JSON object, for programs."""
    click.echo(msgspec.json.format(msgspec.json.encode(result)))
