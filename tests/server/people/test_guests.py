"""Guests: somebody by one call, with a name and a picture he can change; and what an attacker makes of these calls."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncConnection

from slamomatic.server.clock import now_us
from slamomatic.server.limits import Rate
from slamomatic.server.people import people as people_module
from slamomatic.server.people.names import BEASTS, MOODS
from slamomatic.server.people.people import FRESH_US, SEEN_US
from slamomatic.server.storage.schema import devices, people
from slamomatic.table.protocol import MAX_MESSAGE_BYTES
from tests.server.people.conftest import Build
from tests.server.people.town import GENEROUS, Town


async def ban(town: Town, person: str) -> None:
    async def job(connection: AsyncConnection) -> None:
        await connection.execute(update(people).where(people.c.id == person).values(banned_us=now_us()))

    await town.database.write(job)


async def test_a_guest_is_somebody_with_a_name_and_a_picture(town: Town) -> None:
    token, person = await town.guest("Ann")
    me = await town.fine("GET", "/api/me", token=token)
    assert (me["id"], me["name"], me["has_account"], me["passkeys"], me["recovery_codes_left"]) == (
        person, "Ann", False, [], 0,
    )  # fmt: skip
    assert 0 <= me["avatar"] < 2**31
    assert abs(now_us() - me["made_us"]) < 60_000_000


async def test_who_brings_no_name_is_given_one(town: Town) -> None:
    token, _ = await town.guest(None)
    mood, beast = (await town.fine("GET", "/api/me", token=token))["name"].split()
    assert mood in MOODS
    assert beast in BEASTS


async def test_a_name_and_a_picture_can_be_changed_apart(town: Town) -> None:
    token, _ = await town.guest("Ann")
    before = await town.fine("GET", "/api/me", token=token)
    renamed = await town.fine("PATCH", "/api/me", {"name": "  Anne   Marie "}, token=token)
    assert renamed == {**before, "name": "Anne Marie"}
    drawn = await town.fine("PATCH", "/api/me", {"avatar": 7}, token=token)
    assert drawn == {**renamed, "avatar": 7}
    assert await town.fine("PATCH", "/api/me", {}, token=token) == drawn
    assert await town.fine("GET", "/api/me", token=token) == drawn


async def test_nobody_is_called_so_and_nothing_has_changed(town: Town) -> None:
    token, _ = await town.guest("Ann")
    for name in ("fuck", "ｆｕｃｋ", "f u c k", "n1gg3r", "\u200b\u200b"):
        assert await town.refused("PATCH", "/api/me", {"name": name, "avatar": 3}, token=token) == (400, "bad-name")
        assert await town.refused("POST", "/api/me", {"name": name}) == (400, "bad-name")
    me = await town.fine("GET", "/api/me", token=token)
    assert me["name"] == "Ann"
    assert len(await town.rows(people)) == 1


async def test_a_name_is_text_to_the_database(town: Town) -> None:
    token, person = await town.guest("Bob")
    for name in ("'; DROP TABLE--", "Robert'); DELETE", '" OR 1=1 --', "%a_%", "\\x00 \\", "${7*7}"):
        await town.fine("PATCH", "/api/me", {"name": name}, token=token)
        (row,) = await town.rows(people)
        assert (row["id"], row["name"]) == (person, name)


async def test_a_zero_character_is_no_way_around_anything(town: Town) -> None:
    token, _ = await town.guest("A\0nn")
    assert (await town.fine("GET", "/api/me", token=token))["name"] == "Ann"


CALLS = (
    ("GET", "/api/me"), ("PATCH", "/api/me"), ("DELETE", "/api/me"), ("GET", "/api/me/export"),
    ("POST", "/api/me/codes"), ("POST", "/api/me/signout"), ("POST", "/api/me/passkeys/options"),
    ("POST", "/api/me/passkeys"), ("DELETE", "/api/me/passkeys/x"),
)  # fmt: skip


async def test_nobody_has_nothing_to_change(town: Town) -> None:
    await town.guest("Ann")
    for method, path in CALLS:
        assert await town.refused(method, path, {}) == (401, "no-person"), path
        for header in ("Bearer ", "Bearer nonsense", "Basic QW46", "Bearer a.b", "bearer \xe9", "x"):
            assert await town.refused(method, path, {}, Authorization=header) == (401, "no-person"), (path, header)
    assert len(await town.rows(people)) == len(await town.rows(devices)) == 1


BODIES: list[Any] = [
    b"", b"{", b"null", b"[]", b'"Ann"', b"\xff\xfe", b"[" * 10_000, {"name": 7}, {"name": ""}, {"name": "x" * 21},
    b'{"name": "\\ud800"}', {"avatar": -1}, {"avatar": 2**31}, {"avatar": 1.5}, {"banned_us": 1}, {"id": "me"},
    {"name": {"$ne": 1}},
]  # fmt: skip


async def test_a_body_that_is_none_is_refused_with_a_reason(town: Town) -> None:
    token, _ = await town.guest("Ann")
    before = await town.fine("GET", "/api/me", token=token)
    for body in BODIES:
        assert await town.refused("PATCH", "/api/me", body, token=token) == (400, "bad-message"), body
        for path in ("/api/passkeys", "/api/recover", "/api/me/passkeys"):
            assert await town.refused("POST", path, body, token=token) == (400, "bad-message"), body
    assert await town.fine("GET", "/api/me", token=token) == before


async def test_a_huge_body_is_refused(town: Town) -> None:
    token, _ = await town.guest()
    body = b'{"name": "' + b"x" * 10 * MAX_MESSAGE_BYTES + b'"}'
    for path in ("/api/me", "/api/passkeys", "/api/recover", "/api/me/signout", "/api/me/passkeys"):
        assert await town.refused("POST", path, body, token=token) == (413, "bad-message"), path


async def test_a_page_of_another_site_may_not_ask(town: Town) -> None:
    status, _ = await town.call("POST", "/api/me", {}, Origin="https://evil.example")
    assert status == 403
    assert await town.rows(people) == []


async def test_one_address_does_not_make_guests_without_end(build: Build) -> None:
    town = await build(limits=msgspec.structs.replace(GENEROUS, newcomers=Rate(3, 0.0001)))
    for _ in range(3):
        await town.guest()
    assert await town.refused("POST", "/api/me", {}) == (429, "too-fast")
    assert len(await town.rows(people)) == 3


async def test_nobody_changes_his_name_without_end(build: Build) -> None:
    town = await build(limits=msgspec.structs.replace(GENEROUS, changes=Rate(2, 0.0001)))
    (ann, _), (bob, _) = await town.guest("Ann"), await town.guest("Bob")
    for name in ("One", "Two"):
        await town.fine("PATCH", "/api/me", {"name": name}, token=ann)
    assert await town.refused("PATCH", "/api/me", {"name": "Three"}, token=ann) == (429, "too-fast")
    await town.fine("PATCH", "/api/me", {"name": "Bobby"}, token=bob)


async def test_a_device_signs_out_alone_or_all_the_others(town: Town) -> None:
    first, person = await town.guest()
    device = await town.add_passkey(first)
    second = (await town.sign_in(device))["token"]
    third = (await town.sign_in(device))["token"]
    assert len({first, second, third}) == 3
    await town.fine("POST", "/api/me/signout", token=second)
    assert await town.refused("GET", "/api/me", token=second) == (401, "no-person")
    await town.fine("POST", "/api/me/signout", {"everywhere": True}, token=third)
    assert await town.refused("GET", "/api/me", token=first) == (401, "no-person")
    assert (await town.fine("GET", "/api/me", token=third))["id"] == person
    assert len(await town.rows(devices)) == 1


async def test_the_operators_ban_counts_at_once_where_it_is_told_and_elsewhere_within_seconds(
    build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = await build(), await build()
    token, person = await here.guest()
    await there.fine("GET", "/api/me", token=token)
    await ban(here, person)
    here.people.forget(person)
    assert await here.refused("GET", "/api/me", token=token) == (403, "banned")
    later = now_us() + FRESH_US
    monkeypatch.setattr(people_module, "now_us", lambda: later)
    assert await there.refused("PATCH", "/api/me", {"name": "Eve"}, token=token) == (403, "banned")


async def test_who_is_banned_may_still_take_along_and_delete_what_is_his(town: Town) -> None:
    token, person = await town.guest()
    await ban(town, person)
    town.people.forget(person)
    assert await town.refused("POST", "/api/me/codes", token=token) == (403, "banned")
    assert (await town.fine("GET", "/api/me/export", token=token))["me"]["id"] == person
    await town.fine("DELETE", "/api/me", token=token)
    assert await town.rows(people) == []


async def test_when_somebody_was_here_last_is_written_down_now_and_then(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, _ = await town.guest()
    (made,) = await town.rows(people)
    await town.fine("GET", "/api/me", token=token)
    assert (await town.rows(people))[0]["seen_us"] == made["seen_us"]
    later = now_us() + SEEN_US + FRESH_US
    monkeypatch.setattr(people_module, "now_us", lambda: later)
    await town.fine("GET", "/api/me", token=token)
    assert (await town.rows(people))[0]["seen_us"] == later
