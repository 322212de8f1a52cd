"""The ratings, and which games are in them: what is asked of the tables ``ratings`` and ``rated``.

Laws of this room:
- a game and what it does to the ratings are written in one transaction, so it counts once;
- whoever writes ratings has taken :func:`lock` before he reads any: two servers on one database take turns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from sqlalchemy import ColumnElement, delete, exists, func, insert, or_, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from slamomatic.server.storage.schema import games, people, players, rated, ratings

MANY = 500
"""So many values go into one statement."""


class Skill(NamedTuple):
    """What is known of how well somebody plays an edition."""

    mu: float
    sigma: float
    games: int


class Placing(NamedTuple):
    """How a person came out of a game."""

    person: str | None
    """None: he has had himself forgotten."""
    place: int
    left: bool


class RatedGame(NamedTuple):
    """A finished game for the ratings, with its people in seat order."""

    id: str
    edition: str
    ended_us: int
    called_off: bool
    people: tuple[Placing, ...]


class Due(NamedTuple):
    """A game that is in no rating yet."""

    id: str
    edition: str


class Ranked(NamedTuple):
    """A person on the ladder."""

    person: str
    name: str
    avatar: int
    skill: Skill


async def lock(connection: AsyncConnection) -> None:
    """Be the only one who rates, until the end of the transaction. In SQLite whoever writes is that anyway."""
    if connection.dialect.name == "postgresql":
        await connection.execute(text("LOCK TABLE ratings IN SHARE ROW EXCLUSIVE MODE"))


async def due(connection: AsyncConnection, since_us: int) -> list[Due]:
    """The rated games that ended since then and are in no rating yet, oldest first."""
    is_in = exists().where(rated.c.game == games.c.id)
    query = select(games.c.id, games.c.edition).where(games.c.ended_us >= since_us, games.c.rated, ~is_in)
    return [Due(*row) for row in await connection.execute(query.order_by(games.c.ended_us, games.c.id))]


async def torn(connection: AsyncConnection) -> list[str]:
    """The editions in which somebody has a rating who has become somebody else: his games are that person's now."""
    query = (
        select(ratings.c.edition)
        .distinct()
        .join(people, people.c.id == ratings.c.person)
        .where(people.c.merged_into.is_not(None))
    )
    return list((await connection.execute(query.order_by(ratings.c.edition))).scalars())


async def editions(connection: AsyncConnection) -> list[str]:
    """Those that anything was ever rated in."""
    with_games = select(games.c.edition).where(games.c.rated)
    query = with_games.union(select(ratings.c.edition))
    return sorted((await connection.execute(query)).scalars())


async def game(connection: AsyncConnection, game_id: str) -> RatedGame | None:
    """This game; None: there is no such, or it does not count."""
    return next(iter(await _games(connection, games.c.id == game_id)), None)


async def games_after(connection: AsyncConnection, edition: str, last: RatedGame | None) -> list[RatedGame]:
    """Every game of this edition that counts and ended after this one, in order; None: every one."""
    of_it = games.c.edition == edition
    return await _games(connection, of_it if last is None else of_it & _ended_after(last))


async def number_of_games(connection: AsyncConnection, edition: str) -> int:
    """How many games of this edition count."""
    query = select(func.count()).select_from(games).where(games.c.edition == edition, games.c.rated)
    return int(await connection.scalar(query) or 0)


async def is_counted(connection: AsyncConnection, game_id: str) -> bool:
    """Whether it is in the ratings."""
    return await connection.scalar(select(rated.c.game).where(rated.c.game == game_id)) is not None


async def has_later(connection: AsyncConnection, game: RatedGame) -> bool:
    """Whether somebody in this game has played another of this edition that ended after it and is in the ratings."""
    who = [one.person for one in game.people if one.person is not None]
    query = (
        select(games.c.id)
        .join(rated, rated.c.game == games.c.id)
        .join(players, players.c.game == games.c.id)
        .where(games.c.edition == game.edition, players.c.person.in_(who), _ended_after(game))
        .limit(1)
    )
    return await connection.scalar(query) is not None


async def counted(connection: AsyncConnection) -> int:
    """How many games are in the ratings, of all editions."""
    return int(await connection.scalar(select(func.count()).select_from(rated)) or 0)


async def skills(connection: AsyncConnection, edition: str, who: Collection[str] | None = None) -> dict[str, Skill]:
    """What is known of these people, or of everyone, in this edition; who has no rating is missing."""
    query = select(ratings.c.person, ratings.c.mu, ratings.c.sigma, ratings.c.games).where(ratings.c.edition == edition)
    if who is not None:
        query = query.where(ratings.c.person.in_(who))
    found: dict[str, Skill] = {}
    async for rows in (await connection.stream(query)).partitions(MANY):
        found.update((person, Skill(mu, sigma, played)) for person, mu, sigma, played in rows)
    return found


async def skills_of(connection: AsyncConnection, person: str) -> dict[str, Skill]:
    """What is known of this person, by edition."""
    query = select(ratings.c.edition, ratings.c.mu, ratings.c.sigma, ratings.c.games).where(ratings.c.person == person)
    return {edition: Skill(mu, sigma, played) for edition, mu, sigma, played in await connection.execute(query)}


async def write(
    connection: AsyncConnection, edition: str, new: Mapping[str, Skill | None], games_counted: Iterable[str]
) -> None:
    """Set these people's ratings (None: take it away), and count these games. Who is not there has no rating."""
    who = list(new)
    for some in (who[at : at + MANY] for at in range(0, len(who), MANY)):
        await connection.execute(delete(ratings).where(ratings.c.edition == edition, ratings.c.person.in_(some)))
        there = set((await connection.execute(select(people.c.id).where(people.c.id.in_(some)))).scalars())
        rows = [
            {"person": person, "edition": edition, **skill._asdict()}
            for person in some
            if person in there and (skill := new[person]) is not None
        ]
        if rows:
            await connection.execute(insert(ratings), rows)
    wanted = list(games_counted)
    for some in (wanted[at : at + MANY] for at in range(0, len(wanted), MANY)):
        counted = set((await connection.execute(select(rated.c.game).where(rated.c.game.in_(some)))).scalars())
        rows = [{"game": game_id} for game_id in some if game_id not in counted]
        if rows:
            await connection.execute(insert(rated), rows)


async def best(connection: AsyncConnection, edition: str, settled: ColumnElement[bool], limit: int) -> list[Ranked]:
    """The best people of this edition whose ratings are like this; who is banned is not among them."""
    query = (
        select(people.c.id, people.c.name, people.c.avatar, ratings.c.mu, ratings.c.sigma, ratings.c.games)
        .join(people, people.c.id == ratings.c.person)
        .where(ratings.c.edition == edition, settled, people.c.banned_us.is_(None), people.c.merged_into.is_(None))
        .order_by(ratings.c.mu.desc(), ratings.c.sigma, people.c.id)
        .limit(limit)
    )
    return [
        Ranked(person, name, avatar, Skill(mu, sigma, played))
        for person, name, avatar, mu, sigma, played in await connection.execute(query)
    ]


def _ended_after(game: RatedGame) -> ColumnElement[bool]:
    """The order of games: by when they ended, and by their ids where that was at the same time."""
    return or_(games.c.ended_us > game.ended_us, (games.c.ended_us == game.ended_us) & (games.c.id > game.id))


async def _games(connection: AsyncConnection, which: ColumnElement[bool]) -> list[RatedGame]:
    query = (
        select(
            games.c.id,
            games.c.edition,
            games.c.ended_us,
            games.c.called_off,
            players.c.person,
            players.c.place,
            players.c.left,
        )
        .join(players, players.c.game == games.c.id)
        .where(games.c.rated, which)
        .order_by(games.c.ended_us, games.c.id, players.c.seat)
    )
    found: list[RatedGame] = []
    async for rows in (await connection.stream(query)).partitions(MANY):
        for game_id, edition, ended_us, called_off, person, place, left in rows:
            placing = Placing(person, place, left)
            if found and found[-1].id == game_id:
                found[-1] = found[-1]._replace(people=(*found[-1].people, placing))
            else:
                found.append(RatedGame(game_id, edition, ended_us, called_off, (placing,)))
    return found
