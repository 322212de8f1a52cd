"""A whole game as text: every step, what each seat and a spectator see of it, and what each may do next.

What all see is written once, as the spectator sees it; a seat's own line says what it sees besides: its hand, and what
it may do. The transcript itself checks that a seat's view differs in nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import asdict, replace

from slamomatic.game import (
    CLASSIC,
    CLASSIC_JUNIOR,
    MODERN,
    Command,
    Deck,
    Edition,
    Judge,
    Take,
    View,
    dealt,
    legal,
    play,
    seen,
    start,
    view,
)
from slamomatic.game.edition import EarlyTouch, EmptyHandDraw, EmptySlam, JamRuling, PassWithPair, Tie
from slamomatic.game.events import Event
from tests.strategies import Habit, choose

FOLDER = Path(__file__).parent


class Golden(NamedTuple):
    """A game that is known by heart."""

    name: str
    edition: Edition
    seats: tuple[int, ...]
    seed: int

    @property
    def path(self) -> Path:
        """Where its transcript lies."""
        return FOLDER / f"{self.name}.txt"


GAMES = (
    Golden("classic-3", CLASSIC, (1, 2, 3), 11),
    Golden("classic-junior-2", replace(CLASSIC_JUNIOR, deck=Deck(highest=6, smiling=True, sad=True)), (2, 4), 12),
    Golden("modern-4", MODERN, (1, 2, 3, 4), 13),
    Golden("modern-2", replace(MODERN, deck=Deck(highest=5, smiling=True, sad=False)), (1, 3), 14),
    Golden(
        "house-of-penalties",
        replace(
            CLASSIC,
            name="House of penalties",
            deck=Deck(highest=6, smiling=True, sad=True),
            early_touch=EarlyTouch.PAYS,
            full_press_ms=50,
            free_fakes=1,
            duel_limit_ms=0,
            empty_hand_draw=EmptyHandDraw.TWO,
            pass_with_pair=PassWithPair.NOT_ONCE_PILE_IS_OUT,
        ),
        (1, 2, 4),
        15,
    ),
    Golden(
        "house-of-mercy",
        replace(
            MODERN,
            name="House of mercy",
            deck=Deck(highest=4, smiling=True, sad=False),
            early_touch=EarlyTouch.FREE,
            jam=JamRuling.PILE_CARD,
            full_press_ms=0,
            empty_slam=EmptySlam.LOSES_CARD,
            tie=Tie.SHARED,
        ),
        (1, 2, 3),
        16,
    ),
)


def transcript(game: Golden) -> str:
    """The game from the deal to the score."""
    return "\n".join(_lines(game)) + "\n"


def _lines(game: Golden) -> Iterator[str]:
    yield f"{game.name}: seats {_words(game.seats)}, seed {game.seed}"
    for ruling, answer in msgspec.to_builtins(game.edition).items():
        yield f"  {ruling}: {json.dumps(answer)}"
    rng, whims = Random(game.seed), Random(game.seed + 1000)
    dealing = dealt(game.edition, game.seats, rng)
    yield "\n0. the deal"
    yield from _event_lines(dealing, game.seats)
    state, step = start(dealing), 0
    while True:
        yield from _view_lines([view(state, seat) for seat in game.seats], view(state, None))
        commands = legal(state)
        if not commands:
            return
        habit = Habit.ANYTHING if whims.random() < 0.3 else Habit.PAIRS
        command = choose(habit, state, commands, whims)
        step += 1
        yield f"\n{step}. {_short(command)}"
        state, events = play(state, command, rng)
        for event in events:
            yield from _event_lines(event, game.seats)


def _event_lines(event: Event, seats: tuple[int, ...]) -> Iterator[str]:
    """What a spectator sees happen, and what a seat sees besides."""
    for_all = asdict(seen(event, None))
    yield f"  {type(event).__name__} {_fields(for_all, omit=('edition',))}".rstrip()
    for seat in seats:
        mine = asdict(seen(event, seat))
        besides = {name: value for name, value in mine.items() if value != for_all[name]}
        if besides:
            yield f"    {seat} sees {_fields(besides)}"


def _view_lines(views: list[View], spectator: View) -> Iterator[str]:
    """What a spectator sees lie there, and what a seat sees besides."""
    waits = "nobody" if spectator.ended else spectator.to_act or "the unit"
    yield (
        f"  turn {spectator.turn_number} of {spectator.turn}, waits for {waits}, "
        f"due: {_words(map(_short, spectator.duties))}, pile {spectator.pile}, fakes left {spectator.fakes_left}"
    )
    for player in spectator.players:
        pairs = _words(f"{one}+{two}" for one, two in player.laid)
        aside = f", {player.aside} aside" if player.aside else ""
        yield f"  hand {player.seat}: {player.cards} cards{aside}, laid {pairs} for {player.laid_points}"
    for mine in views:
        own = mine.player(mine.viewer or 0)
        players = tuple(replace(player, hand=None) for player in mine.players) if not mine.ended else mine.players
        besides = replace(mine, viewer=None, legal=(), players=players)
        assert besides == spectator, "a seat sees more than its own hand"
        may = f"; may {_words(_brief(mine.legal))}" if mine.legal else ""
        yield f"    {mine.viewer} holds {_words(own.hand or ())}{may}"
    for count in spectator.scores:
        lines = _words(f"{line.source} {line.points} ({_words(line.cards)})" for line in count.lines)
        tie = "" if count.tie_break is None else f", tie-break {count.tie_break}"
        yield f"  score {count.seat}: {count.total}{tie}{', wins' if count.wins else ''}: {lines}"


def _brief(commands: tuple[Command, ...]) -> Iterator[str]:
    """The commands, those that take from one hand as one."""
    for command in commands:
        if not isinstance(command, Take):
            yield _short(command)
        elif command.position == 0:
            positions = sum(isinstance(other, Take) and other.loser == command.loser for other in commands)
            yield f"Take(loser {command.loser}, any of {positions})"


def _short(item: msgspec.Struct) -> str:
    if isinstance(item, Judge):
        return f"the unit says {_fields(asdict(item.verdict)) or 'nothing'}"
    return f"{type(item).__name__}({_fields(asdict(item))})"


def _fields(values: dict[str, Any], omit: tuple[str, ...] = ()) -> str:
    told = [(name, value) for name, value in values.items() if name not in omit]
    told = [(name, value) for name, value in told if value is not None and value is not False and value != ()]
    return ", ".join(name if value is True else f"{name} {_word(value)}" for name, value in told)


def _word(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{_words(map(_word, value))}]"
    if isinstance(value, msgspec.Struct):
        return _short(value)
    return "?" if value is None else str(value)


def _words(values: Any) -> str:
    return " ".join(map(str, values)) or "-"
