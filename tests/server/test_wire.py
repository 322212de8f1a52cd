import json
from contextlib import suppress

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slamomatic.game import CLASSIC
from slamomatic.server import wire
from slamomatic.table.output import Refusal
from slamomatic.table.protocol import RefusalCode


def unfit() -> bytes:
    edition = json.loads(msgspec.json.encode(CLASSIC)) | {"free_fakes": 99}
    return json.dumps({"type": "SetEdition", "edition": edition}).encode()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "truncated"),
        (b"{", "truncated"),
        (b"[]", "object"),
        (b'{"type":"Nope"}', "Nope"),
        (b'{"type":"Sit","hand":5}', "<= 4"),
        (b'{"type":"Sit","hand":' + b"9" * 5000 + b"}", "range"),
        (b'{"type":"\xff"}', "UTF-8"),
        (b'{"type":"Ready","ready":true,"x":' + b"[" * 9000, "deep"),
        (b'{"type":"' + b"x" * 9000 + b'"}', "Invalid value"),
    ],
)
def test_a_bad_message_is_refused_with_its_reason_in_short(data: bytes, reason: str) -> None:
    with pytest.raises(Refusal, match=reason) as refused:
        wire.read_message(data)
    assert refused.value.code is RefusalCode.BAD_MESSAGE
    assert len(refused.value.text) <= wire.MAX_REASON


def test_rulings_that_do_not_fit_are_refused_as_such() -> None:
    with pytest.raises(Refusal, match="free_fakes is 99") as refused:
        wire.read_message(unfit())
    assert refused.value.code is RefusalCode.UNFIT_EDITION
    assert refused.value.text == "free_fakes is 99: it goes from 0 to 20"


def test_a_refused_hello_does_not_repeat_its_ticket() -> None:
    for hello in (b'{"type":"Hello","ticket":"s3cret"}', b'{"type":"Hello","ticket":"s3cret-s3cret-s3cret","x":1}'):
        with pytest.raises(Refusal) as refused:
            wire.read_message(hello)
        assert "s3cret" not in refused.value.text


@given(st.binary(max_size=200))
def test_whatever_bytes_arrive_reading_them_gives_a_message_or_a_refusal(data: bytes) -> None:
    for read in (wire.read_message, wire.read_open_table, wire.read_join_table):
        with suppress(Refusal):
            read(data)
