"""Round trips: measured at rest, shown as bars, and where the host wants it, capped."""

from __future__ import annotations

from itertools import pairwise

import pytest

from slamomatic.table.memory import rebuilt
from slamomatic.table.protocol import (
    AddBot,
    CapRoundTrip,
    Level,
    Phase,
    Ready,
    RefusalCode,
    Refused,
    Sit,
    TableChanged,
)
from tests.table.evening import Evening
from tests.table.pages import MS, SECOND, Page

NEAR, FAR = 20 * MS, 200 * MS
"""One way."""


class Line:
    """A line whose way can become another."""

    def __init__(self, way_us: int) -> None:
        self.way_us = way_us

    def __call__(self) -> int:
        return self.way_us


def two(cap_ms: int | None = 300) -> tuple[Evening, Page, Page, Line]:
    """The host, who is near, and Bob, who is far away."""
    evening, line = Evening(), Line(FAR)
    ann = evening.joins(Page(evening, "Ann", down=Line(NEAR), up=Line(NEAR)))
    bob = evening.joins(Page(evening, "Bob", down=line, up=line))
    evening.wait(5 * SECOND)
    ann.says(CapRoundTrip(cap_ms))
    evening.wait(SECOND)
    return evening, ann, bob, line


def is_ready(evening: Evening, seat: int) -> bool:
    return evening.table.table_view(evening.now).seats[seat - 1].ready


def pings(evening: Evening, seat: int, since_us: int) -> list[int]:
    return [
        at_us - since_us for at_us, to, data in evening.sent if to == seat and data == b"ping" and at_us >= since_us
    ]


# Measured.


def test_a_new_connection_is_measured_several_times_at_once_then_now_and_then() -> None:
    evening = Evening()
    ann = evening.joins("Ann")
    begun = evening.now
    evening.wait(120 * SECOND)
    asked = pings(evening, 1, begun)
    gaps = [later - earlier for earlier, later in pairwise(asked)]
    assert asked[0] == 0
    assert all(50 * MS <= gap <= 150 * MS for gap in gaps[:7])
    assert all(2 * SECOND <= gap <= 5 * SECOND for gap in gaps[8:])
    assert len(set(gaps)) > len(gaps) // 2, "at intervals nobody can foresee"
    ann.connects()
    assert len(pings(evening, 1, evening.now)) == 1
    before = evening.now
    evening.wait(SECOND)
    assert len(pings(evening, 1, before)) > 6, "another connection is another path"


def test_everybody_is_told_of_a_round_trip_that_becomes_another_to_the_eye_and_of_no_smaller_change() -> None:
    evening, ann, bob, line = two(None)
    told = len(ann.all(TableChanged))
    line.way_us = FAR - 20 * MS
    evening.wait(120 * SECOND)
    assert len(ann.all(TableChanged)) == told
    line.way_us = NEAR
    evening.wait(120 * SECOND)
    assert len(ann.all(TableChanged)) == told + 1
    assert ann.last(TableChanged).table.seats[bob.seat - 1].rtt_ms == 2 * NEAR // MS


# Capped.


def test_who_is_too_far_away_cannot_be_ready_and_is_told_by_how_much() -> None:
    evening, ann, bob, _ = two()
    assert ann.last(TableChanged).table.rtt_cap_ms == 300
    ann.says(Ready(ready=True))
    bob.says(Ready(ready=True))
    evening.wait(SECOND)
    refused = bob.last(Refused)
    assert refused.code is RefusalCode.TOO_FAR
    assert "400 ms" in refused.text
    assert "300 ms" in refused.text
    assert is_ready(evening, ann.seat)
    assert not is_ready(evening, bob.seat)
    assert evening.phase() is Phase.WAITING


def test_who_is_near_enough_plays_and_bots_do() -> None:
    evening, ann, _, _ = two(500)
    ann.says(AddBot(Level.SHARP))
    for page in list(evening.sockets.values()):
        page.says(Ready(ready=True))
    evening.wait(SECOND)
    assert evening.phase() is Phase.PLAYING


def test_who_is_not_measured_yet_is_asked_to_wait_a_moment() -> None:
    evening, ann, bob, _ = two(500)
    bob.connects()
    bob.says(Ready(ready=True))
    evening.wait(FAR)
    assert evening.table.table_view(evening.now).seats[bob.seat - 1].rtt_ms is None
    evening.wait(FAR)
    assert bob.all(Refused)[-1].code is RefusalCode.TOO_FAR
    assert "measured" in bob.all(Refused)[-1].text
    evening.wait(SECOND)
    bob.says(Ready(ready=True))
    ann.says(Ready(ready=True))
    evening.wait(SECOND)
    assert evening.phase() is Phase.PLAYING


def test_a_cap_set_later_takes_back_who_was_ready() -> None:
    evening, ann, bob, _ = two(None)
    bob.says(Ready(ready=True))
    evening.wait(SECOND)
    assert is_ready(evening, bob.seat)
    ann.says(CapRoundTrip(300))
    evening.wait(SECOND)
    assert not is_ready(evening, bob.seat)
    assert bob.last(Refused).code is RefusalCode.TOO_FAR
    ann.says(CapRoundTrip(None))
    bob.says(Ready(ready=True))
    evening.wait(SECOND)
    assert is_ready(evening, bob.seat)


def test_who_was_ready_and_whose_way_becomes_longer_is_ready_no_more() -> None:
    evening, _, bob, line = two(500)
    bob.says(Ready(ready=True))
    evening.wait(SECOND)
    line.way_us = 400 * MS
    evening.wait(120 * SECOND)
    assert not is_ready(evening, bob.seat)
    assert "800 ms" in bob.last(Refused).text


def test_who_comes_back_ready_is_measured_before_the_game_begins() -> None:
    evening, ann, bob, _ = two(500)
    bob.says(Ready(ready=True))
    evening.wait(SECOND)
    bob.connects()
    ann.says(Ready(ready=True))
    evening.wait(FAR)
    assert evening.phase() is Phase.WAITING
    evening.wait(SECOND)
    assert evening.phase() is Phase.PLAYING


def test_in_mid_game_nothing_changes() -> None:
    evening, ann, bob, line = two(500)
    for page in (ann, bob):
        page.says(Ready(ready=True))
    evening.wait(SECOND)
    assert evening.phase() is Phase.PLAYING
    line.way_us = 700 * MS
    before = len(bob.all(Refused))
    evening.wait(60 * SECOND)
    assert evening.phase() is Phase.PLAYING
    assert len(bob.all(Refused)) == before


@pytest.mark.parametrize("cap_ms", [300, None])
def test_a_cap_is_kept(cap_ms: int | None) -> None:
    evening, ann, _, _ = two(cap_ms)
    assert rebuilt(evening.log).rtt_cap_ms == cap_ms
    evening.restart()
    ann.says(Sit(3))
    assert evening.table.table_view(evening.now).rtt_cap_ms == cap_ms
