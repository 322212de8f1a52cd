"""Coming back: with a ticket, with a name, after a tunnel or a restart; what was missed, and what is stale by now."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slamomatic.bots import bot
from slamomatic.game import CLASSIC, MODERN, Draw, Pass
from slamomatic.game.events import CardDrawn
from slamomatic.table.guests import Guest, avatar_of
from slamomatic.table.log import AssistSet, GameBegan, GameMoved, SeatFlagged, TicketRenewed
from slamomatic.table.memory import MOVES_KEPT, Memory
from slamomatic.table.protocol import (
    Act,
    AddBot,
    Assist,
    Leave,
    Level,
    Moved,
    Phase,
    Reach,
    Ready,
    RefusalCode,
    Rename,
    TableChanged,
    Welcome,
)
from slamomatic.table.table import Table
from slamomatic.unit import Flag, Standing
from tests.table.evening import Evening, check_seen, deal_of, evening_of
from tests.table.pages import SECOND, Page
from tests.table.puppets import Puppet, puppets
from tests.table.test_random_evenings import TROUBLES, troubled_evening

TRIO = deal_of(MODERN, {1: "5 5 8 9", 2: "2 3 4 6", 3: "1 7 9 10"}, dealer=3)
PASSING = puppets(Puppet())


def draw_and_pass(evening: Evening, pages: dict[int, Page], turns: int) -> None:
    """So many turns, two moves each."""
    for _ in range(turns):
        seat = evening.table.state.turn
        pages[seat].says(Act(Draw(seat)), Act(Pass(seat)))
        evening.wait(SECOND)


# With a name of one's own.


def test_who_sits_already_has_his_seat_again_with_a_new_ticket() -> None:
    evening, guest = Evening(), Guest("person a")
    ann = evening.joins(Page(evening, "Ann", guest=guest))
    again = evening.joins(Page(evening, "Annie", ticket="another secret ticket", guest=guest))
    assert again.seat == ann.seat == 1
    assert [seat.name for seat in evening.table.table_view(evening.now).seats] == ["Ann"]
    assert evening.table.seat_of(ann.ticket) is None, "the old one opens nothing any more"
    assert evening.table.seat_of(again.ticket) == 1
    assert isinstance(evening.log[-1], TicketRenewed)
    assert "another secret ticket" not in repr(evening.log)


def test_even_in_mid_game_and_at_a_table_that_is_full() -> None:
    evening = Evening()
    people = [evening.joins(Page(evening, name, guest=Guest(name))) for name in ("Ann", "Bob", "Cid", "Dee")]
    for page in people:
        page.says(Ready(ready=True))
    assert evening.phase() is Phase.PLAYING
    again = evening.joins(Page(evening, "Cid", ticket="another secret ticket", guest=Guest("Cid")))
    assert again.seat == 3
    view = again.last(Welcome).view
    assert view is not None
    assert view.viewer == 3


def test_who_has_left_in_mid_game_does_not_have_his_seat_again() -> None:
    evening = Evening()
    people = [evening.joins(Page(evening, name, guest=Guest(name))) for name in ("Ann", "Bob", "Cid")]
    for page in people:
        page.says(Ready(ready=True))
    people[1].says(Leave())
    assert evening.table.rejoin(evening.now, "Bob", "a new and secret ticket") is None
    assert people[0].last(TableChanged).table.seats[1].person is None, "a bot sits there"


def test_a_new_ticket_is_as_good_as_the_log_says() -> None:
    evening = Evening()
    evening.joins(Page(evening, "Ann", guest=Guest("person a")))
    joined = evening.table.rejoin(evening.now, "person a", "a new and secret ticket")
    assert joined is not None
    assert joined[0] == 1
    again = Table.rebuild([*evening.log, *joined[1].log], evening.now, evening.now, evening.rng, bot)
    assert again.seat_of("a new and secret ticket") == 1
    assert again.seat_of("Ann's secret ticket") is None


def test_everyone_has_a_picture_and_people_have_an_id() -> None:
    evening = Evening()
    evening.joins(Page(evening, "Ann", guest=Guest("person a", 7)))
    bob = evening.joins("Bob")
    seats = bob.last(Welcome).table.seats
    assert [(seat.person, seat.avatar) for seat in seats] == [("person a", 7), (None, avatar_of("Bob"))]
    assert avatar_of("Bob") != avatar_of("bob")
    assert 0 <= avatar_of("Bob") < 2**31


def test_leaving_and_coming_back_clears_no_standing() -> None:
    evening, standing = Evening(), Standing()
    evening.joins("Ann")
    bob = evening.joins(Page(evening, "Bob", guest=Guest("person b", standing=standing)))
    assert evening.table.standing_of(bob.seat) is standing
    bob.says(Leave())
    bob = evening.joins(Page(evening, "Rob", guest=Guest("person b", standing=standing)))
    bob.connects()
    assert evening.table.standing_of(bob.seat) is standing
    assert evening.table.standing_of(1) is not standing
    with pytest.raises(LookupError):
        evening.table.standing_of(4)


def test_nor_does_letting_the_table_sleep() -> None:
    evening, standing = Evening(), Standing()
    evening.joins("Ann")
    bob = evening.joins(Page(evening, "Bob", guest=Guest("person b", standing=standing)))
    now = evening.now
    again = Table.rebuild(evening.log, now, now, evening.rng, bot, {"person b": standing})
    again.connect(now, bob.seat)
    assert again.standing_of(bob.seat) is standing
    assert again.standing_of(1) is not standing


# What was missed.


def test_a_page_is_told_the_moves_it_missed_as_it_may_know_them() -> None:
    evening, pages = evening_of(TRIO)
    draw_and_pass(evening, pages, 1)
    pages[2].loses_connection()
    seen = pages[2].seq
    pages[2].connects()
    assert pages[2].last(Welcome).missed == (), "nothing was played meanwhile"
    pages[2].loses_connection()
    evening.wait(SECOND)
    moved = evening.table.memory.moves
    evening.until(lambda: moved.stands_since != seen, 60 * SECOND)
    pages[3].says(Rename(3, "Sid"))
    pages[2].connects()
    missed = pages[2].last(Welcome).missed
    assert missed is not None
    assert [move.seq for move in missed] == [moved.stands_since]
    (drawn,) = missed[0].events
    assert isinstance(drawn, CardDrawn)
    assert drawn.card is not None, "his own card, though a bot drew it for him"
    assert pages[2].last(Welcome).seq > missed[-1].seq, "the new name came after it"
    pages[1].loses_connection()
    pages[1].seq = seen
    pages[1].connects()
    other = pages[1].last(Welcome).missed
    assert other is not None
    assert isinstance(other[0].events[0], CardDrawn)
    assert other[0].events[0].card is None


def test_a_page_that_missed_too_much_takes_the_game_as_it_stands() -> None:
    long = deal_of(MODERN, {1: "5 8 9", 2: "2 3 4 6"}, pile="7 " * 200, dealer=2)
    evening, pages = evening_of(long)
    began = pages[1].seq
    assert began is not None
    draw_and_pass(evening, pages, MOVES_KEPT // 2)
    pages[1].seq = began
    pages[1].connects()
    missed = pages[1].last(Welcome).missed
    assert missed is not None
    assert len(missed) == MOVES_KEPT
    draw_and_pass(evening, pages, 1)
    pages[1].seq = began
    pages[1].connects()
    assert pages[1].last(Welcome).missed is None
    pages[1].seq = missed[1].seq
    pages[1].connects()
    again = pages[1].last(Welcome).missed
    assert again is not None
    assert len(again) == MOVES_KEPT


def test_moves_of_another_game_or_another_table_are_not_told() -> None:
    evening, pages = evening_of(TRIO)
    draw_and_pass(evening, pages, 2)
    began = next(at for at, entry in enumerate(evening.log, 1) if isinstance(entry, GameBegan))
    for since, is_told in ((None, False), (began - 1, False), (began, True), (began + 100, False)):
        pages[1].seq = since
        pages[1].connects()
        assert (pages[1].last(Welcome).missed is not None) == is_told, since
    before = Evening()
    ann = before.joins("Ann")
    ann.connects()
    assert ann.last(Welcome).missed is None, "no game has begun"


def test_what_was_missed_is_told_after_a_restart_too() -> None:
    evening, pages = evening_of(TRIO)
    draw_and_pass(evening, pages, 1)
    seen = pages[2].seq
    pages[2].loses_connection()
    evening.until(lambda: evening.table.memory.moves.stands_since != seen, 60 * SECOND)
    evening.restart()
    pages[2].connects()
    missed = pages[2].last(Welcome).missed
    assert missed is not None
    assert [type(event) for event in missed[0].events] == [CardDrawn]


def test_who_sat_down_after_the_game_is_told_what_a_watcher_is() -> None:
    evening = Evening(edition=CLASSIC)
    ann = evening.joins("Ann")
    ann.says(AddBot(Level.SHARP), Ready(ready=True))
    evening.until(lambda: evening.phase() is Phase.RESULT, 3_600 * SECOND)
    began = ann.story[-MOVES_KEPT // 2]
    ann.says(Leave())
    eve = evening.sits("Eve")
    assert eve.seat == ann.seat
    eve.seq = began
    eve.connects()
    welcome = eve.last(Welcome)
    assert welcome.view is not None
    assert welcome.view.viewer is None
    assert welcome.missed
    for move in welcome.missed:
        for event in move.events:
            check_seen(event, None)


@settings(max_examples=40)
@given(restarts=st.booleans(), **TROUBLES)
def test_whoever_comes_and_goes_knows_every_move_once(
    seed: int, mean_s: float, people: int, bots: int, restarts: bool
) -> None:
    evening, trouble = troubled_evening(seed, mean_s=mean_s, people=people, bots=bots)
    evening.wait(60 * SECOND)
    if restarts:
        evening.restart()
    evening.wait(60 * SECOND)
    memory, moves = Memory(), []
    for entry in evening.log:
        memory.take(entry)
        if isinstance(entry, GameBegan | GameMoved):
            moves.append(memory.told_seq)
    for page in trouble.pages:
        if page.story:
            first, last = page.story[0], page.story[-1]
            assert page.story == [seq for seq in moves if first <= seq <= last]


# What is stale.


def test_what_was_done_is_not_done_twice_though_it_is_said_twice() -> None:
    evening, pages = evening_of(TRIO)
    draw = Act(Draw(1), pages[1].seq)
    pages[1].says(draw)
    assert pages[1].refused() is None
    before = evening.table.record
    pages[1].loses_connection()
    pages[1].connects()
    pages[1].says(draw)
    assert pages[1].refused() is RefusalCode.STALE
    assert evening.table.state == before.state


def test_it_is_stale_too_while_a_hand_is_on_its_way() -> None:
    evening, pages = evening_of(TRIO)
    draw = Act(Draw(1), pages[1].seq)
    pages[1].says(draw)
    evening.wait(SECOND)
    pages[1].says(Reach(), draw)
    assert pages[1].refused() is RefusalCode.STALE


def test_what_happens_around_the_game_makes_nothing_stale() -> None:
    evening, pages = evening_of(TRIO)
    pages[2].says(Rename(2, "Rob"))
    pages[1].says(Act(Draw(1), pages[1].seq))
    assert pages[1].refused() is None
    pages[1].loses_connection()
    pages[2].says(Rename(2, "Bob"))
    pages[1].connects()
    pages[1].says(Act(Pass(1), pages[1].last(Welcome).seq))
    assert pages[1].refused() is None
    assert evening.table.state.turn == 2


def test_what_is_meant_for_a_position_still_to_come_is_refused() -> None:
    _, pages = evening_of(TRIO)
    pages[1].says(Act(Draw(1), 10_000))
    assert pages[1].refused() is RefusalCode.STALE
    pages[1].says(Act(Draw(1)))
    assert pages[1].refused() is None, "and without a position it is meant for whatever stands"


def test_pages_count_nothing_that_is_not_for_them() -> None:
    """How far a table has come says nothing about what the unit thinks of somebody, or of what his hands are like."""
    evening, pages = evening_of(TRIO)
    draw_and_pass(evening, pages, 1)
    before = pages[1].last(Moved).seq
    evening.table.keep(SeatFlagged(1, Flag.HASTE, is_raised=True))
    pages[3].says(Assist(never_short=True))
    pages[2].says(Act(Draw(2)))
    assert any(isinstance(entry, AssistSet) for entry in evening.log)
    assert pages[1].last(Moved).seq == before + 1


# A long log.


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32), at=st.floats(0, 1))
def test_a_table_is_remembered_in_pieces_as_in_one_go(seed: int, at: float) -> None:
    evening, _ = troubled_evening(seed, mean_s=2.0, people=2, bots=2)
    evening.wait(60 * SECOND)
    memory, cut = Memory(), round(at * len(evening.log))
    for entry in evening.log[:cut]:
        memory.take(entry)
    for entry in evening.log[cut:]:
        memory.take(entry)
    now = evening.now
    pieces = Table.remember(memory, now, now, Random(1), bot)
    whole = Table.rebuild(evening.log, now, now, Random(1), bot)
    assert pieces.record == whole.record
    assert pieces.seq == whole.seq
    for seat in pieces.record.seats:
        if pieces.record.seats[seat].bot is None:
            assert pieces.connect(now, seat, cut).sends == whole.connect(now, seat, cut).sends
