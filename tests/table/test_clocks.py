"""Clocks, absence and sleep: nobody waits for ever, and nobody can make others wait by looking away (B17, B18)."""

from __future__ import annotations

import pytest

from slamomatic.game import CLASSIC, MODERN, Choose, Command, Draw, Judge, Lay, Pass, Slam, Take
from slamomatic.game.events import CardDrawn, CardTaken, Dealt
from slamomatic.table.log import GameMoved
from slamomatic.table.protocol import Act, Cue, CueKind, Land, Level, Moved, Pace, RefusalCode, Shown, Welcome, Withdraw
from tests.table.evening import Evening, Scene, deal_of, evening_of
from tests.table.pages import MS, SECOND, Page
from tests.table.puppets import Puppet, puppets, slams

CLOCK = {Pace.NORMAL: 20 * SECOND, Pace.RELAXED: 60 * SECOND}
GRACE = {Pace.NORMAL: 6 * SECOND, Pace.RELAXED: 20 * SECOND, Pace.UNTIMED: 60 * SECOND}
THOUGHT = SECOND
"""How long a puppet thinks."""

PAIR = deal_of(MODERN, {1: "5 5 8 8", 2: "2 3 4 6"}, dealer=2)
TRIO = deal_of(CLASSIC, {1: "5 5 8 smiling", 2: "2 3 4 6", 3: "1 7 9 10"}, dealer=3)
PILE_OUT = deal_of(MODERN, {1: "1 5 8", 2: "2 3", 3: "4 6 7 9"}, pile="", dealer=3)


def scene(dealt: Dealt, pace: Pace = Pace.NORMAL, puppet: Puppet | None = None) -> Scene:
    return evening_of(dealt, maker=puppets(puppet or Puppet()), pace=pace)


def moves(evening: Evening) -> list[Command]:
    """Every command played, the unit's left out."""
    played = (entry.commands for entry in evening.log if isinstance(entry, GameMoved))
    return [command for commands in played for command in commands if not isinstance(command, Judge)]


def first_move_comes(evening: Evening, after_us: int) -> Command:
    """Nothing is played until then, and something is by then."""
    before = len(moves(evening))
    evening.wait(after_us - 1)
    assert len(moves(evening)) == before, "too soon"
    evening.wait(1)
    assert len(moves(evening)) == before + 1, "too late"
    return moves(evening)[-1]


def slam_all_touch(evening: Evening, pages: dict[int, Page], *silent: int) -> None:
    """Hand 1 slams, and everyone but these follows."""
    evening.wait(SECOND)
    pages[1].slams()
    evening.wait(300 * MS)
    for seat, page in pages.items():
        if seat != 1 and seat not in silent:
            page.touches()
            evening.wait(20 * MS)
    evening.wait(3 * SECOND)


# Clocks.


@pytest.mark.parametrize("pace", CLOCK)
def test_b18_who_does_not_draw_has_it_done_for_him(pace: Pace) -> None:
    evening, _ = scene(PAIR, pace)
    assert first_move_comes(evening, CLOCK[pace]) == Draw(1)


@pytest.mark.parametrize("pace", CLOCK)
def test_b18_who_does_nothing_passes(pace: Pace) -> None:
    evening, pages = scene(PAIR, pace)
    pages[1].says(Act(Draw(1)))
    assert first_move_comes(evening, CLOCK[pace]) == Pass(1)


def test_b18_who_does_not_draw_from_an_opponent_takes_from_the_fullest() -> None:
    evening, _ = scene(PILE_OUT)
    taken = first_move_comes(evening, CLOCK[Pace.NORMAL])
    assert isinstance(taken, Take)
    assert taken.loser == 3


def test_b18_who_does_not_lay_lays_the_dearest_natural_pair_and_takes_at_random() -> None:
    evening, pages = scene(TRIO)
    pages[1].says(Act(Draw(1)))
    slam_all_touch(evening, pages)
    evening.until(lambda: len(moves(evening)) == 3, CLOCK[Pace.NORMAL])
    assert moves(evening)[-1] == Lay(1, (5, 5))  # type: ignore[arg-type]
    taken = first_move_comes(evening, CLOCK[Pace.NORMAL])
    assert isinstance(taken, Take)
    assert taken.loser == 3


def test_b18_who_does_not_choose_among_the_silent_has_one_chosen() -> None:
    evening, pages = scene(TRIO)
    pages[1].says(Act(Draw(1)))
    slam_all_touch(evening, pages, 2, 3)
    pages[1].says(Act(Lay(1, (5, 5))))  # type: ignore[arg-type]
    assert isinstance(first_move_comes(evening, CLOCK[Pace.NORMAL]), Choose)


def test_b18_m11_who_may_not_pass_slams() -> None:
    evening, pages = scene(deal_of(MODERN, {1: "5 5 8 8", 2: "2 3 4 6"}, pile="7", dealer=2))
    pages[1].says(Act(Draw(1)))
    evening.wait(CLOCK[Pace.NORMAL])
    assert pages[2].last(Cue).kind is CueKind.REACH
    evening.wait(220 * MS)
    assert pages[2].last(Cue).kind is CueKind.CONTACT, "and as any slam it comes after a reach"
    evening.wait(3 * SECOND)
    assert moves(evening)[-1] == Slam(1)


def test_b18_m11_and_what_a_bot_meant_to_do_for_him_is_forgotten() -> None:
    evening, pages = scene(deal_of(MODERN, {1: "5 5 8 8", 2: "2 3 4 6"}, pile="7", dealer=2), puppet=Puppet(does=slams))
    pages[1].says(Act(Draw(1)))
    evening.wait(15 * SECOND)
    pages[1].hides()  # the bot would reach at 22 s, in the middle of the race that the clock begins at 20 s
    evening.wait(8 * SECOND)
    assert moves(evening) == [Draw(1), Slam(1)]


def test_b18_untimed_nobody_who_is_here_is_hurried() -> None:
    evening, pages = scene(PAIR, Pace.UNTIMED)
    assert pages[1].last(Welcome).clock_ms is None
    evening.wait(3_600 * SECOND)
    assert moves(evening) == []


def test_b18_the_clock_is_told_and_begins_anew_with_every_choice() -> None:
    evening, pages = scene(PAIR)
    evening.wait(5 * SECOND)
    pages[2].connects()
    assert pages[2].last(Welcome).clock_ms == 15_000
    pages[1].says(Act(Draw(1)))
    assert pages[2].last(Moved).clock_ms == 20_000


def test_b18_refused_words_buy_no_time() -> None:
    evening, pages = scene(PAIR)
    evening.wait(10 * SECOND)
    pages[1].says(Act(Pass(1)))
    assert first_move_comes(evening, 10 * SECOND) == Draw(1)


# Away.


@pytest.mark.parametrize("pace", GRACE)
def test_b17_the_turn_of_who_is_away_waits_a_while_then_a_bot_moves(pace: Pace) -> None:
    evening, pages = scene(PAIR, pace)
    pages[1].hides()
    assert first_move_comes(evening, GRACE[pace] + THOUGHT) == Draw(1)
    assert first_move_comes(evening, THOUGHT) == Pass(1), "the grace is given once"


def test_b17_a_lost_connection_is_away_like_a_hidden_page() -> None:
    evening, pages = scene(PAIR)
    pages[1].loses_connection()
    assert first_move_comes(evening, GRACE[Pace.NORMAL] + THOUGHT) == Draw(1)


def test_b17_who_comes_back_acts_for_himself() -> None:
    evening, pages = scene(PAIR)
    pages[1].hides()
    evening.wait(GRACE[Pace.NORMAL] + THOUGHT - 1)
    pages[1].returns()
    evening.wait(5 * SECOND)
    assert moves(evening) == []
    pages[1].says(Act(Draw(1)))
    assert moves(evening) == [Draw(1)]


def test_b17_in_races_a_bot_stands_in_at_once() -> None:
    evening, pages = scene(PAIR, puppet=Puppet(react_ms=250))
    pages[1].says(Act(Draw(1)))
    evening.wait(SECOND)
    pages[2].hides()
    pages[1].slams()
    evening.wait(SECOND)
    race = pages[1].last(Moved).race
    assert race is not None
    assert [mark.time_us for mark in race.marks] == [250 * MS]


def test_b17_who_hides_has_no_second_hand_beside_the_bots() -> None:
    evening, pages = scene(PAIR, puppet=Puppet(react_ms=350))
    pages[1].says(Act(Draw(1)))
    evening.wait(SECOND)
    pages[2].hides()
    pages[1].slams()
    evening.wait(220 * MS)
    pages[2].cue = pages[2].last(Cue)  # a hidden page draws nothing, but a program may read what it was sent
    evening.wait(100 * MS)
    pages[2].says(Shown(pages[2].last(Cue).cue, 0, 0))
    assert pages[2].refused() is None, "a frame that was under way is no attempt at anything"
    pages[2].touches()
    assert pages[2].refused() is RefusalCode.NOT_NOW
    pages[2].returns()
    pages[2].touches()
    evening.wait(SECOND)
    race = pages[1].last(Moved).race
    assert race is not None
    assert [mark.time_us for mark in race.marks] == [350 * MS]


def test_b17_who_is_back_before_the_contact_races_himself() -> None:
    evening, pages = scene(PAIR, puppet=Puppet(jump_ms=210, react_ms=350))
    pages[1].says(Act(Draw(1)))
    evening.wait(SECOND)
    pages[2].hides()
    pages[1].slams()
    evening.wait(200 * MS)
    pages[2].returns()
    evening.wait(120 * MS)
    pages[2].cue = pages[2].last(Cue)
    pages[2].touches()
    evening.wait(SECOND)
    race = pages[1].last(Moved).race
    assert race is not None
    assert race.verdict.early == (), "the touch the bot was about to make is held back"
    assert [mark.time_us is not None and mark.time_us < 350 * MS for mark in race.marks] == [True]


def test_b17_who_goes_silent_in_a_race_is_last() -> None:
    evening, pages = scene(TRIO)
    pages[1].says(Act(Draw(1)))
    evening.wait(SECOND)
    pages[1].slams()
    evening.wait(300 * MS)
    pages[2].loses_connection()
    pages[3].touches()
    evening.wait(3 * SECOND)
    race = pages[1].last(Moved).race
    assert race is not None
    assert race.verdict.last == (2,)


def test_b17_a_bot_that_reaches_for_who_comes_back_goes_through_with_it() -> None:
    evening, pages = evening_of(PAIR, maker=puppets(Puppet(does=slams, hover_us=400 * MS)))
    pages[1].says(Act(Draw(1)))
    pages[1].hides()
    evening.until(lambda: evening.table.reach is not None)
    pages[1].returns()
    evening.wait(619 * MS)
    assert pages[2].last(Cue).kind is CueKind.REACH
    evening.wait(2 * MS)
    assert pages[2].last(Cue).kind is CueKind.CONTACT


@pytest.mark.parametrize(("end", "kind"), [(Land(), CueKind.CONTACT), (Withdraw(), CueKind.WITHDRAW)])
def test_b17_but_he_may_take_the_hand_over(end: Land | Withdraw, kind: CueKind) -> None:
    evening, pages = evening_of(PAIR, maker=puppets(Puppet(does=slams, hover_us=200 * MS)))
    pages[1].says(Act(Draw(1)))
    pages[1].hides()
    evening.until(lambda: evening.table.reach is not None)
    pages[1].returns()
    pages[1].says(end)
    evening.wait(220 * MS)
    assert pages[2].last(Cue).kind is kind
    evening.wait(2 * SECOND)
    assert pages[1].refused() is None, "nobody hears of what the bot would have done"


# Sleep.


def test_a_table_without_a_person_in_sight_sleeps_and_goes_on_where_it_was() -> None:
    evening, pages = evening_of(PAIR, bots={2: Level.SHARP})
    evening.wait(8 * SECOND)
    pages[1].loses_connection()
    evening.wait(3_600 * SECOND)
    assert moves(evening) == []
    pages[1].connects()
    assert pages[1].last(Welcome).clock_ms == 12_000
    assert first_move_comes(evening, 12 * SECOND) == Draw(1)


def test_a_table_that_sleeps_is_woken_for_nothing() -> None:
    evening, pages = evening_of(PAIR, bots={2: Level.SHARP})
    pages[1].loses_connection()
    assert evening.table.tick(evening.now).wake_us is None


def test_a_reach_under_way_is_seen_to_its_verdict_though_nobody_looks() -> None:
    evening, pages = evening_of(PAIR, bots={2: Level.SHARP})
    pages[1].says(Act(Draw(1)))
    evening.wait(SECOND)
    pages[1].slams()
    pages[1].loses_connection()
    evening.wait(10 * SECOND)
    assert moves(evening)[-1] == Slam(1)
    evening.wait(60 * SECOND)
    pages[1].connects()
    assert pages[1].last(Welcome).clock_ms == 20_000, "the clock of what follows begins when somebody looks"


def test_looking_away_buys_no_time() -> None:
    evening, pages = scene(PAIR)
    for _ in range(19):
        evening.wait(500 * MS)
        pages[1].hides()
        evening.wait(500 * MS)
        pages[1].returns()
    assert first_move_comes(evening, SECOND) == Draw(1)


def test_another_who_looks_away_buys_no_time_for_who_is_away() -> None:
    evening, pages = scene(PAIR)
    pages[1].hides()
    for _ in range(3):
        evening.wait(SECOND)
        pages[2].hides()
        pages[2].returns()
    assert first_move_comes(evening, GRACE[Pace.NORMAL] + THOUGHT - 3 * SECOND) == Draw(1)


def test_opening_the_page_anew_buys_no_time() -> None:
    evening, pages = evening_of(PAIR, bots={2: Level.SHARP})
    for _ in range(19):
        evening.wait(SECOND)
        pages[1].connects()
    assert first_move_comes(evening, SECOND) == Draw(1)


# Events a default act leads to are told like any other.


def test_what_was_done_for_somebody_is_told_to_everybody() -> None:
    evening, pages = scene(PAIR)
    evening.wait(20 * SECOND)
    (mine,) = pages[1].last(Moved).events
    (theirs,) = pages[2].last(Moved).events
    assert isinstance(mine, CardDrawn)
    assert isinstance(theirs, CardDrawn)
    assert mine.card is not None
    assert theirs.card is None
    assert not any(isinstance(event, CardTaken) for event in pages[2].last(Moved).events)
