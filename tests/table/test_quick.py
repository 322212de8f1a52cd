"""A quick match: strangers are ready at once, and bots take the hands that nobody has taken in time."""

from __future__ import annotations

import pytest

from slamomatic.game import CLASSIC, MODERN
from slamomatic.table.log import GameBegan
from slamomatic.table.output import Refusal
from slamomatic.table.protocol import (
    AddBot,
    CapRoundTrip,
    Leave,
    Level,
    LockSeats,
    NameDealer,
    Pace,
    Phase,
    Ready,
    RefusalCode,
    Remove,
    SeatMessage,
    SetEdition,
    SetListed,
    SetPace,
    SetRated,
    TableChanged,
    Welcome,
)
from tests.table.evening import Evening
from tests.table.pages import SECOND

FILL = 20 * SECOND


def match() -> Evening:
    return Evening(edition=MODERN, quick=True)


def begins_after(evening: Evening, us: int) -> None:
    """Not before then, but then."""
    evening.wait(us - 1)
    assert evening.phase() is Phase.WAITING, "too soon"
    evening.wait(1)
    assert evening.phase() is Phase.PLAYING, "too late"


def test_four_who_are_here_begin_at_once() -> None:
    evening = match()
    pages = [evening.joins(name) for name in ("Ann", "Bob", "Cid")]
    evening.wait(5 * SECOND)
    assert evening.phase() is Phase.WAITING
    assert all(seat.ready for seat in pages[0].last(TableChanged).table.seats)
    evening.joins("Dee")
    assert evening.phase() is Phase.PLAYING
    assert not any(sitter.bot for sitter in evening.table.record.seats.values())


def test_bots_take_the_free_hands_when_the_time_is_up() -> None:
    evening = match()
    ann = evening.joins("Ann")
    assert ann.last(Welcome).table.fills_ms == 20_000
    evening.wait(8 * SECOND)
    bob = evening.joins("Bob", 3)
    assert bob.last(Welcome).table.fills_ms == 12_000
    begins_after(evening, 12 * SECOND)
    seats = ann.last(TableChanged).table.seats
    assert [seat.bot for seat in seats] == [None, Level.STEADY, None, Level.STEADY]
    assert len({seat.name for seat in seats}) == 4
    assert ann.last(TableChanged).table.fills_ms is None


def test_who_sits_without_being_here_is_not_waited_for_any_longer() -> None:
    evening = match()
    evening.joins("Ann")
    for name in ("Bob", "Cid", "Dee"):
        evening.sits(name)
    begins_after(evening, FILL)


def test_the_time_stands_while_nobody_is_here() -> None:
    evening = match()
    ann = evening.joins("Ann")
    evening.wait(8 * SECOND)
    ann.loses_connection()
    evening.wait(3_600 * SECOND)
    ann.connects()
    assert ann.last(Welcome).table.fills_ms == 12_000
    begins_after(evening, 12 * SECOND)


def test_at_a_table_nobody_sits_at_any_more_the_time_begins_anew() -> None:
    evening = match()
    ann = evening.joins("Ann")
    evening.wait(8 * SECOND)
    ann.says(Leave())
    evening.wait(60 * SECOND)
    evening.joins("Bob")
    begins_after(evening, FILL)


def test_after_a_restart_too() -> None:
    evening = match()
    evening.joins("Ann")
    evening.wait(8 * SECOND)
    evening.restart()
    begins_after(evening, FILL)


ARRANGED: list[SeatMessage] = [
    SetEdition(CLASSIC),
    SetPace(Pace.UNTIMED),
    SetListed(listed=False),
    CapRoundTrip(50),
    SetRated(rated=True),
    LockSeats(locked=True),
    NameDealer(1),
    AddBot(Level.SHARP),
    Ready(ready=False),
]


@pytest.mark.parametrize("message", ARRANGED, ids=lambda message: type(message).__name__)
def test_nobody_makes_another_table_of_it_before_its_first_game(message: SeatMessage) -> None:
    evening = match()
    ann = evening.joins("Ann")
    before = evening.table.record
    ann.says(message)
    assert ann.refused() is RefusalCode.NOT_NOW
    assert evening.table.record is before
    begins_after(evening, FILL)


def test_but_who_spoils_it_can_be_sent_away() -> None:
    evening = match()
    ann, bob = evening.joins("Ann"), evening.joins("Bob")
    ann.says(Remove(bob.seat))
    assert not bob.connected


def test_after_its_first_game_it_is_a_table_like_any_other() -> None:
    evening = Evening(edition=CLASSIC, quick=True)
    ann = evening.joins("Ann")
    evening.until(lambda: evening.phase() is Phase.RESULT, 2 * 3_600 * SECOND)
    evening.wait(60 * SECOND)
    assert evening.phase() is Phase.RESULT, "it waits for who is here to be ready"
    ann.says(Remove(2), SetPace(Pace.RELAXED), Ready(ready=True))
    assert evening.phase() is Phase.PLAYING
    assert [entry.dealt.seats for entry in evening.log if isinstance(entry, GameBegan)] == [(1, 2, 3, 4), (1, 3, 4)]


def test_it_cannot_be_rated() -> None:
    with pytest.raises(Refusal, match="it cannot be rated"):
        Evening(quick=True, rated=True)


def test_a_table_like_any_other_has_nothing_to_fill() -> None:
    assert Evening().joins("Ann").last(Welcome).table.fills_ms is None
