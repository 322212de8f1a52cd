"""How a game came out: what is kept of it for its players, whatever becomes of the table."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeAlias

import msgspec

from slamomatic.game.scoring import score
from slamomatic.table.memory import TableRecord
from slamomatic.table.protocol import Level


class Player(msgspec.Struct, frozen=True):
    """One hand of a finished game, as it was when the game ended."""

    seat: int
    name: str
    person: str | None
    avatar: int
    bot: Level | None
    """None for a person, and for one whose hand a bot played on with after he had left."""
    place: int
    """From 1; equals share the better one. In a rated game, and in one called off, who left comes last."""
    points: int
    """0 in a game called off: nobody counted."""
    won: bool
    left: bool
    """He got up in mid-game, or was gone when the others called it off."""


class Outcome(msgspec.Struct, frozen=True):
    """A game that is over. Times in microseconds since 1970; 0: not known."""

    game: str
    """Its id."""
    code: str
    number: int
    """From 1, among the games of this table."""
    edition: str
    """The name."""
    rated: bool
    public: bool
    called_off: bool
    began_us: int
    ended_us: int
    players: tuple[Player, ...]
    """In seat order."""


Rank: TypeAlias = tuple[int, ...]
"""The greater, the better."""


def counted(record: TableRecord, now: int) -> Outcome:
    """The outcome of a game that has come to its end by the rules."""
    assert record.state is not None, "only what was played has an outcome"
    scores = score(record.state)
    left = {count.seat for count in scores if record.seats[count.seat].left}
    ranks: dict[int, Rank] = {
        count.seat: (not (record.rated and count.seat in left), count.total, count.tie_break or 0) for count in scores
    }
    return _outcome(record, now, ranks, {count.seat: count.total for count in scores}, left)


def called_off(record: TableRecord, now: int, gone: Collection[int]) -> Outcome:
    """The outcome of a game that those left over voted to end: they share, and who was gone is last."""
    assert record.state is not None, "only what was played has an outcome"
    return _outcome(record, now, {seat: (seat not in gone,) for seat in record.state.seats}, None, gone)


def _outcome(
    record: TableRecord, now: int, ranks: dict[int, Rank], points: dict[int, int] | None, left: Collection[int]
) -> Outcome:
    assert record.game is not None, "only what was played has an outcome"
    places = {seat: 1 + sum(other > rank for other in ranks.values()) for seat, rank in ranks.items()}
    return Outcome(
        game=record.game,
        code=record.code,
        number=record.game_number,
        edition=record.edition.name,
        rated=record.rated,
        public=record.listed,
        called_off=points is None,
        began_us=record.began_us,
        ended_us=now,
        players=tuple(
            Player(
                seat=seat,
                name=sitter.name,
                person=sitter.person,
                avatar=sitter.avatar,
                bot=None if sitter.left else sitter.bot,
                place=places[seat],
                points=0 if points is None else points[seat],
                won=points is not None and places[seat] == 1 and seat not in left,
                left=seat in left,
            )
            for seat, sitter in record.seats.items()
        ),
    )
