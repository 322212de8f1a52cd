"""The messages: closed unions, one tag each, and bounds that hold before a table sees anything."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import get_args

import msgspec
import pytest

from slamomatic.game import CLASSIC
from slamomatic.server.schema import schema
from slamomatic.table.protocol import (
    MAX_MESSAGE_BYTES,
    ClientMessage,
    Hello,
    SeatMessage,
    ServerMessage,
    SetEdition,
    Touch,
)
from slamomatic.table.table import _HANDLERS

READ: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)


def tags(union: object) -> list[str]:
    return [kind.__struct_config__.tag for kind in get_args(union)]


def test_every_message_has_a_tag_of_its_own() -> None:
    for union in (ClientMessage, ServerMessage):
        assert len(set(tags(union))) == len(tags(union))


def test_a_table_knows_what_to_do_with_every_message_of_a_seat() -> None:
    assert set(_HANDLERS) == set(get_args(SeatMessage))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "{}",
        '{"type":"Slam"}',
        '{"type":"Reach"',
        '{"type":"Ready"}',
        '{"type":"Ready","ready":1}',
        '{"type":"Sit","hand":0}',
        '{"type":"Sit","hand":5}',
        '{"type":"Rename","seat":1,"name":""}',
        '{"type":"Rename","seat":1,"name":"' + "x" * 21 + '"}',
        '{"type":"Release","held_us":-1}',
        '{"type":"Shown","cue":"' + "c" * 33 + '","frame_us":0}',
        '{"type":"Shown","cue":"c","frame_us":1.5}',
        '{"type":"Touch","cue":null,"claim_us":60000001}',
        '{"type":"Touch","cue":null,"claim_us":1e400}',
        '{"type":"Act","command":{"type":"Slam","seat":1}}',
        '{"type":"Act","command":{"type":"Fake","seat":1}}',
        '{"type":"Act","command":{"type":"Judge","verdict":{}}}',
        '{"type":"Act","command":{"type":"Lay","seat":1,"pair":[5,13]}}',
        '{"type":"Say","emote":"rude"}',
        '{"type":"Hello","ticket":"short"}',
        '{"type":"Hello","tickets":null}',
    ],
)
def test_what_is_no_message_is_refused_before_a_table_sees_it(text: str) -> None:
    with pytest.raises(msgspec.DecodeError):
        READ.decode(text)


def test_an_edition_that_does_not_fit_together_is_refused_with_the_reason() -> None:
    edition = json.loads(msgspec.json.encode(SetEdition(CLASSIC)))
    edition["edition"]["pile_out"] = "from-opponent"
    with pytest.raises(msgspec.ValidationError, match="nobody could ever draw from an opponent"):
        READ.decode(json.dumps(edition))


def test_no_honest_message_is_near_the_limit_of_its_size() -> None:
    longest = max(
        len(msgspec.json.encode(message))
        for message in (SetEdition(CLASSIC), Touch("c" * 32, -60_000_000), Hello("t" * 64))
    )
    assert longest < MAX_MESSAGE_BYTES / 16


def test_the_schema_names_every_message() -> None:
    definitions = schema()["definitions"]
    assert isinstance(definitions, dict)
    assert set(tags(ClientMessage)) | set(tags(ServerMessage)) <= set(definitions)


def test_the_schema_is_printed_for_the_browsers_types() -> None:
    run = subprocess.run([sys.executable, "-m", "slamomatic.server.schema"], capture_output=True, check=True, text=True)
    assert json.loads(run.stdout) == json.loads(json.dumps(schema()))
