"""The games of a table, set down: from its log to records of who played, what was played, and what the unit saw.

A record tells every card: a game still being played is for nobody's eyes yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from slamomatic.game import Action, Evidence, Move, Record, Timing
from slamomatic.game.events import Dealt
from slamomatic.table.log import Entry, GameBegan, GameMoved
from slamomatic.table.memory import Memory, TableRecord
from slamomatic.table.protocol import RaceView


def records(entries: Iterable[Entry]) -> Iterator[Record]:
    """Each game in turn. One called off, and the last one, are told as far as they came: then ``result`` is None.

    The names are those its players had when it ended.

    Raises:
        ValueError: the entries are no table's log.
    """
    memory = Memory()
    game: Dealt | None = None
    moves: list[Move] = []
    names: tuple[str, ...] = ()
    for entry in entries:
        if isinstance(entry, GameBegan) and game is not None:
            yield Record(game, tuple(moves), names)
        memory.take(entry)
        match entry:
            case GameBegan(dealt=game):
                moves = []
                names = _names(memory.record, game)
            case GameMoved() if game is not None:
                moves += moves_of(entry)
                names = _names(memory.record, game)
            case _:
                pass
    if memory.seq == 0:
        raise ValueError("a table's log begins with Opened")
    if game is not None:
        yield Record(game, tuple(moves), names)


def moves_of(entry: GameMoved) -> list[Move]:
    """The moves of an entry: of commands played as one only the last moves cards, and it is the verdict of a race."""
    *first, last = entry.commands
    evidence = Evidence() if entry.race is None else _evidence(entry.race)
    return [*map(Move, first), Move.of(last, entry.events, evidence)]


def _names(table: TableRecord, game: Dealt) -> tuple[str, ...]:
    return tuple(table.seats[seat].name for seat in game.seats)


def _evidence(race: RaceView) -> Evidence:
    compared = race.action is Action.SLAM and len(race.marks) > 1
    return Evidence(
        timings=tuple(
            Timing(mark.seat, mark.time_us, mark.band_us, None if mark.doubt is None else mark.doubt.value)
            for mark in race.marks
        ),
        tau_us=race.tau_us if compared else None,
        jam=None if race.jam is None else race.jam.value,
    )
