"""The calls about finished games: what they tell, and to whom."""

from __future__ import annotations

import asyncio
import gzip
import json
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import update

from slamomatic.game import CLASSIC, read
from slamomatic.server.calls import GameReplay, Games, Leaderboard, Tally
from slamomatic.server.clock import now_us
from slamomatic.server.games.archive import Archivist
from slamomatic.server.games.ratings import SETTLED_GAMES, SETTLED_SIGMA
from slamomatic.server.limits import Rate
from slamomatic.server.storage import ratings as stored_ratings
from slamomatic.server.storage import reports as stored_reports
from slamomatic.server.storage.ratings import Skill
from slamomatic.server.storage.schema import games, people
from slamomatic.table.log import GameMoved
from tests.server.games.conftest import Build
from tests.server.games.made import BEGAN_US, Keeper, game_entries, outcome_of, table_entries
from tests.server.people.town import GENEROUS, Town

NO_GAME = (404, "no-game")


class Scene:
    """Two people and a stranger, and what they have played."""

    def __init__(self, town: Town, ann: tuple[str, str], bob: tuple[str, str], stranger: tuple[str, str]) -> None:
        self.town = town
        self.keeper = Keeper(town.database)
        self.ann, self.ann_id = ann
        self.bob, self.bob_id = bob
        self.stranger, _ = stranger

    async def plays(self, game: str, **settings: Any) -> Any:
        entries = await self.keeper.played(game, {1: self.ann_id, 2: self.bob_id}, **settings)
        await Archivist(self.town.database).catch_up()
        return entries


@pytest.fixture
async def scene(town: Town) -> Scene:
    return Scene(town, await town.guest("Ann"), await town.guest("Bob"), await town.guest("Eve"))


# Replays and records.


async def test_who_took_part_sees_every_move_with_all_hands_open(scene: Scene) -> None:
    entries = await scene.plays("g1", seed=5)
    body = await scene.town.fine("GET", "/api/games/g1", token=scene.ann)
    replay = msgspec.convert(body, GameReplay)
    moves = [one for one in entries if isinstance(one, GameMoved)]
    assert replay.rulings == CLASSIC
    assert len(replay.steps) == 1 + len(moves)
    assert replay.steps[0].events == (entries[0].dealt,)
    for step, move in zip(replay.steps[1:], moves, strict=True):
        assert step.events == move.events
        assert (step.race is None) == (move.race is None)
        if step.race is not None and move.race is not None:
            assert replace(step.race, alike=()) == move.race
    for step in replay.steps:
        assert step.view.viewer is None
        assert step.view.legal == ()
        assert all(player.hand is not None and len(player.hand) == player.cards for player in step.view.players)
    assert replay.steps[-1].view.ended is not None
    assert replay.scores == replay.steps[-1].view.scores != ()


async def test_a_replay_comes_packed_to_who_can_unpack_it_and_plain_to_who_cannot(scene: Scene) -> None:
    await scene.plays("g1", public=True)
    url = scene.town.origin + "/api/games/g1"
    raw = {}
    for accepts in ("gzip, br", "identity"):
        headers = {"Accept-Encoding": accepts}
        async with scene.town.session.get(url, headers=headers, auto_decompress=False) as answer:
            raw[accepts] = answer.headers.get("Content-Encoding"), await answer.read()
    assert raw["gzip, br"][0] == "gzip"
    assert raw["identity"][0] is None
    assert gzip.decompress(raw["gzip, br"][1]) == raw["identity"][1]
    assert len(raw["gzip, br"][1]) * 5 < len(raw["identity"][1])


async def test_the_record_is_a_file_to_keep_with_the_names_of_its_players(scene: Scene) -> None:
    await scene.plays("g1")
    headers = {"Authorization": f"Bearer {scene.bob}"}
    async with scene.town.session.get(scene.town.origin + "/api/games/g1/record", headers=headers) as answer:
        assert answer.status == 200
        assert answer.content_type == "text/plain"
        assert answer.headers["Content-Disposition"] == 'attachment; filename="slamomatic-g1.txt"'
        record = read(await answer.text())
    assert record.names == (scene.ann_id.title(), scene.bob_id.title()), "as they were when the game ended"
    assert record.result is not None


async def test_anothers_private_game_is_no_game_at_all(scene: Scene) -> None:
    await scene.plays("g1", most=10)
    for path in ("/api/games/g1", "/api/games/g1/record"):
        never = path.replace("g1", "never")
        for token in (None, scene.stranger):
            assert await scene.town.call("GET", path, token=token) == await scene.town.call("GET", never, token=token)
            assert await scene.town.refused("GET", path, token=token) == NO_GAME


async def test_a_public_game_is_for_everyone(scene: Scene) -> None:
    await scene.plays("g1", public=True, most=10)
    assert (await scene.town.fine("GET", "/api/games/g1"))["game"]["public"]


async def test_a_game_still_being_played_is_nobodys_to_see(scene: Scene) -> None:
    people = {1: scene.ann_id, 2: scene.bob_id}
    log = [*table_entries("PLAYED", seats=people), *game_entries("running", most=20)]
    await scene.keeper.table("PLAYED", log)
    await Archivist(scene.town.database).catch_up()
    for path in ("/api/games/running", "/api/games/running/record"):
        for token in (None, scene.ann, scene.stranger):
            assert await scene.town.refused("GET", path, token=token) == NO_GAME
    assert await scene.town.refused("POST", "/api/games/running/share", token=scene.ann) == NO_GAME


async def test_a_game_just_over_is_being_written_down_and_one_whose_log_is_gone_is_gone(scene: Scene) -> None:
    people = {1: scene.ann_id, 2: scene.bob_id}
    await scene.keeper.game(outcome_of("new", people, ended_us=now_us()))
    await scene.keeper.game(outcome_of("old", people))
    assert await scene.town.refused("GET", "/api/games/new", token=scene.ann) == (409, "not-now")
    assert await scene.town.refused("GET", "/api/games/old", token=scene.ann) == NO_GAME


async def test_an_id_that_is_none_is_no_game(scene: Scene) -> None:
    for game in ("%00", "a" * 65, "%F0%9F%83%8F", "..%2Fme", "'%20OR%201=1"):
        for end in ("", "/record"):
            assert await scene.town.refused("GET", f"/api/games/{game}{end}", token=scene.ann) == NO_GAME


async def test_a_new_name_is_in_replays_already_looked_at(scene: Scene) -> None:
    await scene.plays("g1", most=10)
    before = await scene.town.fine("GET", "/api/games/g1", token=scene.ann)
    await scene.town.database.write(lambda connection: stored_reports.rename(connection, scene.bob_id, "Robert"))
    after = await scene.town.fine("GET", "/api/games/g1", token=scene.ann)
    assert [player["name"] for player in after["game"]["players"]] == [scene.ann_id.title(), "Robert"]
    assert before["steps"] == after["steps"]


async def test_a_game_too_long_to_be_shown_is_refused_in_words_and_its_record_is_not(scene: Scene) -> None:
    await scene.plays("g1", most=10)
    long = update(games).values(record=games.c.record + ("; " + "x" * 200_000))
    await scene.town.database.write(lambda connection: connection.execute(long))
    assert await scene.town.refused("GET", "/api/games/g1", token=scene.ann) == (409, "not-now")


async def test_many_who_look_at_once_all_see_it(scene: Scene) -> None:
    await scene.plays("g1", public=True)
    bodies = await asyncio.gather(*(scene.town.fine("GET", "/api/games/g1") for _ in range(15)))
    assert all(body == bodies[0] for body in bodies)


# Sharing.


async def test_who_took_part_may_share_and_then_everyone_may_look(scene: Scene) -> None:
    await scene.plays("g1", most=10)
    assert (await scene.town.fine("POST", "/api/games/g1/share", token=scene.bob))["public"]
    assert (await scene.town.fine("GET", "/api/games/g1"))["game"]["public"]


async def test_a_stranger_cannot_share_and_learns_nothing_by_trying(scene: Scene) -> None:
    await scene.plays("g1", most=10)
    tried = await scene.town.call("POST", "/api/games/g1/share", token=scene.stranger)
    assert tried == await scene.town.call("POST", "/api/games/never/share", token=scene.stranger)
    assert await scene.town.refused("POST", "/api/games/g1/share") == (401, "no-person")
    assert await scene.town.refused("GET", "/api/games/g1") == NO_GAME


# One's own.


async def test_ones_games_are_told_newest_first_fifty_at_once(scene: Scene) -> None:
    people = {1: scene.ann_id, 2: scene.bob_id}
    for number in range(60):
        await scene.keeper.game(outcome_of(f"g{number}", people, began_us=BEGAN_US + number))
    await scene.keeper.game(outcome_of("other", {1: scene.bob_id, 2: None}))
    first = msgspec.convert(await scene.town.fine("GET", "/api/me/games", token=scene.ann), Games).games
    assert [game.id for game in first] == [f"g{number}" for number in range(59, 9, -1)]
    path = f"/api/me/games?before={first[-1].began_us}"
    rest = msgspec.convert(await scene.town.fine("GET", path, token=scene.ann), Games).games
    assert [game.id for game in rest] == [f"g{number}" for number in range(9, -1, -1)]
    assert [player.person for player in rest[0].players] == [scene.ann_id, scene.bob_id]


async def test_a_page_that_is_none_is_refused_in_words(scene: Scene) -> None:
    for before in ("", "x", "-1", "1e9", "9" * 30, "%00"):
        path = f"/api/me/games?before={before}"
        assert await scene.town.refused("GET", path, token=scene.ann) == (400, "bad-message")


async def test_nobody_has_no_games_and_no_numbers(scene: Scene) -> None:
    for path in ("/api/me/games", "/api/me/tally"):
        assert await scene.town.refused("GET", path) == (401, "no-person")


async def test_ones_numbers_are_of_ones_own_games(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("slamomatic.server.games.http.PIECE", 2)
    for number in range(5):
        await scene.plays(f"g{number}", seed=number, rated=True, ended_us=BEGAN_US + number)
    ann = msgspec.convert(await scene.town.fine("GET", "/api/me/tally", token=scene.ann), Tally)
    bob = msgspec.convert(await scene.town.fine("GET", "/api/me/tally", token=scene.bob), Tally)
    eve = msgspec.convert(await scene.town.fine("GET", "/api/me/tally", token=scene.stranger), Tally)
    assert (ann.games, ann.wins, ann.streak) == (5, 5, 5)
    assert (bob.games, bob.wins, bob.streak) == (5, 0, -5)
    assert ann.fakes_worked == bob.fell
    assert ann.races + bob.races > 0
    [classic] = ann.editions
    assert classic.rating is not None
    assert (classic.edition, classic.rating.games, classic.rating.provisional) == ("Classic", 5, True)
    assert (eve.games, eve.editions, eve.reactions_ms) == (0, (), ())


# The ladder.


async def test_the_ladder_has_settled_ratings_first_and_equals_share_a_place(scene: Scene) -> None:
    town = scene.town
    settled = {f"p{number}": Skill(20 + number // 2, SETTLED_SIGMA, SETTLED_GAMES) for number in range(4)}
    skills: dict[str, Skill | None] = {**settled, "p4": Skill(90, SETTLED_SIGMA + 1, 3), "p5": Skill(99, 1, 99)}
    await scene.keeper.people(*skills)
    await town.database.write(lambda connection: stored_ratings.write(connection, "Modern", skills, []))
    banned = update(people).where(people.c.id == "p5").values(banned_us=1)
    await town.database.write(lambda connection: connection.execute(banned))
    ladder = msgspec.convert(await town.fine("GET", "/api/leaderboard/modern"), Leaderboard)
    told = [(row.place, row.person, row.rating.points, row.rating.provisional) for row in ladder.rows]
    assert ladder.edition == "Modern"
    assert told == [
        (1, "p2", 1380, False),
        (1, "p3", 1380, False),
        (3, "p0", 1350, False),
        (3, "p1", 1350, False),
        (5, "p4", 3450, True),
    ]
    assert (await town.fine("GET", "/api/leaderboard/Modern"))["rows"] == (
        await town.fine("GET", "/api/leaderboard/modern")
    )["rows"]
    assert (await town.fine("GET", "/api/leaderboard/classic"))["rows"] == []


async def test_a_ladder_holds_a_hundred(scene: Scene) -> None:
    many: dict[str, Skill | None] = {f"p{number:03}": Skill(20, 3, 10 + number % 2 - 1) for number in range(150)}
    await scene.keeper.people(*many)
    await scene.town.database.write(lambda connection: stored_ratings.write(connection, "Classic", many, []))
    rows = (await scene.town.fine("GET", "/api/leaderboard/classic"))["rows"]
    assert len(rows) == 100
    assert [row["rating"]["provisional"] for row in rows] == [False] * 75 + [True] * 25


async def test_there_is_no_ladder_but_of_the_presets(scene: Scene) -> None:
    for edition in ("chess", "%00", "House%20rules"):
        assert await scene.town.refused("GET", f"/api/leaderboard/{edition}") == (400, "unfit-edition")


# Reports.


async def reports_in(town: Town) -> list[stored_reports.StoredReport]:
    async with town.database.read() as connection:
        return await stored_reports.listed(connection, settled=True)


async def a_table(town: Town, token: str, name: str) -> str:
    told = await town.fine("POST", "/api/tables", {"name": name}, token=token)
    return str(told["code"])


async def test_a_report_says_who_sits_there_whatever_the_reporter_says(scene: Scene) -> None:
    code = await a_table(scene.town, scene.bob, "Bob")
    body = {"code": code.lower(), "seat": 1, "reason": "that\x00 name\nis\ud83d\ude00 \u202erude"}
    assert (await scene.town.call("POST", "/api/reports", body, token=scene.ann))[0] == 204
    [report] = await reports_in(scene.town)
    assert (report.reporter, report.person, report.name) == (scene.ann_id, scene.bob_id, "Bob")
    assert report.reason == "that name\nis\U0001f600 rude"
    assert report.code == code


async def test_a_report_of_nobody_or_by_nobody_is_refused(scene: Scene) -> None:
    code = await a_table(scene.town, scene.bob, "Bob")
    there = {"code": code, "seat": 1}
    assert await scene.town.refused("POST", "/api/reports", there) == (401, "no-person")
    for nowhere in ({"code": code, "seat": 2}, {"code": "NNNNNN", "seat": 1}, {"code": "\x00", "seat": 1}):
        assert await scene.town.refused("POST", "/api/reports", nowhere, token=scene.ann) == (400, "no-seat")
    wrong: Any
    for wrong in ({"code": code, "seat": 9}, {"code": code}, {**there, "reason": "x" * 501}, [], {**there, "more": 1}):
        assert await scene.town.refused("POST", "/api/reports", wrong, token=scene.ann) == (400, "bad-message")
    assert await reports_in(scene.town) == []


async def test_a_report_said_again_is_one_until_it_is_settled(scene: Scene) -> None:
    code = await a_table(scene.town, scene.bob, "Bob")
    body = {"code": code, "seat": 1}
    for _ in range(3):
        await scene.town.fine("POST", "/api/reports", body, token=scene.ann)
    [report] = await reports_in(scene.town)
    await scene.town.database.write(lambda connection: stored_reports.settle(connection, report.id, 5))
    await scene.town.fine("POST", "/api/reports", body, token=scene.ann)
    assert len(await reports_in(scene.town)) == 2


async def test_a_flood_of_reports_is_cut_off_for_a_person_and_for_an_address(build: Build) -> None:
    town = await build(limits=replace(GENEROUS, reports=Rate(3, 0)))
    bob, _ = await town.guest("Bob")
    code = await a_table(town, bob, "Bob")
    body = {"code": code, "seat": 1}
    guests = [(await town.guest(f"Guest {number}"))[0] for number in range(5)]
    answers = [(await town.call("POST", "/api/reports", body, token=token))[0] for token in guests]
    assert answers == [204, 204, 204, 429, 429]
    assert len(await reports_in(town)) == 3


async def test_every_answer_is_kept_by_nobody_on_the_way(scene: Scene) -> None:
    await scene.plays("g1", most=10)
    for path in ("/api/games/g1", "/api/games/g1/record", "/api/me/games", "/api/me/tally", "/api/leaderboard/classic"):
        headers = {"Authorization": f"Bearer {scene.ann}"}
        async with scene.town.session.get(scene.town.origin + path, headers=headers) as answer:
            assert answer.headers["Cache-Control"] == "no-store"
            assert scene.ann not in await answer.text()
            assert json.dumps(scene.ann) not in str(answer.headers)
