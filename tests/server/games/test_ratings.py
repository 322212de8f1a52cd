"""Ratings: what a finishing order makes of them, and that they are always what the games say."""

from __future__ import annotations

import asyncio
from functools import partial
from itertools import count
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select

from slamomatic.server.games import ratings
from slamomatic.server.games.archive import Archivist
from slamomatic.server.games.aside import Aside
from slamomatic.server.games.ratings import (
    BEGINNER,
    MODEL,
    SETTLED_GAMES,
    SETTLED_SIGMA,
    START,
    finishing_order,
    rate_due,
    rated,
    recount,
    shown,
)
from slamomatic.server.storage import ratings as stored
from slamomatic.server.storage.people import delete_for_good, merge
from slamomatic.server.storage.ratings import Placing, RatedGame, Skill
from slamomatic.server.storage.schema import rated as rated_table
from tests.server.games.made import BEGAN_US, Keeper, outcome_of


def game(*people: Placing, called_off: bool = False, game_id: str = "g") -> RatedGame:
    return RatedGame(game_id, "Classic", BEGAN_US, called_off, people)


def placed(person: str | None, place: int, left: bool = False) -> Placing:
    return Placing(person, place, left)


# What one game says.


def test_the_order_is_by_place_and_equals_share() -> None:
    told = game(placed("ann", 2), placed("bob", 1), placed("cid", 2))
    assert finishing_order(told) == [("ann", 2), ("bob", 1), ("cid", 2)]
    skills = rated(told, {})
    assert skills["bob"].mu > skills["ann"].mu == skills["cid"].mu
    assert all(skill.games == 1 for skill in skills.values())


def test_who_left_is_last_whatever_his_bot_did() -> None:
    left = rated(game(placed("ann", 1, left=True), placed("bob", 2), placed("cid", 3)), {})
    last = rated(game(placed("ann", 9), placed("bob", 2), placed("cid", 3)), {})
    assert left == last


def test_in_a_game_called_off_who_was_gone_is_last_and_the_others_are_even() -> None:
    skills = rated(game(placed("ann", 1), placed("bob", 1), placed("cid", 3, left=True), called_off=True), {})
    assert skills["ann"].mu == skills["bob"].mu > MODEL.mu > skills["cid"].mu


def test_a_game_that_says_nothing_changes_nothing() -> None:
    assert rated(game(placed("ann", 1)), {}) == {}
    assert rated(game(placed("ann", 1), placed("bob", 1), called_off=True), {}) == {}


def test_who_sits_at_two_hands_plays_with_the_better_one_and_not_against_himself() -> None:
    twice = game(placed("ann", 3), placed("bob", 2), placed("ann", 1))
    assert finishing_order(twice) == [("ann", 1), ("bob", 2)]
    assert rated(game(placed("ann", 1), placed("ann", 2)), {}) == {}


def test_who_is_forgotten_plays_as_a_beginner_and_gets_nothing() -> None:
    skills = rated(game(placed(None, 1), placed("bob", 2)), {})
    assert skills == {"bob": rated(game(placed("x", 1), placed("bob", 2)), {})["bob"]}


def test_everyone_begins_at_1500_and_winning_helps() -> None:
    assert shown(BEGINNER).points == START == 1500
    skills = rated(game(placed("ann", 1), placed("bob", 2)), {})
    assert shown(skills["ann"]).points > START > shown(skills["bob"]).points
    assert shown(skills["ann"]).band < shown(BEGINNER).band


def test_a_rating_is_provisional_until_it_is_of_enough_games_and_sure_enough() -> None:
    assert shown(BEGINNER).provisional
    assert shown(Skill(30, SETTLED_SIGMA, SETTLED_GAMES - 1)).provisional
    assert shown(Skill(30, SETTLED_SIGMA + 0.01, SETTLED_GAMES)).provisional
    assert not shown(Skill(30, SETTLED_SIGMA, SETTLED_GAMES)).provisional


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_rating_settles_within_a_few_evenings(players: int) -> None:
    rng = Random(players)
    skills: dict[str, Skill] = {}
    who = [str(number) for number in range(8)]
    for _ in range(60):
        places = [placed(one, place) for place, one in enumerate(rng.sample(who, players), 1)]
        skills |= rated(game(*places), skills)
    assert not any(shown(skill).provisional for skill in skills.values() if skill.games >= 15)


def test_the_better_players_come_out_on_top() -> None:
    rng = Random(5)
    skills: dict[str, Skill] = {}
    for _ in range(400):
        table = rng.sample(range(12), 4)
        order = sorted(table, key=lambda one: one + rng.gauss(0, 3), reverse=True)
        skills |= rated(game(*(placed(str(one), place) for place, one in enumerate(order, 1))), skills)
    ladder = sorted(skills, key=lambda one: skills[one].mu)
    assert sum(abs(int(one) - at) for at, one in enumerate(ladder)) <= 8


# In the database.


async def skills_in(keeper: Keeper, edition: str = "Classic") -> dict[str, Skill]:
    async with keeper.database.read() as connection:
        return await stored.skills(connection, edition)


async def number_rated(keeper: Keeper) -> int:
    async with keeper.database.read() as connection:
        return int(await connection.scalar(select(func.count()).select_from(rated_table)) or 0)


async def end(keeper: Keeper, game_id: str, people: dict[int, Any], **more: Any) -> None:
    await keeper.game(outcome_of(game_id, people, **{"rated": True} | more))


async def test_a_game_counts_once(keeper: Keeper) -> None:
    await keeper.people("ann", "bob")
    await end(keeper, "g1", {1: "ann", 2: "bob"})
    await asyncio.gather(*(rate_due(keeper.database, Aside()) for _ in range(3)))
    await rate_due(keeper.database, Aside())
    assert await skills_in(keeper) == rated(game(placed("ann", 1), placed("bob", 2)), {})
    assert await number_rated(keeper) == 1


async def test_a_game_that_is_not_rated_does_not_count(keeper: Keeper) -> None:
    await keeper.people("ann", "bob")
    await end(keeper, "g1", {1: "ann", 2: "bob"}, rated=False)
    await rate_due(keeper.database, Aside())
    assert await skills_in(keeper) == {}


async def test_each_edition_has_ratings_of_its_own(keeper: Keeper) -> None:
    await keeper.people("ann", "bob")
    await end(keeper, "g1", {1: "ann", 2: "bob"})
    await end(keeper, "g2", {1: "ann", 2: "bob"}, edition="Modern", places={1: 2, 2: 1})
    await rate_due(keeper.database, Aside())
    classic, modern = await skills_in(keeper), await skills_in(keeper, "Modern")
    assert classic["ann"] == modern["bob"]
    assert classic["ann"].mu > modern["ann"].mu


async def test_a_game_that_comes_late_is_counted_where_it_belongs(keeper: Keeper) -> None:
    await keeper.people("ann", "bob", "cid")
    await end(keeper, "late", {1: "ann", 2: "cid"}, ended_us=BEGAN_US + 1)
    async with keeper.database.read() as connection:
        late = await stored.game(connection, "late")
    assert late is not None
    await end(keeper, "new", {1: "ann", 2: "bob"}, ended_us=BEGAN_US + 2)
    assert await keeper.database.write(lambda connection: ratings._count(connection, "new"))
    await rate_due(keeper.database, Aside())
    first = rated(late, {})
    assert await skills_in(keeper) == first | rated(game(placed("ann", 1), placed("bob", 2)), first)


async def test_a_person_deleted_meanwhile_gets_no_rating_and_his_opponents_do(keeper: Keeper) -> None:
    await keeper.people("ann", "bob")
    await end(keeper, "g1", {1: "ann", 2: "bob"})
    await keeper.database.write(lambda connection: delete_for_good(connection, "ann"))
    await rate_due(keeper.database, Aside())
    assert set(await skills_in(keeper)) == {"bob"}
    assert await recount(keeper.database, Aside(), "Classic") == []


async def test_a_guest_who_becomes_an_account_brings_his_rating(keeper: Keeper) -> None:
    await keeper.people("guest", "account", "bob")
    await end(keeper, "g1", {1: "guest", 2: "bob"})
    await rate_due(keeper.database, Aside())
    before = await skills_in(keeper)
    await keeper.database.write(lambda connection: merge(connection, "guest", "account"))
    await rate_due(keeper.database, Aside())
    assert await skills_in(keeper) == {"account": before["guest"], "bob": before["bob"]}


async def test_a_guest_with_a_rating_who_becomes_an_account_with_one_has_his_edition_counted_anew(
    keeper: Keeper,
) -> None:
    await keeper.people("guest", "account", "bob")
    await end(keeper, "g1", {1: "guest", 2: "bob"}, ended_us=BEGAN_US + 1)
    await end(keeper, "g2", {1: "bob", 2: "account"}, ended_us=BEGAN_US + 2)
    await rate_due(keeper.database, Aside())
    await keeper.database.write(lambda connection: merge(connection, "guest", "account"))
    await Archivist(keeper.database).catch_up()
    first = rated(game(placed("account", 1), placed("bob", 2)), {})
    assert await skills_in(keeper) == first | rated(game(placed("bob", 1), placed("account", 2)), first)
    assert await recount(keeper.database, Aside(), "Classic") == []


async def test_counting_anew_mends_what_is_wrong_and_tells_it(keeper: Keeper) -> None:
    await keeper.people("ann", "bob", "cid")
    await end(keeper, "g1", {1: "ann", 2: "bob"})
    await rate_due(keeper.database, Aside())
    true = await skills_in(keeper)
    wrong = {"ann": Skill(50, 1, 99), "cid": Skill(40, 1, 9), "bob": None}
    await keeper.database.write(lambda connection: stored.write(connection, "Classic", wrong, []))
    changes = await recount(keeper.database, Aside(), "Classic")
    assert [(one.person, one.before, one.after) for one in changes] == [
        ("ann", Skill(50, 1, 99), true["ann"]),
        ("bob", None, true["bob"]),
        ("cid", Skill(40, 1, 9), None),
    ]
    assert await skills_in(keeper) == true


async def test_games_that_end_while_all_is_counted_anew_are_in_it(keeper: Keeper) -> None:
    await keeper.people("ann", "bob")
    for number in range(5):
        await end(keeper, f"g{number}", {1: "ann", 2: "bob"}, ended_us=BEGAN_US + number)

    async def play_on() -> None:
        for number in range(5, 10):
            await end(keeper, f"g{number}", {1: "bob", 2: "ann"}, ended_us=BEGAN_US + number)
            await rate_due(keeper.database, Aside())

    await asyncio.gather(play_on(), *(recount(keeper.database, Aside(), "Classic") for _ in range(3)))
    assert (await skills_in(keeper))["ann"].games == await number_rated(keeper) == 10
    assert await recount(keeper.database, Aside(), "Classic") == []


NAMES = ("a", "b", "c", "d", "e")
PEOPLE = st.lists(st.sampled_from(NAMES), min_size=2, max_size=4, unique=True)
worlds = count()


@st.composite
def happenings(draw: st.DrawFn) -> tuple[Any, ...]:
    match draw(st.sampled_from(["game", "game", "game", "rate", "rate", "merge"])):
        case "game":
            who = draw(PEOPLE)
            called_off = draw(st.booleans()) and draw(st.booleans())
            places = {seat: draw(st.integers(1, len(who))) for seat in range(1, len(who) + 1)}
            left = [seat for seat in places if draw(st.integers(0, 5)) == 0]
            return ("game", who, places, left, called_off, draw(st.integers(0, 30)))
        case "merge":
            guest, account = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=2, unique=True))
            return ("merge", guest, account)
        case _:
            return ("rate",)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(story=st.lists(happenings(), min_size=1, max_size=14))
async def test_the_running_ratings_are_those_of_all_games_counted_anew(keeper: Keeper, story: list[Any]) -> None:
    world = next(worlds)  # in one database, an edition and people of its own for each story
    edition = f"World {world}"
    await keeper.people(*(f"{name}{world}" for name in NAMES))
    is_now = {name: name for name in NAMES}
    for number, (what, *more) in enumerate(story):
        match what:
            case "game":
                who, places, left, called_off, at = more
                # A guest who has gone into an account still plays as himself until that game is over.
                people = {seat: f"{one}{world}" for seat, one in enumerate(who, 1)}
                await end(
                    keeper,
                    f"g{world}-{number}",
                    people,
                    places=places,
                    left=left,
                    called_off=called_off,
                    edition=edition,
                    ended_us=BEGAN_US + at,
                )
            case "merge":
                guest, account = more
                if is_now[guest] == guest and is_now[account] == account:
                    is_now = {name: account if one == guest else one for name, one in is_now.items()}
                    ids = f"{guest}{world}", f"{account}{world}"
                    await keeper.database.write(partial(merge, guest=ids[0], account=ids[1]))
            case _:
                await rate_due(keeper.database, Aside())
    await rate_due(keeper.database, Aside())
    running = await skills_in(keeper, edition)
    assert await recount(keeper.database, Aside(), edition) == []
    assert await skills_in(keeper, edition) == running
    ladder = ratings.Ladder()
    async with keeper.database.read() as connection:
        ladder.count(await stored.games_after(connection, edition, None))
    assert ladder.skills == running
