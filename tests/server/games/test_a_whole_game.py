"""A rated game played over real sockets, from the first card to the ladder."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from slamomatic.game import read
from slamomatic.server.calls import GameReplay
from slamomatic.table.calls import Seated
from slamomatic.table.protocol import Ready, TableView
from tests.server.games.made import until
from tests.server.guests import House, Serve, play_to_the_end


async def somebody(house: House, name: str) -> dict[str, str]:
    _, told = await house.call("POST", "/api/me", {"name": name})
    return {"Authorization": f"Bearer {told['token']}"}


def both_are_here(table: TableView) -> bool:
    return [seat.presence.value for seat in table.seats] == ["here", "here"]


async def test_a_game_that_is_over_is_kept_counted_rated_and_shown(store_url: str, serve: Serve) -> None:
    house = await serve(url=store_url)
    ann, bob = await somebody(house, "Ann"), await somebody(house, "Bob")
    wish = {"name": "Ann", "edition": "classic", "rated": True}
    opened = msgspec.convert((await house.call("POST", "/api/tables", wish, headers=ann))[1], Seated)
    path = f"/api/tables/{opened.code}/join"
    joined = msgspec.convert((await house.call("POST", path, {"name": "Bob"}, headers=bob))[1], Seated)
    anns, bobs = await house.sit(opened), await house.sit(joined)
    await anns.hear_table(both_are_here)
    for page in (anns, bobs):
        await page.say(Ready(ready=True))
    async with asyncio.timeout(120):
        view, _ = await asyncio.gather(play_to_the_end(anns, slams=2), play_to_the_end(bobs))

    async def told(path: str, who: dict[str, str]) -> Any:
        status, body = await house.call("GET", path, headers=who)
        return body if status == 200 else None

    [game] = (await told("/api/me/games", bob))["games"]
    assert [player["name"] for player in game["players"]] == ["Ann", "Bob"]
    assert [player["points"] for player in game["players"]] == [count.total for count in view.scores]
    replay_path = f"/api/games/{game['id']}"
    await until(lambda: told(replay_path, ann))
    replay = msgspec.convert(await told(replay_path, ann), GameReplay)
    assert replay.scores == view.scores
    assert sum(step.race is not None and step.race.seat == opened.seat for step in replay.steps) >= 2
    async with house.session.get(house.url(f"{replay_path}/record"), headers=bob) as answer:
        record = read(await answer.text())
    assert record.names == ("Ann", "Bob")
    assert record.result == view.scores

    async def are_rated() -> bool:
        return len((await told("/api/leaderboard/classic", {}))["rows"]) == 2

    await until(are_rated)
    tally = await told("/api/me/tally", bob)
    [edition] = tally["editions"]
    assert (tally["games"], edition["edition"], edition["rating"]["games"]) == (1, "Classic", 1)
    assert tally["races"] >= 2
    assert (await house.call("GET", replay_path))[0] == 404
    assert (await house.call("POST", f"{replay_path}/share", headers=bob))[0] == 200
    assert (await house.call("GET", replay_path))[0] == 200
