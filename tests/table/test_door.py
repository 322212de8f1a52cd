"""Who may sit down: bans, locks, and what whoever runs the server can do about people."""

from __future__ import annotations

from functools import partial

import pytest

from slamomatic.bots import bot
from slamomatic.table.guests import Guest
from slamomatic.table.log import PersonBanned, SeatHandedOver
from slamomatic.table.output import Refusal
from slamomatic.table.protocol import (
    AddBot,
    Ban,
    Bye,
    ByeReason,
    Leave,
    Level,
    LockSeats,
    Phase,
    Ready,
    RefusalCode,
    Remove,
    TableChanged,
)
from slamomatic.table.table import Table
from tests.table.evening import Evening
from tests.table.pages import SECOND, Page

READY = Ready(ready=True)


def guest(evening: Evening, name: str, *, person: str | None = None, home: str | None = None) -> Page:
    """Somebody this server knows, from a home of his own if no other is named; his ticket is new each time."""
    ticket = f"{name}'s ticket, number {len(evening.log)}"
    return Page(evening, name, ticket=ticket, guest=Guest(person or name, None, None, home or f"home of {name}"))


def party(*names: str) -> tuple[Evening, list[Page]]:
    evening = Evening()
    return evening, [evening.joins(guest(evening, name)) for name in names]


def refused(evening: Evening, page: Page) -> RefusalCode:
    """Why this one may not sit down; and nothing has come of it."""
    before = evening.table.record
    with pytest.raises(Refusal) as refusal:
        evening.sits(page)
    assert evening.table.record is before
    return refusal.value.code


def test_who_is_banned_goes_and_does_not_sit_down_again_under_any_name() -> None:
    evening, (ann, bob) = party("Ann", "Bob")
    ann.says(Ban(bob.seat))
    assert bob.last(Bye).reason is ByeReason.BANNED
    assert list(evening.table.record.seats) == [ann.seat]
    for again in (
        guest(evening, "Bob"),
        guest(evening, "Rob", person="Bob", home="an inn"),
        guest(evening, "Eve", home="home of Bob"),
        Page(evening, "Eve", guest=Guest(mark="home of Bob")),
    ):
        assert refused(evening, again) is RefusalCode.BANNED
    assert evening.joins(guest(evening, "Cid")).seat == 2
    evening.restart()
    assert refused(evening, guest(evening, "Bob")) is RefusalCode.BANNED, "a restart forgives nobody"


def test_those_he_shares_a_home_with_may_stay_and_come() -> None:
    evening, (ann, bob) = party("Ann", "Bob")
    cid = evening.joins(guest(evening, "Cid", home="home of Bob"))
    ann.says(Ban(bob.seat))
    assert evening.log[-2] == PersonBanned("Bob", None)
    assert cid.connected
    assert refused(evening, guest(evening, "Rob", person="Bob")) is RefusalCode.BANNED
    assert evening.joins(guest(evening, "Dee", home="home of Bob")).seat == 2


def test_a_stranger_is_banned_by_where_he_comes_from() -> None:
    evening, (ann,) = party("Ann")
    bob = evening.joins(Page(evening, "Bob", guest=Guest(mark="an inn")))
    ann.says(Ban(bob.seat))
    assert refused(evening, Page(evening, "Eve", guest=Guest(mark="an inn"))) is RefusalCode.BANNED
    cid = evening.joins("Cid")
    ann.says(Ban(cid.seat))
    assert cid.last(Bye).reason is ByeReason.BANNED
    assert evening.joins("Dee").seat, "nothing is known of him that could be banned"


def test_in_mid_game_a_bot_plays_on_for_who_is_banned() -> None:
    evening, (ann, bob, cid) = party("Ann", "Bob", "Cid")
    for page in (ann, bob, cid):
        page.says(READY)
    ann.says(Ban(bob.seat))
    assert SeatHandedOver(2, Level.STEADY) in evening.log
    assert evening.phase() is Phase.PLAYING
    assert evening.table.seat_of(bob.ticket) is None


def test_only_the_host_bans_and_only_others_who_are_people() -> None:
    evening, (ann, bob) = party("Ann", "Bob")
    bob.says(Ban(ann.seat))
    assert bob.refused() is RefusalCode.NOT_HOST
    ann.says(Ban(ann.seat))
    assert ann.refused() is RefusalCode.NOT_NOW
    ann.says(Ban(4))
    assert ann.refused() is RefusalCode.NO_SEAT
    ann.says(AddBot(Level.GENTLE, 4), Ban(4))
    assert ann.refused() is RefusalCode.NOT_NOW
    assert len(evening.table.record.seats) == 3


def test_a_locked_table_lets_nobody_more_sit_down_but_everybody_back() -> None:
    evening, (ann, bob) = party("Ann", "Bob")
    bob.says(LockSeats(locked=True))
    assert bob.refused() is RefusalCode.NOT_HOST
    ann.says(LockSeats(locked=True))
    assert bob.last(TableChanged).table.locked
    assert evening.table.row().free == 0, "in a list it is to be watched"
    assert refused(evening, guest(evening, "Cid")) is RefusalCode.LOCKED
    bob.loses_connection()
    bob.connects()
    assert evening.joins(guest(evening, "Bob")).seat == bob.seat
    ann.says(LockSeats(locked=False))
    assert evening.joins(guest(evening, "Cid")).seat == 3


def test_it_is_locked_in_mid_game_too_and_stays_so() -> None:
    evening, (ann, bob) = party("Ann", "Bob")
    ann.says(READY, LockSeats(locked=True))
    bob.says(READY)
    assert evening.phase() is Phase.PLAYING
    evening.restart()
    assert evening.table.record.locked


def test_a_table_locked_by_people_who_have_all_left_is_open() -> None:
    evening, (ann,) = party("Ann")
    ann.says(AddBot(Level.SHARP), LockSeats(locked=True), Leave())
    bob = evening.joins(guest(evening, "Bob"))
    assert not evening.table.record.locked
    assert evening.host() == bob.seat
    assert evening.joins(guest(evening, "Cid")).seat == 2


def test_who_is_unwelcome_on_this_server_gets_up_wherever_he_sits() -> None:
    evening, (ann, bob, cid) = party("Ann", "Bob", "Cid")
    table = evening.table
    evening.does(lambda: table.banish(evening.now, "Bob"))
    assert bob.last(Bye).reason is ByeReason.BANNED
    assert list(table.record.seats) == [1, 3]
    for page in (ann, cid):
        page.says(READY)
    assert evening.phase() is Phase.PLAYING
    evening.does(lambda: table.banish(evening.now, "Cid"))
    assert SeatHandedOver(3, Level.STEADY) in evening.log
    before = table.record
    evening.does(lambda: table.banish(evening.now, "Nobody"))
    assert table.record is before


def test_even_if_he_is_host() -> None:
    evening, (ann, bob) = party("Ann", "Bob")
    evening.does(lambda: evening.table.banish(evening.now, "Ann"))
    assert not ann.connected
    assert evening.host() == bob.seat


def test_a_person_is_renamed_at_his_seat_and_at_the_one_he_left_to_a_bot() -> None:
    evening, (ann, bob, cid) = party("Ann", "Bob", "Cid")
    for page in (ann, bob, cid):
        page.says(READY)
    bob.says(Leave())
    for person in ("Bob", "Cid"):
        evening.does(partial(evening.table.rename_person, evening.now, person, "Somebody"))
    assert [seat.name for seat in ann.last(TableChanged).table.seats] == ["Ann", "Somebody", "Somebody 2"]
    with pytest.raises(Refusal, match="letter or a digit"):
        evening.table.rename_person(evening.now, "Cid", " ")


def test_in_the_next_game_a_bot_is_nobody() -> None:
    evening, (ann, bob) = party("Ann", "Bob")
    for page in (ann, bob):
        page.says(READY)
    bob.says(Leave())
    assert evening.table.record.seats[2].person == "Bob", "until it is over it was his game"
    evening.until(lambda: evening.phase() is Phase.RESULT, 3_600 * SECOND)
    ann.says(READY)
    assert evening.phase() is Phase.PLAYING
    bot_of_bob = evening.table.record.seats[2]
    assert bot_of_bob.person is None
    assert not bot_of_bob.left
    ann.says(Remove(2))
    assert ann.refused() is RefusalCode.NOT_NOW


def test_the_door_is_the_same_after_a_restart() -> None:
    evening, (ann, bob) = party("Ann", "Bob")
    ann.says(Ban(bob.seat), LockSeats(locked=True))
    again = Table.rebuild(evening.log, evening.now, evening.now, evening.rng, bot)
    with pytest.raises(Refusal, match="banned"):
        again.join(evening.now, "Bob", "another secret ticket", None, Guest("Bob"))
    with pytest.raises(Refusal, match="lets nobody more"):
        again.join(evening.now, "Cid", "another secret ticket", None, Guest("Cid"))
