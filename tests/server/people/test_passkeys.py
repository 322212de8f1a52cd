"""Passkeys: one comes back by them as oneself, and nobody else does, whatever he has got hold of."""

from __future__ import annotations

import asyncio
import random
from typing import Any
from urllib.parse import quote

import msgspec
import pytest
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

from slamomatic.server.clock import now_us
from slamomatic.server.limits import Rate
from slamomatic.server.people import passkeys as passkeys_module
from slamomatic.server.people.passkeys import CLOCKS_US, MOST, TICKET_US
from slamomatic.server.site import Site
from slamomatic.server.storage.schema import devices, passkeys, people, spent
from tests.server.people.authenticator import Authenticator
from tests.server.people.conftest import Build
from tests.server.people.test_guests import ban
from tests.server.people.town import GENEROUS, Town

BAD = (400, "bad-ticket")


async def test_a_guest_with_a_passkey_has_an_account_and_comes_back_on_another_device(town: Town) -> None:
    token, person = await town.guest("Ann")
    device = await town.add_passkey(token, "  My   phone ")
    me = await town.fine("GET", "/api/me", token=token)
    assert me["has_account"]
    assert [(key["id"], key["label"], key["used_us"]) for key in me["passkeys"]] == [(device.name, "My phone", None)]
    again = await town.sign_in(device)
    assert again["token"] != token
    assert again["me"]["id"] == person
    assert again["me"]["passkeys"][0]["used_us"] is not None
    assert (await town.fine("GET", "/api/me", token=again["token"]))["name"] == "Ann"
    assert (await town.fine("GET", "/api/me", token=token))["id"] == person, "the first device stays signed in"


async def test_what_a_browser_is_asked_needs_no_user_name_and_tells_none(town: Town) -> None:
    token, person = await town.guest("Ann")
    device = await town.add_passkey(token)
    asked = (await town.fine("POST", "/api/me/passkeys/options", token=token))["options"]
    assert asked["authenticatorSelection"] == {
        "residentKey": "required", "requireResidentKey": True, "userVerification": "preferred",
    }  # fmt: skip
    assert asked["rp"]["id"] == "localhost"
    assert base64url_to_bytes(asked["user"]["id"]).decode() == person
    assert [key["id"] for key in asked["excludeCredentials"]] == [device.name]
    asked = (await town.fine("POST", "/api/passkeys/options"))["options"]
    assert asked["allowCredentials"] == []
    assert asked["rpId"] == "localhost"


async def test_passkeys_that_count_nothing_are_passkeys(town: Town) -> None:
    token, person = await town.guest()
    device = await town.add_passkey(token, counts=False)
    for _ in range(2):
        assert (await town.sign_in(device))["me"]["id"] == person


# Tickets.


async def test_a_replayed_answer_signs_nobody_in(town: Town) -> None:
    token, _ = await town.guest()
    device = await town.add_passkey(token, counts=False)
    answer = await town.answer_of(device)
    await town.fine("POST", "/api/passkeys", answer)
    assert await town.refused("POST", "/api/passkeys", answer) == BAD
    assert len(await town.rows(devices)) == 2


async def test_one_answer_on_two_servers_at_once_signs_in_once(build: Build) -> None:
    here, there = await build(), await build()
    token, _ = await here.guest()
    device = await here.add_passkey(token, counts=False)
    answer = await here.answer_of(device)
    told = await asyncio.gather(*(one.call("POST", "/api/passkeys", answer, Origin=here.origin, Host=here.origin[7:])
                                  for one in (here, there) * 3))  # fmt: skip
    assert sorted(status for status, _ in told) == [200] + [400] * 5
    assert len(await here.rows(devices)) == 2


async def test_a_ticket_runs_out(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    token, _ = await town.guest()
    device = await town.add_passkey(token)
    answer = await town.answer_of(device)
    later = now_us() + TICKET_US
    monkeypatch.setattr(passkeys_module, "now_us", lambda: later)
    assert await town.refused("POST", "/api/passkeys", answer) == BAD


async def test_used_tickets_are_kept_no_longer_than_they_could_be_used_again(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, _ = await town.guest()
    device = await town.add_passkey(token)
    await town.sign_in(device)
    assert len(await town.rows(spent)) == 2
    later = now_us() + TICKET_US + CLOCKS_US + 1
    monkeypatch.setattr(passkeys_module, "now_us", lambda: later)
    await town.sign_in(device)
    assert len(await town.rows(spent)) == 1


async def test_a_ticket_we_did_not_sign_is_none(town: Town) -> None:
    token, _ = await town.guest()
    device = await town.add_passkey(token)
    answer = await town.answer_of(device)
    body, signature = answer["ticket"].rsplit(".", 1)
    for forged in (body, f"{body}.", f"{body}.{signature[::-1]}", f".{signature}", "", "x" * 4_000, token):
        assert await town.refused("POST", "/api/passkeys", {**answer, "ticket": forged}) == BAD
    await town.fine("POST", "/api/passkeys", answer)


async def test_a_ticket_is_for_one_ceremony_alone(town: Town) -> None:
    token, _ = await town.guest()
    device = await town.add_passkey(token)
    to_add = await town.fine("POST", "/api/me/passkeys/options", token=token)
    to_enter = await town.fine("POST", "/api/passkeys/options")
    swapped = {"ticket": to_add["ticket"], "credential": device.get(to_add["options"])}
    assert await town.refused("POST", "/api/passkeys", swapped) == BAD
    other = Authenticator(town.origin)
    made = other.create({**to_add["options"], "challenge": to_enter["options"]["challenge"]})
    swapped = {"ticket": to_enter["ticket"], "credential": made}
    assert await town.refused("POST", "/api/me/passkeys", swapped, token=token) == BAD


async def test_an_answer_to_another_question_is_none(town: Town) -> None:
    token, _ = await town.guest()
    device = await town.add_passkey(token)
    first, second = await town.answer_of(device), await town.answer_of(device)
    crossed = {**first, "credential": second["credential"]}
    assert await town.refused("POST", "/api/passkeys", crossed) == BAD


async def test_a_passkey_begun_by_one_person_is_not_added_to_another(town: Town) -> None:
    (ann, _), (eve, _) = await town.guest("Ann"), await town.guest("Eve")
    asked = await town.fine("POST", "/api/me/passkeys/options", token=eve)
    answer = {"ticket": asked["ticket"], "credential": Authenticator(town.origin).create(asked["options"])}
    assert await town.refused("POST", "/api/me/passkeys", answer, token=ann) == BAD
    assert await town.rows(passkeys) == []


# Pages and addresses.


async def test_an_answer_from_another_page_is_none(town: Town) -> None:
    token, _ = await town.guest()
    device = await town.add_passkey(token)
    for origin in ("https://evil.example", "http://localhost", "http://localhost:1", "null"):
        assert await town.refused("POST", "/api/passkeys", await town.answer_of(device, origin=origin)) == BAD
        asked = await town.fine("POST", "/api/me/passkeys/options", token=token)
        made = Authenticator(town.origin).create(asked["options"], origin=origin)
        answer = {"ticket": asked["ticket"], "credential": made}
        assert await town.refused("POST", "/api/me/passkeys", answer, token=token) == BAD
    assert len(await town.rows(passkeys)) == 1


async def test_who_claims_to_be_at_another_address_is_asked_for_that_address(town: Town) -> None:
    """A thief may have the server ask in the name of his own site; no passkey of this one signs there."""
    token, _ = await town.guest()
    device = await town.add_passkey(token)
    _, asked = await town.call("POST", "/api/passkeys/options", Host="evil.example", Origin="http://evil.example")
    assert asked["options"]["rpId"] == "evil.example"
    answer = {"ticket": asked["ticket"], "credential": device.get(asked["options"], origin="http://evil.example")}
    assert await town.refused("POST", "/api/passkeys", answer) == BAD


async def test_behind_a_proxy_passkeys_are_those_of_the_address_people_type(build: Build) -> None:
    town = await build(site=Site(public_url="https://play.example.org/slam", base_path="/slam"))
    origin = "https://play.example.org"
    _, guest = await town.call("POST", "/slam/api/me", {}, Origin=origin)
    path = "/slam/api/me/passkeys"
    _, asked = await town.call("POST", f"{path}/options", token=guest["token"], Origin=origin)
    assert asked["options"]["rp"]["id"] == "play.example.org"
    device = Authenticator(origin)
    answer = {"ticket": asked["ticket"], "credential": device.create(asked["options"])}
    status, _ = await town.call("POST", path, answer, token=guest["token"], Origin=origin)
    assert status == 200
    _, asked = await town.call("POST", "/slam/api/passkeys/options", Origin=origin)
    answer = {"ticket": asked["ticket"], "credential": device.get(asked["options"])}
    status, told = await town.call("POST", "/slam/api/passkeys", answer, Origin=origin)
    assert (status, told["me"]["id"]) == (200, guest["me"]["id"])
    assert await town.refused("POST", "/slam/api/passkeys/options") == (409, "not-now"), "it is asked by another name"


async def test_an_address_of_numbers_has_no_passkeys_and_says_so(town: Town) -> None:
    here = f"127.0.0.1:{town.server.port}"
    status, told = await town.call("POST", "/api/passkeys/options", Origin=f"http://{here}", Host=here)
    assert (status, told["code"]) == (409, "not-now")
    assert "recovery codes" in told["text"]


# Keys.


async def test_another_key_does_not_speak_for_this_passkey(town: Town) -> None:
    token, _ = await town.guest()
    device = await town.add_passkey(token)
    thief = Authenticator(town.origin, "localhost", device.id, user=device.user, count=50)
    assert await town.refused("POST", "/api/passkeys", await town.answer_of(thief)) == BAD


async def test_a_passkey_nobody_added_is_not_known(town: Town) -> None:
    stranger = Authenticator(town.origin, "localhost")
    assert await town.refused("POST", "/api/passkeys", await town.answer_of(stranger)) == BAD


async def test_a_passkey_that_counts_backwards_has_been_copied(town: Town) -> None:
    token, _ = await town.guest()
    device = await town.add_passkey(token)
    copy = device.copy()
    await town.sign_in(device)
    assert await town.refused("POST", "/api/passkeys", await town.answer_of(copy)) == BAD
    await town.sign_in(device)


async def test_a_passkey_and_its_copy_at_once_sign_in_once(town: Town) -> None:
    token, _ = await town.guest()
    device = await town.add_passkey(token)
    answers = [await town.answer_of(one) for one in (device.copy(), device.copy())]
    told = await asyncio.gather(*(town.call("POST", "/api/passkeys", answer) for answer in answers))
    assert sorted(status for status, _ in told) == [200, 400]
    assert (await town.rows(passkeys))[0]["sign_count"] == 2
    assert len(await town.rows(devices)) == 2


async def test_a_passkey_that_means_somebody_else_is_refused(town: Town) -> None:
    token, _ = await town.guest()
    device = await town.add_passkey(token)
    device.user = bytes_to_base64url(b"somebody-else")
    assert await town.refused("POST", "/api/passkeys", await town.answer_of(device)) == BAD


async def test_a_passkey_is_added_once(town: Town) -> None:
    (ann, _), (eve, _) = await town.guest("Ann"), await town.guest("Eve")
    device = await town.add_passkey(ann)
    asked = await town.fine("POST", "/api/me/passkeys/options", token=eve)
    stolen = Authenticator(town.origin, id=device.id)
    answer = {"ticket": asked["ticket"], "credential": stolen.create(asked["options"])}
    assert await town.refused("POST", "/api/me/passkeys", answer, token=eve) == (409, "taken")
    (row,) = await town.rows(passkeys)
    assert (await town.sign_in(device))["me"]["id"] == row["person"]


async def test_nobody_piles_up_passkeys(town: Town) -> None:
    token, _ = await town.guest()
    for _ in range(MOST):
        await town.add_passkey(token)
    asked = await town.fine("POST", "/api/me/passkeys/options", token=token)
    answer = {"ticket": asked["ticket"], "credential": Authenticator(town.origin).create(asked["options"])}
    assert await town.refused("POST", "/api/me/passkeys", answer, token=token) == (409, "full")
    assert len(await town.rows(passkeys)) == MOST


async def test_whatever_a_browser_answers_the_server_lives_and_says_no(town: Town) -> None:
    token, _ = await town.guest()
    device = await town.add_passkey(token, counts=False)
    to_add = await town.fine("POST", "/api/me/passkeys/options", token=token)
    to_enter = await town.fine("POST", "/api/passkeys/options")
    rng = random.Random(5)
    for _ in range(150):
        spoilt = _spoilt(Authenticator(town.origin).create(to_add["options"]), rng)
        body = {"ticket": to_add["ticket"], "credential": spoilt}
        status, told = await town.call("POST", "/api/me/passkeys", body, token=token)
        assert status in FINE_OR_NOT, (spoilt, told)
        spoilt = _spoilt(device.get(to_enter["options"]), rng)
        body = {"ticket": to_enter["ticket"], "credential": spoilt}
        status, told = await town.call("POST", "/api/passkeys", body)
        assert status in FINE_OR_NOT, (spoilt, told)
    assert len(await town.rows(passkeys)) <= 2
    assert len(await town.rows(devices)) <= 2


FINE_OR_NOT = (200, 400)
"""Fine, once, where what was spoilt says nothing; with that the ticket is used up."""
RUBBISH: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    1e99,
    "",
    "x",
    "null",
    "\x00",
    "ü",
    "A" * 3_000,
    [],
    {},
    [[]],
    {"id": {}},
    "LTE",
    "oA",
    "_3__",
)


def _spoilt(credential: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The credential with one thing in it replaced, bent or cut short."""
    response = dict(credential["response"])
    inside = rng.random() < 0.7
    spoilt = response if inside else credential
    key = rng.choice(sorted(spoilt))
    if inside and isinstance(spoilt[key], str) and rng.random() < 0.7:
        raw = bytearray(base64url_to_bytes(spoilt[key]))
        raw[rng.randrange(len(raw))] ^= rng.randrange(1, 256)
        spoilt[key] = bytes_to_base64url(bytes(raw[: rng.randrange(len(raw)) if rng.random() < 0.3 else None]))
    elif rng.random() < 0.2:
        del spoilt[key]
    else:
        spoilt[key] = rng.choice(RUBBISH)
    return {**credential, "response": response} if inside else credential


# Removing.


async def test_ones_own_passkey_can_be_removed_and_opens_nothing_then(town: Town) -> None:
    token, _ = await town.guest()
    first, second = await town.add_passkey(token, "one"), await town.add_passkey(token, "two")
    me = await town.fine("DELETE", f"/api/me/passkeys/{first.name}", token=token)
    assert [key["label"] for key in me["passkeys"]] == ["two"]
    assert await town.refused("POST", "/api/passkeys", await town.answer_of(first)) == BAD
    await town.sign_in(second)


async def test_what_is_no_passkeys_id_is_looked_for_nowhere(town: Town) -> None:
    token, _ = await town.guest()
    await town.add_passkey(token)
    stranger = Authenticator(town.origin, "localhost")
    for name in ("\0", "x\0", "ü", "a b", "' OR 1=1 --", "x" * 5_000, ""):
        answer = await town.answer_of(stranger)
        answer["credential"] |= {"id": name, "rawId": name}
        assert await town.refused("POST", "/api/passkeys", answer) == BAD, name
        if name:
            assert await town.refused("DELETE", f"/api/me/passkeys/{quote(name, safe='')}", token=token) == BAD, name


async def test_a_label_is_shown_as_it_can_be_read(town: Town) -> None:
    token, _ = await town.guest()
    for label in ("\0My\0 phone\u202e", "\u200b", "x" * 40):
        await town.add_passkey(token, label)
    me = await town.fine("GET", "/api/me", token=token)
    assert [key["label"] for key in me["passkeys"]] == ["My phone", "Passkey", "x" * 40]


async def test_anothers_passkey_cannot_be_removed(town: Town) -> None:
    (ann, _), (eve, _) = await town.guest("Ann"), await town.guest("Eve")
    device = await town.add_passkey(ann)
    await town.add_passkey(eve)
    assert await town.refused("DELETE", f"/api/me/passkeys/{device.name}", token=eve) == BAD
    assert await town.refused("DELETE", "/api/me/passkeys/%27%20OR%201%3D1", token=eve) == BAD
    assert len(await town.rows(passkeys)) == 2


async def test_the_last_way_in_stays_until_there_is_another(town: Town) -> None:
    token, _ = await town.guest()
    device = await town.add_passkey(token)
    path = f"/api/me/passkeys/{device.name}"
    assert await town.refused("DELETE", path, token=token) == (409, "not-now")
    await town.sign_in(device)
    await town.fine("POST", "/api/me/codes", token=token)
    me = await town.fine("DELETE", path, token=token)
    assert (me["passkeys"], me["has_account"]) == ([], True)


async def test_the_two_last_passkeys_removed_at_once_on_two_servers_leave_one(build: Build) -> None:
    here, there = await build(), await build()
    token, _ = await here.guest()
    keys = [await here.add_passkey(token), await here.add_passkey(token)]
    told = await asyncio.gather(
        *(
            town.call("DELETE", f"/api/me/passkeys/{key.name}", token=token)
            for town, key in zip((here, there), keys, strict=True)
        )
    )
    assert sorted(status for status, _ in told) == [200, 409]
    assert len(await here.rows(passkeys)) == 1


# Limits and bans.


async def test_one_address_does_not_try_passkeys_without_end(build: Build) -> None:
    town = await build(limits=msgspec.structs.replace(GENEROUS, proofs=Rate(3, 0.0001)))
    stranger = Authenticator(town.origin, "localhost")
    for _ in range(3):
        assert await town.refused("POST", "/api/passkeys", await town.answer_of(stranger)) == BAD
    assert await town.refused("POST", "/api/passkeys", await town.answer_of(stranger)) == (429, "too-fast")


async def test_who_is_banned_does_not_come_back_by_a_passkey_nor_by_another_account(town: Town) -> None:
    (ann, person), (bob, _) = await town.guest("Ann"), await town.guest("Bob")
    hers, his = await town.add_passkey(ann), await town.add_passkey(bob)
    await ban(town, person)
    town.people.forget(person)
    assert await town.refused("POST", "/api/passkeys", await town.answer_of(hers)) == (403, "banned")
    assert await town.refused("POST", "/api/passkeys", await town.answer_of(his), token=ann) == (403, "banned")
    assert len(await town.rows(people)) == 2
