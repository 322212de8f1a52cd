"""Calling a game off: possible while somebody is gone, and never without those who are left."""

from __future__ import annotations

import pytest

from slamomatic.game import MODERN, Draw
from slamomatic.table.log import GameCalledOff
from slamomatic.table.protocol import (
    Act,
    CalledOff,
    Leave,
    Level,
    Moved,
    Pace,
    Phase,
    Ready,
    RefusalCode,
    TableChanged,
    VoteEnd,
    Welcome,
)
from tests.table.evening import GAME, Evening, deal_of, evening_of
from tests.table.pages import MS, SECOND, Page

TRIO = deal_of(MODERN, {1: "5 5 8 9", 2: "2 3 4 6", 3: "1 7 9 10"}, dealer=3)
GONE = {Pace.NORMAL: 26 * SECOND, Pace.RELAXED: 40 * SECOND, Pace.UNTIMED: 80 * SECOND}
FOR = VoteEnd(end=True)


def votes(page: Page) -> tuple[int, ...] | None:
    return page.last(TableChanged).table.end_votes


@pytest.mark.parametrize("pace", Pace)
@pytest.mark.parametrize("goes", [Page.hides, Page.loses_connection])
def test_who_is_away_is_gone_after_a_while(pace: Pace, goes: object) -> None:
    evening, pages = evening_of(TRIO, pace=pace)
    evening.wait(SECOND)
    assert callable(goes)
    goes(pages[2])
    evening.wait(GONE[pace] - 1)
    assert votes(pages[1]) is None
    pages[1].says(FOR)
    assert pages[1].refused() is RefusalCode.NOT_NOW
    evening.wait(1)
    assert votes(pages[1]) == ()


def test_when_all_who_are_left_want_it_the_game_is_over_without_a_count() -> None:
    evening, pages = evening_of(TRIO)
    evening.watch()
    pages[2].loses_connection()
    evening.wait(GONE[Pace.NORMAL])
    pages[3].says(FOR)
    assert votes(pages[1]) == (3,)
    assert evening.phase() is Phase.PLAYING
    pages[1].says(FOR)
    assert evening.phase() is Phase.WAITING
    assert evening.log[-1] == GameCalledOff(evening.now, (2,))
    for page in (pages[1], pages[3]):
        assert page.all(CalledOff)
        table = page.last(TableChanged).table
        assert (table.end_votes, table.last_game, table.phase) == (None, GAME, Phase.WAITING)
    assert CalledOff() in evening.watched()
    pages[2].connects()
    assert pages[2].last(Welcome).view is None
    assert [seat.wins for seat in pages[2].last(Welcome).table.seats] == [0, 0, 0]


def test_a_vote_can_be_taken_back() -> None:
    evening, pages = evening_of(TRIO)
    pages[2].loses_connection()
    evening.wait(GONE[Pace.NORMAL])
    pages[3].says(FOR, VoteEnd(end=False))
    assert votes(pages[1]) == ()
    pages[1].says(FOR)
    assert evening.phase() is Phase.PLAYING


def test_once_all_are_back_there_is_nothing_to_vote_about() -> None:
    evening, pages = evening_of(TRIO)
    pages[2].hides()
    evening.wait(GONE[Pace.NORMAL])
    pages[1].says(FOR)
    pages[2].returns()
    assert votes(pages[1]) is None
    pages[3].says(FOR)
    assert pages[3].refused() is RefusalCode.NOT_NOW
    pages[2].hides()
    evening.wait(GONE[Pace.NORMAL])
    assert votes(pages[1]) == (), "and what was wanted then is forgotten"


def test_who_has_left_is_gone_at_once() -> None:
    evening, pages = evening_of(TRIO)
    pages[2].says(Leave())
    assert votes(pages[1]) == ()
    pages[1].says(FOR)
    pages[3].says(FOR)
    assert evening.log[-1] == GameCalledOff(evening.now, (2,))
    assert evening.phase() is Phase.WAITING


def test_nobody_is_outvoted_because_his_line_broke_a_moment_ago() -> None:
    evening, pages = evening_of(TRIO)
    pages[2].says(Leave())
    pages[3].loses_connection()
    pages[1].says(FOR)
    evening.wait(GONE[Pace.NORMAL] - 1)
    assert evening.phase() is Phase.PLAYING
    evening.wait(1)
    assert evening.log[-1] == GameCalledOff(evening.now, (2, 3)), "but once he is gone too the others decide"


def test_when_the_last_who_was_against_it_leaves_it_is_over() -> None:
    evening, pages = evening_of(TRIO)
    pages[2].says(Leave())
    pages[1].says(FOR)
    pages[3].says(Leave())
    assert evening.phase() is Phase.WAITING


def test_time_in_which_nobody_played_does_not_count() -> None:
    evening, pages = evening_of(TRIO)
    evening.restart()
    for page in pages.values():
        page.loses_connection()
    evening.wait(3_600 * SECOND)
    pages[1].connects()
    pages[1].says(FOR)
    assert pages[1].refused() is RefusalCode.NOT_NOW
    evening.wait(GONE[Pace.NORMAL])
    pages[1].says(FOR)
    assert evening.log[-1] == GameCalledOff(evening.now, (2, 3))


def test_while_a_hand_is_on_the_unit_the_verdict_comes_first() -> None:
    evening, pages = evening_of(TRIO)
    pages[2].says(Leave())
    pages[1].says(Act(Draw(1)))
    evening.wait(SECOND)
    pages[1].slams()
    evening.wait(300 * MS)
    pages[1].says(FOR)
    pages[3].says(FOR)
    assert evening.phase() is Phase.PLAYING
    evening.wait(3 * SECOND)
    assert evening.phase() is Phase.WAITING
    assert pages[1].last(Moved).race is not None


def test_a_game_that_ended_by_itself_is_not_called_off() -> None:
    evening = Evening()
    ann, bob = evening.joins("Ann"), evening.joins("Bob")
    for page in (ann, bob):
        page.says(Ready(ready=True))
    bob.says(Leave())
    evening.until(lambda: evening.phase() is Phase.RESULT, 3_600 * SECOND)
    assert votes(ann) is None
    ann.says(FOR)
    assert ann.refused() is RefusalCode.NOT_NOW


def test_between_games_and_while_all_are_here_there_is_no_vote() -> None:
    _, pages = evening_of(TRIO, bots={3: Level.SHARP})
    pages[1].says(FOR)
    assert pages[1].refused() is RefusalCode.NOT_NOW
    before = Evening()
    ann = before.joins("Ann")
    ann.says(FOR)
    assert ann.refused() is RefusalCode.NOT_NOW


def test_after_it_the_next_game_is_begun_as_ever() -> None:
    evening, pages = evening_of(TRIO)
    pages[2].says(Leave())
    pages[1].says(FOR)
    pages[3].says(FOR)
    evening.restart()
    evening.wait(60 * SECOND)
    assert evening.phase() is Phase.WAITING
    for page in (pages[1], pages[3]):
        page.says(Ready(ready=True))
    assert evening.phase() is Phase.PLAYING
    assert evening.table.record.game_number == 2
    assert votes(pages[1]) is None, "the bot that played on for somebody is a bot now"
