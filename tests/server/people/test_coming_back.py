"""Recovery codes, and what becomes of a guest who turns out to be somebody: his games are the account's."""

from __future__ import annotations

import asyncio
from typing import Any, TypeAlias

import msgspec
import pytest
from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from slamomatic.server.codes import ALPHABET
from slamomatic.server.limits import Rate
from slamomatic.server.people.codes import COUNT, hashed
from slamomatic.server.storage import people as rows
from slamomatic.server.storage.people import NOBODY, now_known_as
from slamomatic.server.storage.schema import devices, games, people, players, ratings, recovery_codes, reports
from tests.server.people.conftest import Build
from tests.server.people.test_guests import ban
from tests.server.people.town import GENEROUS, Town

BAD = (400, "bad-ticket")
RECORD = 'hands-down 1\nedition "Classic"\nseat 1: ?\nseat 2: ?\n'


Hand: TypeAlias = tuple[str | None, str]
"""Who played it, and under which name."""


async def play(town: Town, game: str, began_us: int, *hands: Hand) -> None:
    """A finished game of these people, as the archive keeps it."""
    await town.database.write(lambda connection: write_game(connection, game, began_us, *hands))


async def write_game(connection: AsyncConnection, game: str, began_us: int, *hands: Hand) -> None:
    """The rows of a finished game."""
    row = {
        "id": game, "code": "K7WPXQ", "number": 1, "edition": "Classic", "rated": True, "public": False,
        "called_off": False, "began_us": began_us, "ended_us": began_us + 5, "record": RECORD,
    }  # fmt: skip
    await connection.execute(insert(games).values(row))
    for seat, (person, name) in enumerate(hands, 1):
        hand = {
            "game": game, "seat": seat, "person": person, "name": name, "avatar": seat, "bot": None, "place": seat,
            "points": 0, "won": seat == 1, "left": False, "tally": '{"races": 3}',
        }  # fmt: skip
        await connection.execute(insert(players).values(hand))


async def rate(town: Town, person: str, edition: str, mu: float) -> None:
    row = {"person": person, "edition": edition, "mu": mu, "sigma": 8.0, "games": 3}
    await town.database.write(lambda connection: connection.execute(insert(ratings).values(row)))


async def report(town: Town, reporter: str, person: str | None, name: str) -> None:
    row = {"at_us": 5, "code": "K7WPXQ", "reporter": reporter, "person": person, "name": name, "reason": "rude"}
    await town.database.write(lambda connection: connection.execute(insert(reports).values(row)))


async def codes_of(town: Town, token: str) -> list[str]:
    codes: list[str] = (await town.fine("POST", "/api/me/codes", token=token))["codes"]
    return codes


# Codes.


async def test_a_recovery_code_brings_one_back_and_is_used_up(town: Town) -> None:
    token, person = await town.guest("Ann")
    codes = await codes_of(town, token)
    me = await town.fine("GET", "/api/me", token=token)
    assert (me["has_account"], me["recovery_codes_left"]) == (True, COUNT)
    back = await town.fine("POST", "/api/recover", {"code": codes[0]})
    assert (back["me"]["id"], back["me"]["recovery_codes_left"]) == (person, COUNT - 1)
    assert (await town.fine("GET", "/api/me", token=back["token"]))["name"] == "Ann"
    assert await town.refused("POST", "/api/recover", {"code": codes[0]}) == BAD


async def test_codes_can_be_printed_and_typed(town: Town) -> None:
    token, _ = await town.guest()
    codes = await codes_of(town, token)
    assert len({*codes}) == COUNT
    for code in codes:
        assert [len(group) for group in code.split("-")] == [5, 5, 5, 5]
        assert {*code} <= {*ALPHABET, "-"}
    assert len(ALPHABET) ** 20 > 2**80
    await town.fine("POST", "/api/recover", {"code": codes[0].lower().replace("-", " ")})
    await town.fine("POST", "/api/recover", {"code": f"  {codes[1].replace('-', '')}"})


async def test_a_code_is_nowhere_in_the_database(town: Town) -> None:
    token, person = await town.guest()
    codes = await codes_of(town, token)
    kept = await town.rows(recovery_codes)
    assert {row["hash"] for row in kept} == {hashed(code) for code in codes}
    assert {row["person"] for row in kept} == {person}
    assert not any(code.replace("-", "") in repr(kept).upper() for code in codes)


async def test_new_codes_void_the_old_ones(town: Town) -> None:
    token, _ = await town.guest()
    old, new = await codes_of(town, token), await codes_of(town, token)
    assert await town.refused("POST", "/api/recover", {"code": old[0]}) == BAD
    await town.fine("POST", "/api/recover", {"code": new[0]})
    assert len(await town.rows(recovery_codes)) == COUNT - 1


async def test_one_code_on_two_servers_at_once_brings_back_once(build: Build) -> None:
    here, there = await build(), await build()
    token, _ = await here.guest()
    code = (await codes_of(here, token))[0]
    told = await asyncio.gather(*(town.call("POST", "/api/recover", {"code": code}) for town in (here, there) * 3))
    assert sorted(status for status, _ in told) == [200] + [400] * 5
    assert len(await here.rows(devices)) == 2
    assert len(await here.rows(recovery_codes)) == COUNT - 1


async def test_what_is_no_code_brings_nobody_back(town: Town) -> None:
    token, _ = await town.guest()
    await codes_of(town, token)
    for code in ("", "-", "K7WPX", "' OR 1=1 --", "%", "\0", "é" * 64):
        assert await town.refused("POST", "/api/recover", {"code": code}) == BAD, code


async def test_the_hash_of_a_code_is_no_code(town: Town) -> None:
    token, _ = await town.guest()
    code = (await codes_of(town, token))[0]
    assert await town.refused("POST", "/api/recover", {"code": hashed(code)}) == BAD


async def test_one_address_does_not_try_codes_without_end(build: Build) -> None:
    town = await build(limits=msgspec.structs.replace(GENEROUS, proofs=Rate(3, 0.0001)))
    token, _ = await town.guest()
    code = (await codes_of(town, token))[0]
    for _ in range(3):
        assert await town.refused("POST", "/api/recover", {"code": "K7WPX"}) == BAD
    assert await town.refused("POST", "/api/recover", {"code": code}) == (429, "too-fast")


async def test_a_code_of_somebody_banned_brings_nobody_back_and_is_not_used_up(town: Town) -> None:
    token, person = await town.guest()
    code = (await codes_of(town, token))[0]
    await ban(town, person)
    assert await town.refused("POST", "/api/recover", {"code": code}) == (403, "banned")
    assert len(await town.rows(recovery_codes)) == COUNT


# A guest becomes his account.


async def account(town: Town, name: str = "Ann") -> tuple[str, str, list[str]]:
    token, person = await town.guest(name)
    return token, person, await codes_of(town, token)


async def test_a_guests_games_go_into_the_account_he_signs_in_to(town: Town) -> None:
    _, ann, codes = await account(town)
    token, guest = await town.guest("Someone")
    await play(town, "g1", 100, (guest, "Someone"), (None, "Kit"))
    await play(town, "g2", 200, (ann, "Ann"), ("elsewhere", "Bob"))
    await rate(town, guest, "classic", 20.0)
    await rate(town, guest, "modern", 30.0)
    await rate(town, ann, "classic", 25.0)
    await report(town, guest, "elsewhere", "Bob")
    await report(town, "elsewhere", guest, "Someone")
    back = await town.fine("POST", "/api/recover", {"code": codes[0]}, token=token)
    assert back["me"]["id"] == ann
    owned = {row["game"] for row in await town.rows(players, players.c.person == ann)}
    assert owned == {"g1", "g2"}
    assert await town.rows(players, players.c.person == guest) == []
    kept = {(row["person"], row["edition"]): row["mu"] for row in await town.rows(ratings)}
    assert kept == {(ann, "classic"): 25.0, (ann, "modern"): 30.0, (guest, "classic"): 20.0}, "two are counted anew"
    assert {(row["reporter"], row["person"]) for row in await town.rows(reports)} == {
        (ann, "elsewhere"), ("elsewhere", ann),
    }  # fmt: skip
    (row,) = await town.rows(people, people.c.id == guest)
    assert (row["merged_into"], row["name"]) == (ann, NOBODY)


async def test_a_passkey_too_brings_a_guests_games_along(town: Town) -> None:
    token, ann = await town.guest("Ann")
    device = await town.add_passkey(token)
    guest_token, guest = await town.guest("Someone")
    await play(town, "g1", 100, (guest, "Someone"))
    await town.sign_in(device, token=guest_token)
    assert [row["person"] for row in await town.rows(players)] == [ann]


async def test_a_copy_of_a_guests_token_does_not_open_the_account_he_went_into(town: Town) -> None:
    _, _, codes = await account(town)
    token, _ = await town.guest("Someone")
    await town.fine("GET", "/api/me", token=token)
    back = await town.fine("POST", "/api/recover", {"code": codes[0]}, token=token)
    assert back["token"] != token
    assert await town.refused("GET", "/api/me", token=token) == (401, "no-person")


async def test_an_account_never_goes_into_another(town: Town) -> None:
    ann_token, ann, _ = await account(town, "Ann")
    _, bob, codes = await account(town, "Bob")
    await play(town, "g1", 100, (ann, "Ann"))
    back = await town.fine("POST", "/api/recover", {"code": codes[0]}, token=ann_token)
    assert back["me"]["id"] == bob
    assert [row["person"] for row in await town.rows(players)] == [ann]
    assert (await town.fine("GET", "/api/me", token=ann_token))["id"] == ann


async def test_who_signs_in_as_himself_stays_himself(town: Town) -> None:
    token, ann, codes = await account(town)
    back = await town.fine("POST", "/api/recover", {"code": codes[0]}, token=token)
    assert back["me"]["id"] == ann
    assert (await town.fine("GET", "/api/me", token=token))["id"] == ann


async def test_a_refused_code_leaves_the_guest_as_he_was(town: Town) -> None:
    token, guest = await town.guest("Someone")
    assert await town.refused("POST", "/api/recover", {"code": "K7WPX"}, token=token) == BAD
    assert (await town.fine("GET", "/api/me", token=token))["id"] == guest


async def test_a_game_that_ends_after_its_guest_signed_in_finds_its_account(town: Town) -> None:
    _, ann, codes = await account(town)
    token, guest = await town.guest("Someone")
    await town.fine("POST", "/api/recover", {"code": codes[0]}, token=token)
    known = await town.database.write(lambda connection: now_known_as(connection, [ann, guest, "nobody"]))
    assert known == {ann: ann, guest: ann, "nobody": None}


async def test_who_signs_in_on_more_and_more_devices_is_signed_out_on_the_oldest(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "MOST_DEVICES", 3)
    token, _, codes = await account(town)
    for code in codes[:2]:
        await town.fine("POST", "/api/recover", {"code": code})
    await town.fine("GET", "/api/me", token=token)
    back = await town.fine("POST", "/api/recover", {"code": codes[2]})
    town.people.forget(back["me"]["id"])
    assert await town.refused("GET", "/api/me", token=token) == (401, "no-person")
    await town.fine("GET", "/api/me", token=back["token"])
    assert len(await town.rows(devices)) == 3


async def test_two_guests_into_one_account_at_once(build: Build) -> None:
    here, there = await build(), await build()
    _, ann, codes = await account(here)
    guests: list[Any] = [await here.guest("One"), await here.guest("Two")]
    for game, (_, guest) in zip(("g1", "g2"), guests, strict=True):
        await play(here, game, 100, (guest, "Someone"))
    told = await asyncio.gather(
        *(
            town.call("POST", "/api/recover", {"code": code}, token=token)
            for town, code, (token, _) in zip((here, there), codes, guests, strict=False)
        )
    )
    assert [status for status, _ in told] == [200, 200]
    assert {row["person"] for row in await here.rows(players)} == {ann}
