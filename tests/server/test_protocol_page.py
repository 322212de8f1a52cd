"""``docs/protocol.md`` says what is so: every example is read by the server's own types, and its bot plays a game."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from asyncio.subprocess import PIPE
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from slamomatic.server import calls as people_calls
from slamomatic.table import calls, protocol
from slamomatic.table.protocol import ByeReason, ClientMessage, Ready, RefusalCode, ServerMessage, TableView
from slamomatic.unit import Doubt, Flag, Jam
from tests.server.guests import House, play_to_the_end

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text()
FENCE = re.compile(r"^```json (\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
STAND_INS = {"Edition": "EDITION", "TableView": "TABLE", "View": "VIEW", "RaceView": "RACE"}


def examples() -> list[tuple[str, Any]]:
    """Every example: what it is of, and its JSON with the stand-ins put in."""
    objects: dict[str, str] = {}
    found: list[tuple[str, Any]] = []
    for kind, text in FENCE.findall(PAGE):
        whole = reduce(lambda told, name: told.replace(name, objects[name]), objects, text)
        if kind in STAND_INS:
            objects[STAND_INS[kind]] = whole
        found += ((kind, value) for value in values_in(whole))
    return found


def values_in(text: str) -> Iterator[Any]:
    """JSON values, one after the other."""
    decoder, at = json.JSONDecoder(), 0
    while at < len(text):
        value, at = decoder.raw_decode(text, at)
        yield value
        at += len(text[at:]) - len(text[at:].lstrip())


def type_of(kind: str) -> Any:
    match kind:
        case "server":
            return ServerMessage
        case "client":
            return ClientMessage
        case _:
            return next(vars(room)[kind] for room in (protocol, calls, people_calls) if kind in vars(room))


@pytest.mark.parametrize(("kind", "value"), examples())
def test_an_example_is_what_it_says(kind: str, value: Any) -> None:
    understood = msgspec.convert(value, type_of(kind))
    written = json.loads(msgspec.json.encode(understood))
    for name, part in value.items():
        assert written[name] == part, "nothing in an example is passed over"


@pytest.mark.parametrize(("kind", "union"), [("client", ClientMessage), ("server", ServerMessage)])
def test_every_message_has_an_example(kind: str, union: Any) -> None:
    shown = {value["type"] for of, value in examples() if of == kind}
    assert shown == {message.__name__ for message in get_args(union)}


def test_every_way_to_be_refused_is_explained() -> None:
    for word in (*RefusalCode, *ByeReason):
        assert f"`{word.value}`" in PAGE.split("## What can go wrong")[1], word


def test_every_word_of_the_unit_is_explained() -> None:
    for word in (*Doubt, *Flag, *Jam):
        assert f"`{word.value}`" in PAGE, word


async def test_the_bot_of_the_page_plays_a_game(house: House, tmp_path: Path) -> None:
    (source,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    script = tmp_path / "bot.py"
    script.write_text(source)
    seated = await house.open("Ann")
    ann = await house.sit(seated)
    bot = await asyncio.create_subprocess_exec(
        sys.executable, str(script), house.url("/"), seated.code, stdout=PIPE, stderr=PIPE
    )
    await ann.hear_table(_two_are_here)
    await ann.say(Ready(True))
    async with asyncio.timeout(120):
        view = await play_to_the_end(ann, slams=1)
        told, complaints = await bot.communicate()
    assert complaints == b""
    assert told.decode().splitlines() == [f"hand {count.seat}: {count.total}" for count in view.scores]
    played = await house.entries(seated.code)
    pairs = [event for entry in played for event in getattr(entry, "events", ()) if type(event).__name__ == "PairLaid"]
    assert {event.seat for event in pairs} >= {2}, "the bot laid a pair"


def _two_are_here(table: TableView) -> bool:
    return [seat.presence.value for seat in table.seats] == ["here", "here"]
