"""Tokens: what we did not sign opens nothing, and nothing of a person is in what we did."""

from __future__ import annotations

import asyncio

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slamomatic.server.people.tokens import Keyring, new_id
from slamomatic.server.storage import people as rows
from slamomatic.server.storage.database import Database
from slamomatic.server.storage.schema import secrets
from tests.server.people.conftest import Build
from tests.server.people.town import Town

KEYS = Keyring(b"k" * 32)


class Note(msgspec.Struct, frozen=True):
    text: str


class Other(msgspec.Struct, frozen=True):
    text: str


def test_a_token_names_its_device_and_all_are_of_one_length() -> None:
    devices = [new_id() for _ in range(200)]
    assert [KEYS.device_of(KEYS.token(device)) for device in devices] == devices
    assert len({len(KEYS.token(device)) for device in devices}) == 1


def test_an_id_can_be_a_word_of_a_command() -> None:
    assert not any(new_id().startswith("-") for _ in range(1_000))


def test_a_token_of_another_key_opens_nothing() -> None:
    assert KEYS.device_of(Keyring(b"K" * 32).token("device")) is None


@given(st.text(max_size=80))
def test_made_up_tokens_and_tickets_open_nothing(text: str) -> None:
    assert KEYS.device_of(text) is None
    assert KEYS.read_ticket(Note, text) is None


@given(st.data())
def test_a_changed_token_opens_nothing(data: st.DataObject) -> None:
    token = KEYS.token("device")
    at = data.draw(st.integers(0, len(token) - 2))  # the last character has bits that say nothing
    char = data.draw(st.sampled_from("AZaz09-_.").filter(lambda char: char != token[at]))
    assert KEYS.device_of(token[:at] + char + token[at + 1 :]) is None


def test_a_ticket_of_one_kind_is_none_of_another_and_no_token_is_either() -> None:
    ticket = KEYS.ticket(Note("hello"))
    assert KEYS.read_ticket(Note, ticket) == Note("hello")
    assert KEYS.read_ticket(Other, ticket) is None
    assert KEYS.device_of(ticket) is None
    assert KEYS.read_ticket(Note, KEYS.token("device")) is None


def test_a_mark_is_the_same_for_an_address_and_does_not_tell_it() -> None:
    assert KEYS.mark("192.0.2.7") == KEYS.mark("192.0.2.7") != KEYS.mark("192.0.2.8")
    assert KEYS.mark("192.0.2.7") != Keyring(b"K" * 32).mark("192.0.2.7")
    assert "192.0.2.7" not in KEYS.mark("192.0.2.7")


async def test_servers_that_start_at_once_make_one_key(store_url: str) -> None:
    first = await Database.open(store_url)
    second = await Database.open(store_url)
    rings = await asyncio.gather(*(Keyring.open(one) for one in (first, second, first, second)))
    assert len({ring.token("device") for ring in rings}) == 1
    async with first.read() as connection:
        assert len((await connection.execute(secrets.select())).all()) == 1
    await first.close()
    await second.close()


async def test_a_token_of_one_server_opens_the_other(build: Build) -> None:
    here, there = await build(), await build()
    token, person = await here.guest()
    assert (await there.fine("GET", "/api/me", token=token))["id"] == person


async def test_many_calls_with_one_token_cost_one_look_into_the_database(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, person = await town.guest()
    looks = 0
    look = rows.person_at

    async def counted(*arguments: object) -> object:
        nonlocal looks
        looks += 1
        return await look(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(rows, "person_at", counted)
    for _ in range(20):
        await town.fine("GET", "/api/me", token=token)
    assert looks == 1
    town.people.forget(person)
    await town.fine("GET", "/api/me", token=token)
    assert looks == 2
