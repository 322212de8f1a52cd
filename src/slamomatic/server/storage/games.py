"""Finished games and who played them: what is asked of the tables ``games``, ``players`` and ``entries`` about them.

Laws of this room:
- the text of a game tells no names; they stand in ``players`` alone, so whoever is renamed or forgotten is so in every
  game he played;
- a game is written down once: whoever comes second is told so, and has changed nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import Integer, RowMapping, Select, String, bindparam, case, exists, func, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from slamomatic.server.calls import GameInfo, GamePlayer
from slamomatic.server.storage.people import NOBODY, now_known_as
from slamomatic.server.storage.schema import entries, games, people, players
from slamomatic.server.storage.statements import Prepared, Statements
from slamomatic.table.outcome import Outcome
from slamomatic.table.protocol import Level


class Unwritten(NamedTuple):
    """A finished game without its text, and the table in whose log it is."""

    game: str
    code: str


class Line(NamedTuple):
    """One entry of a table's log, as it is kept."""

    seq: int
    version: int
    body: bytes


class PlayedRow(NamedTuple):
    """A finished game as it goes into one person's numbers; ``tally`` is JSON."""

    game: str
    edition: str
    ended_us: int
    called_off: bool
    won: bool
    left: bool
    tally: str | None


_INFO = tuple(column for column in games.c if column is not games.c.record)


def _new(insert: Any) -> tuple[Any, Any]:
    """What writes a game, and what writes one of its players, in one kind of SQL; neither does where it is there."""
    his = bindparam("sat_down", type_=String)
    name, avatar = bindparam("its_name", type_=String), bindparam("its_avatar", type_=Integer)
    today = select(func.coalesce(people.c.merged_into, people.c.id)).where(people.c.id == his).scalar_subquery()
    is_gone = his.is_not(None) & today.is_(None)
    player = {
        "game": bindparam("its_game"),
        "seat": bindparam("its_seat"),
        "person": today,
        "name": case((is_gone, NOBODY), else_=name),
        "avatar": case((is_gone, 0), else_=avatar),
        "bot": bindparam("its_bot"),
        "place": bindparam("its_place"),
        "points": bindparam("its_points"),
        "won": bindparam("has_won"),
        "left": bindparam("has_left"),
    }
    return (
        insert(games).on_conflict_do_nothing(),
        insert(players).values(player).on_conflict_do_nothing(),
    )


_KEEPING = {"postgresql": _new(postgresql.insert), "sqlite": _new(sqlite.insert)}
_NEW_GAME, _NEW_PLAYER = map(Prepared, _KEEPING["sqlite"])


def keeping(outcome: Outcome) -> Statements:
    """What writes the rows of a game that has just ended. Done twice, it is as done once.

    Who has become somebody else since he sat down, or nobody, is so in them.
    """
    game = {
        "id": outcome.game,
        "code": outcome.code,
        "number": outcome.number,
        "edition": outcome.edition,
        "rated": outcome.rated,
        "public": outcome.public,
        "called_off": outcome.called_off,
        "began_us": outcome.began_us,
        "ended_us": outcome.ended_us,
        "record": None,
    }
    hands = [
        {
            "its_game": outcome.game,
            "its_seat": player.seat,
            "sat_down": player.person,
            "its_name": player.name,
            "its_avatar": player.avatar,
            "its_bot": None if player.bot is None else player.bot.value,
            "its_place": player.place,
            "its_points": player.points,
            "has_won": player.won,
            "has_left": player.left,
        }
        for player in outcome.players
    ]

    async def job(connection: AsyncConnection) -> None:
        # Whoever is deleted or merged at this moment waits, where more than one writes.
        await now_known_as(connection, [one.person for one in outcome.players if one.person is not None])
        new_game, new_player = _KEEPING[connection.dialect.name]
        await connection.execute(new_game, [game])
        await connection.execute(new_player, hands)

    return Statements(job, [_NEW_GAME.of(game), *map(_NEW_PLAYER.of, hands)])


async def unwritten(connection: AsyncConnection, since_us: int) -> list[Unwritten]:
    """The games that ended since then and have no text, oldest first; only those whose log is still there."""
    has_log = exists().where(entries.c.code == games.c.code)
    query = (
        select(games.c.id, games.c.code)
        .where(games.c.ended_us >= since_us, games.c.record.is_(None), has_log)
        .order_by(games.c.ended_us, games.c.id)
    )
    return [Unwritten(*row) for row in await connection.execute(query)]


async def log_backwards(connection: AsyncConnection, code: str, before: int | None, limit: int) -> list[Line]:
    """So many entries of a table's log, newest first, from the one before ``before`` on; None: from its end."""
    query = select(entries.c.seq, entries.c.version, entries.c.body).where(entries.c.code == code)
    if before is not None:
        query = query.where(entries.c.seq < before)
    return [Line(*row) for row in await connection.execute(query.order_by(entries.c.seq.desc()).limit(limit))]


async def write_down(connection: AsyncConnection, game: str, record: str, tallies: Mapping[int, str]) -> bool:
    """Give a game its text, and each person in it the tally of his seat; False: it has them already."""
    writing = update(games).where(games.c.id == game, games.c.record.is_(None)).values(record=record)
    if not (await connection.execute(writing)).rowcount:
        return False
    counting = (
        update(players)
        .where(players.c.game == game, players.c.seat == bindparam("hand"), players.c.person.is_not(None))
        .values(tally=bindparam("counted"))
    )
    if tallies:
        rows = [{"hand": seat, "counted": tally} for seat, tally in tallies.items()]
        await connection.execute(counting, rows)
    return True


async def info(connection: AsyncConnection, game: str) -> GameInfo | None:
    """A finished game; None: there is no such."""
    return next(iter(await _infos(connection, select(*_INFO).where(games.c.id == game))), None)


async def text_of(connection: AsyncConnection, game: str) -> str | None:
    """Its text, without names; None: not written down, or no such game."""
    found: str | None = await connection.scalar(select(games.c.record).where(games.c.id == game))
    return found


async def games_of(connection: AsyncConnection, person: str, before_us: int | None, limit: int) -> list[GameInfo]:
    """A person's games, newest first, from those that began before then on."""
    his = select(players.c.game).where(players.c.person == person)
    query = select(*_INFO).where(games.c.id.in_(his))
    if before_us is not None:
        query = query.where(games.c.began_us < before_us)
    return await _infos(connection, query.order_by(games.c.began_us.desc(), games.c.id.desc()).limit(limit))


async def played_by(connection: AsyncConnection, person: str, after: PlayedRow | None, limit: int) -> list[PlayedRow]:
    """So many of a person's games, oldest first, from the one after this one on."""
    query = (
        select(
            games.c.id,
            games.c.edition,
            games.c.ended_us,
            games.c.called_off,
            players.c.won,
            players.c.left,
            players.c.tally,
        )
        .join(players, players.c.game == games.c.id)
        .where(players.c.person == person)
    )
    if after is not None:
        later = (games.c.ended_us > after.ended_us) | ((games.c.ended_us == after.ended_us) & (games.c.id > after.game))
        query = query.where(later)
    query = query.order_by(games.c.ended_us, games.c.id, players.c.seat).limit(limit)
    return [PlayedRow(*row) for row in await connection.execute(query)]


async def publish(connection: AsyncConnection, game: str) -> None:
    """From now on everyone may see it."""
    await connection.execute(update(games).where(games.c.id == game).values(public=True))


async def _infos(connection: AsyncConnection, query: Select[Any]) -> list[GameInfo]:
    rows = (await connection.execute(query)).mappings().all()
    hands: dict[str, list[GamePlayer]] = {row["id"]: [] for row in rows}
    seated = select(players).where(players.c.game.in_(list(hands))).order_by(players.c.game, players.c.seat)
    for player in (await connection.execute(seated)).mappings() if hands else ():
        hands[player["game"]].append(_player(player))
    return [
        GameInfo(
            id=row["id"],
            edition=row["edition"],
            began_us=row["began_us"],
            ended_us=row["ended_us"],
            rated=row["rated"],
            public=row["public"],
            called_off=row["called_off"],
            players=tuple(hands[row["id"]]),
        )
        for row in rows
    ]


def _player(row: RowMapping) -> GamePlayer:
    return GamePlayer(
        seat=row["seat"],
        name=row["name"],
        person=row["person"],
        avatar=row["avatar"],
        bot=None if row["bot"] is None else Level(row["bot"]),
        place=row["place"],
        points=row["points"],
        won=row["won"],
        left=row["left"],
    )
