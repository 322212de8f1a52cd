"""Who sits where: tickets, connections, names; coming, leaving, being sent away."""

from __future__ import annotations

import pytest

from slamomatic.game import CLASSIC, MODERN, Draw, Pass
from slamomatic.table.log import SeatHandedOver
from slamomatic.table.output import Refusal
from slamomatic.table.protocol import (
    Act,
    AddBot,
    Bye,
    ByeReason,
    Emote,
    Emoted,
    Leave,
    Level,
    Moved,
    Phase,
    Presence,
    Ready,
    RefusalCode,
    Remove,
    Rename,
    Say,
    SetListed,
    Sit,
    TableChanged,
    Welcome,
)
from tests.table.evening import Evening, deal_of, evening_of
from tests.table.pages import MS, SECOND, Page

DUEL = deal_of(MODERN, {1: "5 5 8 9", 2: "2 3 4 6"}, dealer=2)


def names(evening: Evening) -> list[str]:
    return [seat.name for seat in evening.table.table_view(evening.now).seats]


def test_a_seat_is_a_ticket_not_a_name() -> None:
    evening = Evening()
    ann = evening.joins("Ann")
    evening.joins(Page(evening, "ann"))
    assert names(evening) == ["Ann", "ann 2"]
    assert evening.table.seat_of(ann.ticket) == 1
    assert evening.table.seat_of("Ann") is None
    assert evening.table.seat_of("") is None


def test_a_seat_is_a_ticket_not_a_socket() -> None:
    evening = Evening()
    ann, _ = evening.joins("Ann"), evening.joins("Bob")
    ann.loses_connection()
    evening.wait(3_600 * SECOND)
    ann.connects()
    assert ann.last(Welcome).seat == 1
    assert names(evening) == ["Ann", "Bob"]


def test_the_log_holds_no_ticket() -> None:
    evening = Evening()
    ann = evening.joins("Ann")
    assert ann.ticket not in repr(evening.log)


def test_the_newest_connection_wins() -> None:
    evening, pages = evening_of(DUEL)
    older, newer = pages[1], Page(evening, "Ann")
    newer.connects()
    heard = len(older.heard)
    older.says(Act(Pass(1)))
    evening.wait(SECOND)
    assert len(older.heard) == heard, "the older page is neither heard nor told anything"
    assert newer.last(Welcome).seat == 1
    newer.says(Act(Pass(1)))
    assert newer.refused() is RefusalCode.ILLEGAL, "the newer page is listened to"
    older.loses_connection()
    assert evening.table.is_person_here(1), "the older socket's end changes nothing"


def test_a_welcome_is_the_first_message_of_every_connection() -> None:
    evening, pages = evening_of(DUEL)
    for page in pages.values():
        assert isinstance(page.heard[0], Welcome)
        assert page.heard[0].view is not None
        assert page.heard[0].view.viewer == page.seat
    again = Page(evening, "Bob")
    again.connects()
    assert isinstance(again.heard[0], Welcome)
    assert isinstance(evening.watch(), Welcome)


def test_a_page_that_connects_under_a_reach_sees_it_and_can_touch() -> None:
    evening, pages = evening_of(DUEL)
    pages[1].says(Act(Draw(1)))
    pages[1].reaches()
    bob = Page(evening, "Bob")
    bob.connects()
    assert bob.last(Welcome).reaching == 1
    bob.touches()
    pages[1].withdraws()
    evening.wait(2 * SECOND)
    race = bob.last(Moved).race
    assert race is not None
    assert race.verdict.early == (2,), "B8: he touched a hovering hand"


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("  Ann \t Marie\n", "Ann Marie"),
        ("Zoe\u0301", "Zo\u00e9"),
        ("\u202eAnn\u202c", "Ann"),
        ("A\u200bn\u00adn", "Ann"),
        ("A\u0336\u0337\u0338\u0339\u033ann", "A\u0336\u0337nn"),
        ("An\u3164\u115f\u2800n", "Ann"),
        ("1\ufe0f\u20e3", "1\ufe0f\u20e3"),
        ("\u5c0f\u660e", "\u5c0f\u660e"),
        ("x" * 20, "x" * 20),
    ],
)
def test_ugly_names_are_made_readable(typed: str, shown: str) -> None:
    evening = Evening()
    evening.sits(typed)
    assert names(evening) == [shown]


@pytest.mark.parametrize("typed", ["", " ", "\u3164", "\u200b\u200d", "!?", "\u0301", "\ue000"])
def test_unreadable_names_are_refused(typed: str) -> None:
    evening = Evening()
    with pytest.raises(Refusal, match="letter or a digit") as refused:
        evening.sits(typed)
    assert refused.value.code is RefusalCode.BAD_NAME
    assert names(evening) == []


def test_names_at_a_table_are_always_apart() -> None:
    evening = Evening()
    long = "x" * 20
    first = evening.joins(long)
    for ticket in ("b", "c"):
        evening.sits(Page(evening, long.upper(), ticket=ticket))
    assert names(evening) == [long, "X" * 18 + " 2", "X" * 18 + " 3"]
    first.says(Rename(1, "x" * 18 + " 2"))
    assert len({name.casefold() for name in names(evening)}) == 3


def test_keeping_ones_own_name_is_no_clash() -> None:
    evening = Evening()
    ann = evening.joins("Ann")
    ann.says(Rename(1, "ANN"))
    assert names(evening) == ["ANN"]


def test_a_hand_is_chosen_before_the_first_game_and_the_page_learns_it() -> None:
    evening = Evening()
    ann, bob = evening.joins("Ann"), evening.joins("Bob", 3)
    ann.says(Sit(3))
    assert ann.refused() is RefusalCode.TAKEN
    ann.says(Sit(4))
    assert ann.last(Welcome).seat == 4
    assert [type(message) for message in ann.heard[-2:]] == [Welcome, TableChanged]
    assert evening.host() == 4
    assert bob.last(TableChanged).table.seats[1].name == "Ann"
    ann.says(Ready(ready=True))
    bob.says(Ready(ready=True))
    assert ann.last(Moved).view.viewer == 4
    ann.says(Sit(1))
    assert ann.refused() is RefusalCode.NOT_NOW


def test_a_fifth_player_is_refused() -> None:
    evening = Evening()
    for name in ("Ann", "Bob", "Cid", "Dee"):
        evening.joins(name)
    with pytest.raises(Refusal, match="all four hands are taken"):
        evening.joins("Eve")


def test_joining_in_mid_game_is_refused_with_the_reason() -> None:
    evening, _ = evening_of(DUEL)
    before = evening.table.record
    with pytest.raises(Refusal, match="a game is being played: watch") as refused:
        evening.joins("Eve")
    assert refused.value.code is RefusalCode.NOT_NOW
    assert evening.table.record is before


def test_leaving_in_mid_game_hands_the_seat_to_a_bot_and_the_ticket_opens_nothing() -> None:
    evening, pages = evening_of(DUEL)
    pages[1].says(Leave())
    assert pages[1].last(Bye).reason is ByeReason.LEFT
    assert SeatHandedOver(1, Level.STEADY) in evening.log
    assert evening.table.seat_of(pages[1].ticket) is None
    assert pages[2].last(TableChanged).table.seats[0].bot is Level.STEADY
    evening.until(lambda: pages[2].all(Moved), 5 * SECOND)  # the bot draws for the one who left


def test_what_comes_late_from_who_has_left_is_nothing() -> None:
    evening, pages = evening_of(DUEL)
    pages[1].says(Leave())
    for seat in (1, 4):
        output = evening.table.receive(evening.now, seat, Act(Draw(1)))
        assert (output.log, output.sends) == ([], [])


def test_leaving_between_games_frees_the_hand() -> None:
    evening = Evening()
    _, bob = evening.joins("Ann"), evening.joins("Bob")
    bob.says(Leave())
    assert names(evening) == ["Ann"]
    assert evening.table.seat_of(bob.ticket) is None
    assert evening.joins("Cid").seat == 2


def test_who_is_sent_away_in_mid_game_leaves_his_seat_to_a_bot() -> None:
    evening, pages = evening_of(DUEL)
    pages[1].says(Remove(2))
    assert pages[2].last(Bye).reason is ByeReason.REMOVED
    assert evening.table.record.seats[2].bot is Level.STEADY
    assert evening.table.seat_of(pages[2].ticket) is None


def test_a_table_where_only_bots_are_left_begins_anew_with_the_next_person() -> None:
    evening = Evening()
    ann = evening.joins("Ann")
    for _ in range(3):
        ann.says(AddBot(Level.SHARP))
    ann.says(Leave())
    assert evening.table.listing() is None
    bob = evening.joins("Bob")
    assert names(evening) == ["Bob"]
    assert evening.host() == bob.seat == 1


def test_bots_play_on_for_a_watcher_when_everyone_has_left() -> None:
    evening, pages = evening_of(DUEL)
    for page in pages.values():
        page.says(Leave())
    moves = len(evening.log)
    evening.wait(60 * SECOND)
    assert len(evening.log) == moves, "nobody is in sight"
    evening.watch()
    evening.until(lambda: evening.phase() is Phase.RESULT, 3_600 * SECOND)


def test_presence_is_told_to_everyone() -> None:
    _, pages = evening_of(DUEL)
    pages[2].hides()
    assert pages[1].last(TableChanged).table.seats[1].presence is Presence.AWAY
    pages[2].returns()
    assert pages[1].last(TableChanged).table.seats[1].presence is Presence.HERE
    pages[2].loses_connection()
    assert pages[1].last(TableChanged).table.seats[1].presence is Presence.AWAY


def test_one_emote_at_a_time() -> None:
    evening, pages = evening_of(DUEL)
    pages[1].says(Say(Emote.CLAP), Say(Emote.WOW))
    assert pages[2].all(Emoted) == [Emoted(1, Emote.CLAP)]
    assert pages[1].refused() is RefusalCode.TOO_FAST
    pages[2].says(Say(Emote.LAUGH))
    evening.wait(800 * MS)
    pages[1].says(Say(Emote.WAVE))
    assert pages[2].all(Emoted)[1:] == [Emoted(2, Emote.LAUGH), Emoted(1, Emote.WAVE)]


def test_the_round_trip_is_told_as_it_changes() -> None:
    evening = Evening()
    ann = evening.joins("Ann")
    bob = evening.joins(Page(evening, "Bob", down=lambda: 60 * MS, up=lambda: 60 * MS))
    evening.wait(SECOND)
    assert [seat.rtt_ms for seat in ann.last(TableChanged).table.seats] == [0, 120]
    bob.connects()
    assert evening.table.table_view(evening.now).seats[1].rtt_ms is None, "a new connection is measured anew"


def test_a_listed_table_is_found_by_strangers_to_join_or_to_watch() -> None:
    evening = Evening(edition=CLASSIC)
    assert evening.table.listing() is None, "nobody sits there"
    ann = evening.joins("Ann")
    listed = evening.table.listing()
    assert listed is not None
    assert (listed.host, listed.players, listed.free, listed.edition) == ("Ann", 1, 3, "Classic")
    ann.says(AddBot(Level.GENTLE), Ready(ready=True))
    evening.watch()
    listed = evening.table.listing()
    assert listed is not None
    assert (listed.phase, listed.players, listed.free, listed.watchers) == (Phase.PLAYING, 2, 0, 1)
    ann.says(SetListed(listed=False))
    assert evening.table.listing() is None
    assert evening.table.row() == listed, "who knows the code is told all the same"
