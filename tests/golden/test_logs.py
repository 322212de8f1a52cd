"""Logs of all versions, known by heart: each is read, makes the table it was, and its games can be told."""

from __future__ import annotations

from itertools import count, takewhile
from random import Random
from typing import get_args

import pytest

from slamomatic.bots import bot
from slamomatic.game import read, write
from slamomatic.table.log import (
    LOG_VERSION,
    Entry,
    GameBegan,
    GameCalledOff,
    GameMoved,
    Opened,
    SeatTaken,
    decode,
    encode,
)
from slamomatic.table.memory import rebuilt
from slamomatic.table.protocol import Phase, Welcome
from slamomatic.table.records import records
from slamomatic.table.table import Table
from tests.golden.logs import bodies, entries, path
from tests.table.evening import Evening, check_verdicts
from tests.table.pages import SECOND, Page

VERSIONS = range(1, LOG_VERSION + 1)
TICKETS = {1: "Cid's secret ticket", 2: "Cid's new and secret ticket"}


def test_there_is_a_log_of_every_version() -> None:
    assert [*takewhile(lambda version: path(version).is_file(), count(1))] == [*VERSIONS]


def test_in_the_newest_everything_happens_that_a_log_can_tell() -> None:
    assert {type(entry) for entry in entries(LOG_VERSION)} == set(get_args(Entry))


@pytest.mark.parametrize("version", VERSIONS)
def test_a_log_is_read_and_can_be_written_in_todays_version(version: int) -> None:
    log = list(entries(version))
    assert [decode(LOG_VERSION, encode(entry)) for entry in log] == log


def test_what_todays_version_wrote_is_written_so_still() -> None:
    assert [encode(entry) for entry in entries(LOG_VERSION)] == bodies(LOG_VERSION)


@pytest.mark.parametrize("version", VERSIONS)
def test_its_games_are_told_whole(version: int) -> None:
    log = list(entries(version))
    told = list(records(log))
    assert len(told) == sum(isinstance(entry, GameBegan) for entry in log) >= 2
    assert told[0].result is not None
    assert told[-1].result is None, "the last one is still being played"
    moved = [entry for entry in log if isinstance(entry, GameMoved)]
    assert sum(len(record.moves) for record in told) == sum(len(entry.commands) for entry in moved)
    assert sum(entry.race is not None for entry in moved) > 20
    for record in told:
        assert read(write(record)) == record
    check_verdicts(log)


@pytest.mark.parametrize("version", VERSIONS)
def test_its_table_is_what_it_was_and_goes_on(version: int) -> None:
    evening = Evening(entries=entries(version), bots=bot)
    record = rebuilt(entries(version))
    assert record.phase is Phase.PLAYING
    assert evening.table.state == record.state
    assert evening.table.record.seats == record.seats
    for page in (Page(evening, "Bob"), Page(evening, "Cid", ticket=TICKETS[version])):
        page.connects()
        assert page.last(Welcome).view is not None
    evening.until(lambda: evening.phase() is Phase.RESULT, 24 * 3_600 * SECOND)


def test_version_1_knew_no_people_no_times_and_no_ids() -> None:
    log = list(entries(1))
    assert log[0] == Opened("SLAMMED", log[0].edition, log[0].pace, listed=True, quick=False, rated=False)  # type: ignore[union-attr]
    seated = [entry for entry in log if isinstance(entry, SeatTaken)]
    assert {(entry.person, entry.mark) for entry in seated} == {(None, None)}
    assert len({entry.avatar for entry in seated}) == len({entry.name for entry in seated})
    began = [entry for entry in log if isinstance(entry, GameBegan)]
    assert len({entry.game for entry in began}) == len(began) == 2
    assert all(len(entry.game) >= 16 for entry in began)
    assert {entry.at_us for entry in log if isinstance(entry, GameBegan | GameMoved | GameCalledOff)} == {0}


def test_a_clock_nobody_knows_the_time_of_begins_anew() -> None:
    log = list(entries(1))
    now = 2_000_000_000 * SECOND
    table = Table.rebuild(log, now, now - SECOND, Random(1), bot)
    table.connect(now + SECOND, table.people[0])
    assert table.clock_ms(now + SECOND) == 60_000
    assert table.state == rebuilt(log).state, "nothing was done for anybody"
