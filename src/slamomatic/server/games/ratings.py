"""Who plays how well: one rating for each person and edition, by the finishing order of rated games.

Laws of this room:
- the model is Plackett and Luce's, as Weng and Lin made a rating of it (the library openskill): it takes a whole
  finishing order, ties and all, so a table of four is one observation and not six duels;
- who got up, or was gone when the game was called off, finished last; in a game called off the others are even;
- what the ratings are is what the games make of them in the order they ended. A game that comes late, or becomes
  another person's, has its edition counted anew, so nobody's rating depends on when a server looked;
- a game counts once, and with the ratings it makes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import NamedTuple

from openskill.models import PlackettLuce
from sqlalchemy import ColumnElement, and_
from sqlalchemy.ext.asyncio import AsyncConnection

from slamomatic.server.calls import Rating
from slamomatic.server.games.aside import Aside
from slamomatic.server.storage import ratings as stored
from slamomatic.server.storage.database import Database
from slamomatic.server.storage.ratings import RatedGame, Skill
from slamomatic.server.storage.schema import ratings as ratings_table

MODEL = PlackettLuce()
"""With the library's own constants: everyone begins at 25, give or take 25/3 (one sigma)."""
BEGINNER = Skill(MODEL.mu, MODEL.sigma, 0)

START = 1_500
"""Where everyone begins, in points."""
POINTS = 30
"""For each unit of the model, which expects the better of two to finish first with odds of ``exp(difference / c)`` to
one; ``c`` is ``sqrt(2) * beta`` for people it knows well. So 400 points are about ten to one, as in chess."""
BANDS = 2
"""A rating may be off by so many sigmas: 19 times of 20 it is not."""
SETTLED_GAMES = 10
SETTLED_SIGMA = 6.5
"""A rating is provisional before so many games, and while the model is less sure of it than this."""


class Change(NamedTuple):
    """A rating that counting anew has changed; None: there was, or is, none."""

    edition: str
    person: str
    before: Skill | None
    after: Skill | None


# The arithmetic.


def finishing_order(game: RatedGame) -> list[tuple[str | None, int]]:
    """Each person and his rank, lower is better; empty if the game says nothing: it takes two who are not alike.

    A person who sits at two hands, as an account may that a guest of the same table has become, plays with his better.
    """
    last = 1 + max((one.place for one in game.people), default=0)
    order: list[tuple[str | None, int]] = []
    at: dict[str, int] = {}
    for one in game.people:
        rank = last if one.left else 0 if game.called_off else one.place
        if one.person is not None and one.person in at:
            before = order[at[one.person]]
            order[at[one.person]] = (one.person, min(rank, before[1]))
            continue
        if one.person is not None:
            at[one.person] = len(order)
        order.append((one.person, rank))
    says_nothing = len(order) < 2 or (game.called_off and len({rank for _, rank in order}) < 2)
    return [] if says_nothing else order


def rated(game: RatedGame, skills: Mapping[str, Skill]) -> dict[str, Skill]:
    """What this game makes of its people's ratings; who has none yet, or is forgotten, is a beginner."""
    order = finishing_order(game)
    if not order:
        return {}
    before = [BEGINNER if person is None else skills.get(person, BEGINNER) for person, _ in order]
    teams = [[MODEL.create_rating([skill.mu, skill.sigma])] for skill in before]
    after = MODEL.rate(teams, ranks=[float(rank) for _, rank in order])
    return {
        person: Skill(new.mu, new.sigma, old.games + 1)
        for (person, _), old, [new] in zip(order, before, after, strict=True)
        if person is not None
    }


class Ladder:
    """The ratings of one edition, game by game."""

    def __init__(self) -> None:
        self.skills: dict[str, Skill] = {}
        self.games: list[str] = []
        self.last: RatedGame | None = None

    def count(self, games: Iterable[RatedGame]) -> None:
        """These games happened next, in this order."""
        for game in games:
            self.skills.update(rated(game, self.skills))
            self.games.append(game.id)
            self.last = game


def points(mu: float) -> int:
    """What people read instead of the model's number."""
    return round(START + POINTS * (mu - MODEL.mu))


def shown(skill: Skill) -> Rating:
    """A rating as people read it."""
    provisional = skill.games < SETTLED_GAMES or skill.sigma > SETTLED_SIGMA
    return Rating(points(skill.mu), round(BANDS * POINTS * skill.sigma), skill.games, provisional)


SETTLED: ColumnElement[bool] = and_(ratings_table.c.games >= SETTLED_GAMES, ratings_table.c.sigma <= SETTLED_SIGMA)
"""The same as not being provisional, for the database to ask."""


# The database.


async def rate_due(database: Database, aside: Aside, since_us: int = 0) -> None:
    """Bring the ratings up to date: with every game that ended since then and is not in them, and with people who have
    become other people."""
    async with database.read() as connection:
        due = await stored.due(connection, since_us)
        anew = set(await stored.torn(connection))
    for game in due:
        if game.edition not in anew and not await database.write(partial(_count, game_id=game.id)):
            anew.add(game.edition)
    for edition in sorted(anew):
        await recount(database, aside, edition)


async def recount(database: Database, aside: Aside, edition: str) -> list[Change]:
    """Count every game of this edition again, from the first; what that has changed."""
    ladder = Ladder()
    while True:
        async with database.read() as connection:
            number = await stored.number_of_games(connection, edition)
            games = await stored.games_after(connection, edition, ladder.last)
            known = await stored.skills(connection, edition)
            in_them = await stored.counted(connection)
        if len(ladder.games) + len(games) != number:  # one of the past came late, or went
            ladder = Ladder()
            continue
        await aside.do(ladder.count, games)
        changes = await aside.do(_changes, edition, known, ladder.skills)
        if await database.write(partial(_replace, edition=edition, in_them=in_them, ladder=ladder, changes=changes)):
            return changes


def _changes(edition: str, before: Mapping[str, Skill], after: Mapping[str, Skill]) -> list[Change]:
    return [
        Change(edition, person, before.get(person), after.get(person))
        for person in sorted({*before, *after})
        if before.get(person) != after.get(person)
    ]


async def _count(connection: AsyncConnection, game_id: str) -> bool:
    """Count one more game; False: somebody in it has played on meanwhile, so it takes more than that."""
    await stored.lock(connection)
    game = await stored.game(connection, game_id)
    if game is None or await stored.is_counted(connection, game_id):
        return True
    if await stored.has_later(connection, game):
        return False
    who = [one.person for one in game.people if one.person is not None]
    skills = await stored.skills(connection, game.edition, who)
    await stored.write(connection, game.edition, rated(game, skills), [game_id])
    return True


async def _replace(
    connection: AsyncConnection, edition: str, in_them: int, ladder: Ladder, changes: list[Change]
) -> bool:
    """Set what was counted anew; False: a game has been rated meanwhile, so it is not the newest."""
    await stored.lock(connection)
    if await stored.counted(connection) != in_them:
        return False
    await stored.write(connection, edition, {change.person: change.after for change in changes}, ladder.games)
    return True
