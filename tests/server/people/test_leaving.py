"""Taking along all that is kept of oneself, and being nobody again."""

from __future__ import annotations

import asyncio

import msgspec
from sqlalchemy.ext.asyncio import AsyncConnection

from slamomatic.server.limits import Rate
from slamomatic.server.people.people import EXPORTED_AT_ONCE, People
from slamomatic.server.storage.people import NOBODY, now_known_as
from slamomatic.server.storage.schema import (
    devices,
    metadata,
    passkeys,
    people,
    players,
    ratings,
    recovery_codes,
    reports,
)
from tests.server.people.authenticator import Authenticator
from tests.server.people.conftest import Build
from tests.server.people.test_coming_back import RECORD, codes_of, play, rate, report, write_game
from tests.server.people.town import GENEROUS, Town


async def test_an_export_holds_all_there_is_and_no_key(town: Town) -> None:
    token, ann = await town.guest("Ann")
    device = await town.add_passkey(token, "My phone")
    codes = await codes_of(town, token)
    guest_token, guest = await town.guest("Someone")
    await town.sign_in(device, token=guest_token)
    await play(town, "g1", 100, (ann, "Ann"), (None, "Kit"))
    await play(town, "g2", 200, ("bob", "Bob"), (ann, "Ann"))
    await play(town, "g3", 300, ("bob", "Bob"), (None, "Kit"))
    await rate(town, ann, "classic", 25.0)
    await report(town, ann, "bob", "Bob")
    await report(town, "bob", ann, "Ann")
    async with town.session.get(town.origin + "/api/me/export", headers={"Authorization": f"Bearer {token}"}) as answer:
        assert answer.content_type == "application/json"
        assert "attachment" in answer.headers["Content-Disposition"]
        assert answer.headers["Cache-Control"] == "no-store"
        text = await answer.text()
    told = msgspec.json.decode(text)
    assert set(told) == {"me", "devices", "ratings", "reports", "guests", "games"}
    assert told["me"] == await town.fine("GET", "/api/me", token=token)
    assert len(told["devices"]) == 2
    assert [one["id"] for one in told["guests"]] == [guest]
    assert [(one["edition"], one["games"]) for one in told["ratings"]] == [("classic", 3)]
    assert [(one["name"], one["reason"]) for one in told["reports"]] == [("Bob", "rude")], (
        "what others reported is theirs"
    )
    assert [game["game"]["id"] for game in told["games"]] == ["g2", "g1"]
    assert told["games"][1]["record"] == RECORD
    assert told["games"][1]["tally"] == {"races": 3}
    (key,) = await town.rows(passkeys)
    assert key["public_key"].hex() not in text
    for secret in (token, *codes, *(row["hash"] for row in await town.rows(recovery_codes))):
        assert secret not in text
    for row in await town.rows(devices):
        assert row["id"] not in text


async def test_an_export_of_many_games_is_whole(town: Town) -> None:
    token, ann = await town.guest("Ann")
    ids = [f"g{number:03}" for number in range(2 * EXPORTED_AT_ONCE + 1)]
    for number, game in enumerate(ids):
        await play(town, game, 100 + number, (ann, "Ann"))
    told = await town.fine("GET", "/api/me/export", token=token)
    assert [game["game"]["id"] for game in told["games"]] == ids[::-1]


async def test_an_export_of_somebody_new_is_one_object_too(town: Town) -> None:
    token, ann = await town.guest("Ann")
    told = await town.fine("GET", "/api/me/export", token=token)
    assert (told["me"]["id"], told["games"], told["guests"]) == (ann, [], [])


async def test_nobody_exports_without_end(build: Build) -> None:
    town = await build(limits=msgspec.structs.replace(GENEROUS, changes=Rate(1, 0.0001)))
    token, _ = await town.guest()
    await town.fine("GET", "/api/me/export", token=token)
    assert await town.refused("GET", "/api/me/export", token=token) == (429, "too-fast")


async def test_who_deletes_himself_is_nobody_anywhere(town: Town) -> None:
    token, ann = await town.guest("Ann Unmistakable")
    device = await town.add_passkey(token)
    await codes_of(town, token)
    guest_token, guest = await town.guest("Someone Else")
    await town.sign_in(device, token=guest_token)
    await play(town, "g1", 100, (ann, "Ann Unmistakable"), ("bob", "Bob"))
    await play(town, "g2", 200, (guest, "Someone Else"), (None, "Kit"))  # it ended after the guest had signed in
    await rate(town, ann, "classic", 25.0)
    await report(town, ann, "bob", "Bob")
    await report(town, "bob", ann, "Ann Unmistakable")
    await town.fine("DELETE", "/api/me", token=token)
    for table in (people, devices, passkeys, recovery_codes, ratings):
        assert await town.rows(table) == [], table.name
    hands = {(row["game"], row["seat"]): (row["person"], row["name"], row["tally"]) for row in await town.rows(players)}
    assert hands == {
        ("g1", 1): (None, NOBODY, None),
        ("g1", 2): ("bob", "Bob", '{"races": 3}'),
        ("g2", 1): (None, NOBODY, None),
        ("g2", 2): (None, "Kit", '{"races": 3}'),
    }
    assert [(row["reporter"], row["name"]) for row in await town.rows(reports)] == [("", "Bob")]
    kept = repr([await town.rows(table) for table in metadata.sorted_tables])
    for word in (ann, guest, "Unmistakable", "Someone Else", device.name):
        assert word not in kept
    assert await town.refused("GET", "/api/me", token=token) == (401, "no-person")
    assert await town.refused("POST", "/api/passkeys", await town.answer_of(device)) == (400, "bad-ticket")


async def test_others_keep_what_is_theirs(town: Town) -> None:
    (ann_token, ann), (bob_token, bob) = await town.guest("Ann"), await town.guest("Bob")
    await town.add_passkey(ann_token)
    bobs = await town.add_passkey(bob_token)
    await play(town, "g1", 100, (ann, "Ann"), (bob, "Bob"))
    await rate(town, bob, "classic", 25.0)
    await town.fine("DELETE", "/api/me", token=ann_token)
    assert (await town.sign_in(bobs))["me"]["id"] == bob
    told = await town.fine("GET", "/api/me/export", token=bob_token)
    assert [[hand["name"] for hand in game["game"]["players"]] for game in told["games"]] == [[NOBODY, "Bob"]]
    assert len(told["ratings"]) == 1


async def test_the_token_of_somebody_deleted_changes_nothing(build: Build) -> None:
    """Not even on a server that has not heard of it yet."""
    here, there = await build(), await build()
    token, _ = await here.guest()
    await there.fine("GET", "/api/me", token=token)
    asked = await there.fine("POST", "/api/me/passkeys/options", token=token)
    await here.fine("DELETE", "/api/me", token=token)
    answer = {"ticket": asked["ticket"], "credential": Authenticator(there.origin).create(asked["options"])}
    for method, path, body in (
        ("PATCH", "/api/me", {"name": "Ghost"}),
        ("POST", "/api/me/codes", None),
        ("POST", "/api/me/passkeys", answer),
        ("GET", "/api/me", None),
        ("GET", "/api/me/export", None),
    ):
        assert await there.refused(method, path, body, token=token) == (401, "no-person"), path
    await there.fine("DELETE", "/api/me", token=token)
    for table in (people, devices, passkeys, recovery_codes):
        assert await here.rows(table) == []


async def test_a_game_that_ends_while_its_player_deletes_himself_does_not_tell_of_him(build: Build) -> None:
    here, there = await build(), await build()
    token, ann = await here.guest("Ann")
    is_known = asyncio.Event()

    async def archive(connection: AsyncConnection) -> None:
        today = (await now_known_as(connection, [ann]))[ann]
        is_known.set()
        await asyncio.sleep(0.2)  # the deletion comes now, and has to wait
        await write_game(connection, "g1", 100, (today, "Ann" if today else NOBODY))

    archiving = asyncio.create_task(here.database.write(archive))
    await is_known.wait()
    await there.fine("DELETE", "/api/me", token=token)
    await archiving
    assert [(row["person"], row["name"]) for row in await here.rows(players)] == [(None, NOBODY)]


async def test_deleted_while_signing_in_one_of_the_two_has_happened(build: Build) -> None:
    here, there = await build(), await build()
    token, _ = await here.guest()
    code = (await codes_of(here, token))[0]
    (gone, _), (back, _) = await asyncio.gather(
        here.call("DELETE", "/api/me", token=token), there.call("POST", "/api/recover", {"code": code})
    )
    assert gone == 204
    assert back in (200, 400, 401)
    for table in (people, devices, recovery_codes):
        assert await here.rows(table) == []


async def test_guests_who_left_nothing_behind_are_forgotten_and_nobody_else(town: Town) -> None:
    _, idle = await town.guest("Idle")
    _, player = await town.guest("Player")
    keeper_token, keeper = await town.guest("Keeper")
    coder_token, coder = await town.guest("Coder")
    await play(town, "g1", 100, (player, "Player"))
    await town.add_passkey(keeper_token, "My phone")
    await codes_of(town, coder_token)
    town_people = People(town.database)
    before_us = (await town.rows(people))[0]["seen_us"]
    await town_people.forget_guests(before_us - 1)
    assert len(await town.rows(people)) == 4, "seen since then"
    await town_people.forget_guests(before_us + 3_600_000_000)
    assert {row["id"] for row in await town.rows(people)} == {player, keeper, coder}
    assert idle not in {row["person"] for row in await town.rows(devices)}
