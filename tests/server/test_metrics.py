"""What the server counts: by what tables keep, without a name or a code, and shown only where the host says so."""

from __future__ import annotations

import asyncio
import logging

import pytest

from slamomatic.table.log import SeatFlagged
from slamomatic.table.protocol import Ready, TableChanged
from slamomatic.unit import Flag
from tests.server.guests import House, Serve, play_to_the_end
from tests.server.test_rooms import two_who_play


async def counts(house: House) -> dict[str, float]:
    """Every count by its name and labels."""
    async with house.session.get(house.url("/metrics")) as answer:
        assert answer.status == 200
        assert answer.content_type == "text/plain"
        lines = (await answer.text()).splitlines()
    samples = [line.rsplit(" ", 1) for line in lines if line and not line.startswith("#")]
    return {name: float(value) for name, value in samples if "_created" not in name}


async def test_nobody_is_shown_them_unless_the_host_says_so(house: House) -> None:
    async with house.session.get(house.url("/metrics")) as answer:
        assert answer.status == 404
        assert "--metrics" in await answer.text()


async def test_a_flag_raised_is_counted_and_warned_of_without_a_name(
    serve: Serve, caplog: pytest.LogCaptureFixture
) -> None:
    house = await serve(shows_metrics=True)
    seated = await house.open("Ann")
    ann = await house.sit(seated)
    table = house.room(seated.code).table
    with caplog.at_level(logging.WARNING):
        for entry in (SeatFlagged(1, Flag.HASTE, is_raised=True), SeatFlagged(1, Flag.HASTE, is_raised=False)):
            table.keep(entry)
            await ann.say(Ready(False))
            await ann.hear(TableChanged)
    assert [entry for entry in await house.entries(seated.code) if isinstance(entry, SeatFlagged)]
    assert (await counts(house))['slamomatic_flags_total{flag="haste"}'] == 1
    (warning,) = caplog.records
    assert warning.levelname == "WARNING"
    assert "hand 1" in warning.message
    assert "haste" in warning.message
    for secret in ("Ann", seated.ticket):
        assert secret not in warning.message


async def test_races_are_counted_by_what_the_unit_said_and_nothing_tells_whose_they_were(serve: Serve) -> None:
    house = await serve(shows_metrics=True)
    seated, ann, bob = await two_who_play(house)
    room = house.room(seated.code)
    await asyncio.gather(play_to_the_end(ann, slams=2), play_to_the_end(bob, slams=2))
    told = await counts(house)
    races = sum(value for name, value in told.items() if name.startswith("slamomatic_races_total"))
    kept = [entry for entry in await house.entries(seated.code) if getattr(entry, "race", None) is not None]
    assert races == len(kept) > 0
    text = " ".join(told)
    assert seated.code not in text
    assert "Ann" not in text
    assert room.code not in text
