"""What a table remembers: its log, and the one fold that makes the table of it."""

from __future__ import annotations

import hashlib

import pytest
from msgspec.structs import replace

from slamomatic.game import CLASSIC, MODERN, Draw, Lay
from slamomatic.game.scoring import score
from slamomatic.table.log import (
    LOG_VERSION,
    AssistSet,
    ClockStopped,
    DealerNamed,
    EditionSet,
    Entry,
    HostChanged,
    ListedSet,
    Opened,
    PaceSet,
    PersonBanned,
    RatedSet,
    RttCapSet,
    SeatFlagged,
    SeatFreed,
    SeatHandedOver,
    SeatMoved,
    SeatRenamed,
    SeatsLocked,
    SeatTaken,
    TicketRenewed,
    decode,
    encode,
)
from slamomatic.table.memory import Sitter, applied, rebuilt
from slamomatic.table.protocol import Act, AddBot, Level, Moved, Pace, Phase, Presence, Ready, Welcome
from slamomatic.table.table import Table
from slamomatic.unit import Flag
from tests.table.evening import Evening, deal_of, evening_of
from tests.table.pages import MS, SECOND, Page

OPENED = Opened("SLAMMED", CLASSIC, Pace.NORMAL, listed=False, quick=False, rated=False)
CID = Sitter("Cid", "c", None, "person-c", 33, "from c")
DOT = Sitter("Dot", None, Level.GENTLE, None, 44)


def taken(seat: int, name: str, ticket_hash: str | None = None) -> SeatTaken:
    """A guest without a name of his own."""
    return SeatTaken(seat, name, ticket_hash or name, None, None, 1, None)


SEATED: list[Entry] = [
    OPENED,
    SeatTaken(3, "Cid", "c", None, "person-c", 33, "from c"),
    taken(1, "Ann", "a"),
    HostChanged(1),
]
TRIO = deal_of(MODERN, {1: "5 5 8 9", 2: "2 3 4 6", 3: "1 7 9 10"}, dealer=3)


@pytest.mark.parametrize("log", [[], [HostChanged(1)]], ids=repr)
def test_a_log_begins_with_an_opening(log: list[Entry]) -> None:
    with pytest.raises(ValueError, match="begins with Opened"):
        rebuilt(log)


@pytest.mark.parametrize("version", [0, LOG_VERSION + 1])
def test_an_entry_of_an_unknown_version_is_refused_with_the_way_out(version: int) -> None:
    with pytest.raises(ValueError, match=f"this program knows 1 to {LOG_VERSION}: update it"):
        decode(version, encode(OPENED))


def test_what_is_no_entry_is_refused() -> None:
    with pytest.raises(ValueError, match="Invalid value"):
        decode(LOG_VERSION, b'{"type":"Nothing"}')


def test_seats_stand_in_their_order_whoever_came_first() -> None:
    assert list(rebuilt(SEATED).seats) == [1, 3]


def test_every_entry_changes_what_it_says_and_nothing_else() -> None:
    before = rebuilt(SEATED)
    changes: dict[Entry, dict[str, object]] = {
        EditionSet(MODERN): {"edition": MODERN},
        PaceSet(Pace.UNTIMED): {"pace": Pace.UNTIMED},
        ListedSet(listed=True): {"listed": True},
        RttCapSet(300): {"rtt_cap_ms": 300},
        DealerNamed(3): {"dealer": 3},
        HostChanged(3): {"host": 3},
        SeatRenamed(3, "Sid"): {"seats": before.seats | {3: replace(CID, name="Sid")}},
        AssistSet(3, never_short=True): {"seats": before.seats | {3: replace(CID, never_short=True)}},
        SeatFlagged(3, Flag.HASTE, is_raised=True): {"seats": before.seats | {3: replace(CID, flags=(Flag.HASTE,))}},
        SeatFlagged(3, Flag.HASTE, is_raised=False): {},
        SeatHandedOver(3, Level.SHARP): {
            "seats": before.seats | {3: replace(CID, ticket_hash=None, bot=Level.SHARP, left=True)}
        },
        SeatTaken(2, "Dot", None, Level.GENTLE, None, 44, None): {"seats": {**before.seats, 2: DOT}},
        TicketRenewed(3, "d"): {"seats": before.seats | {3: replace(CID, ticket_hash="d")}},
        RatedSet(rated=True): {"rated": True},
        SeatsLocked(locked=True): {"locked": True},
        PersonBanned("person-c", "from c"): {
            "banned": frozenset({"person-c"}),
            "banned_marks": frozenset({"from c"}),
        },
        PersonBanned("person-c", None): {"banned": frozenset({"person-c"})},
        PersonBanned(None, "from c"): {"banned_marks": frozenset({"from c"})},
        ClockStopped(5): {"stopped_us": 5, "timed_us": 5},
        SeatFreed(1): {"seats": {3: before.seats[3]}, "host": None},
        SeatHandedOver(1, Level.STEADY): {
            "seats": before.seats | {1: replace(before.seats[1], ticket_hash=None, bot=Level.STEADY, left=True)},
            "host": None,
        },
        SeatMoved(1, 4): {"seats": {3: before.seats[3], 4: before.seats[1]}, "host": 4},
    }
    for entry, change in changes.items():
        after = applied(before, entry)
        assert after == replace(before, **change), entry
        assert list(after.seats) == sorted(after.seats)


def test_who_deals_next_moves_with_his_seat_and_passes_to_the_left_if_he_leaves() -> None:
    four = rebuilt([*SEATED, taken(2, "Bob"), DealerNamed(2)])
    assert applied(four, SeatMoved(2, 4)).dealer == 4
    assert applied(four, SeatFreed(2)).dealer == 3
    assert applied(four, SeatFreed(1)).dealer == 2
    assert applied(applied(four, DealerNamed(3)), SeatFreed(3)).dealer == 1
    assert applied(applied(rebuilt([*SEATED, DealerNamed(3)]), SeatFreed(1)), SeatFreed(3)).dealer is None


def test_wins_are_counted_as_the_game_counts_them() -> None:
    evening = Evening(edition=CLASSIC)
    ann = evening.joins("Ann")
    ann.says(AddBot(Level.SHARP), Ready(ready=True))
    evening.until(lambda: evening.phase() is Phase.RESULT, 3_600 * SECOND)
    state = evening.table.record.state
    assert state is not None
    assert {seat: sitter.wins for seat, sitter in evening.table.record.seats.items()} == {
        count.seat: int(count.wins) for count in score(state)
    }


def test_a_table_comes_back_from_its_log_alone() -> None:
    evening, pages = evening_of(TRIO, bots={3: Level.SHARP})
    pages[1].says(Act(Draw(1)))
    before = evening.table.record
    evening.restart()
    assert evening.table.record == before
    welcome = pages[2].last(Welcome)
    assert welcome.view is not None
    assert welcome.view.to_act == 1
    assert [seat.name for seat in welcome.table.seats] == ["Ann", "Bob", before.seats[3].name]
    evening.until(lambda: evening.phase() is Phase.RESULT, 24 * 3_600 * SECOND)


def test_after_a_restart_everyone_is_away_until_he_is_back_and_the_clock_has_left_what_it_had() -> None:
    evening, pages = evening_of(TRIO)
    evening.wait(15 * SECOND)
    evening.crash()
    evening.wait(600 * SECOND)
    evening.comes_back(evening.now - 600 * SECOND)
    assert all(seat.presence is Presence.AWAY for seat in evening.table.table_view(evening.now).seats)
    evening.wait(600 * SECOND)
    pages[1].connects()
    pages[2].connects()
    assert pages[2].last(Welcome).clock_ms == 5_000
    evening.wait(5 * SECOND - 1)
    assert not pages[2].all(Moved)
    evening.wait(1)
    assert pages[2].all(Moved), "and then it is up"


def test_what_had_slept_before_its_server_stopped_has_left_what_it_had_too() -> None:
    evening, pages = evening_of(TRIO)
    evening.wait(8 * SECOND)
    for page in pages.values():
        page.loses_connection()
    evening.wait(60 * SECOND)
    evening.crash()
    evening.wait(60 * SECOND)
    evening.comes_back(evening.now - 30 * SECOND)
    pages[2].connects()
    assert pages[2].last(Welcome).clock_ms == 12_000


def test_a_second_stop_before_anybody_is_back_takes_nothing_more() -> None:
    evening, pages = evening_of(TRIO)
    evening.wait(8 * SECOND)
    for alive_us in (evening.now, evening.now + 40 * SECOND):
        evening.crash()
        evening.wait(60 * SECOND)
        evening.comes_back(alive_us)
    pages[2].connects()
    assert pages[2].last(Welcome).clock_ms == 12_000


def test_nothing_happened_after_a_server_was_last_seen_alive_if_its_log_says_so() -> None:
    evening, pages = evening_of(TRIO)
    evening.wait(8 * SECOND)
    pages[1].says(Act(Draw(1)))
    evening.crash()
    evening.comes_back(evening.now - SECOND)  # a heartbeat is a little older than the last entry
    pages[2].connects()
    assert pages[2].last(Welcome).clock_ms == 20_000


def test_the_time_from_a_restart_to_the_first_who_is_back_is_nobodys() -> None:
    evening, _ = evening_of(TRIO)
    table = Table.rebuild(evening.log, evening.now, evening.now, evening.rng, evening.bots)
    (sent, *_) = table.connect(evening.now + 15 * SECOND, 2).sends
    assert isinstance(sent.message, Welcome)
    assert sent.message.clock_ms == 20_000


def test_a_reach_cut_short_by_a_restart_never_was() -> None:
    evening, pages = evening_of(TRIO)
    pages[1].says(Act(Draw(1)))
    evening.wait(SECOND)
    pages[1].slams()
    evening.wait(300 * MS)
    before = evening.table.state
    evening.restart()
    assert evening.table.reach is None
    assert evening.table.state == before
    evening.wait(SECOND)
    pages[1].slams()
    assert evening.table.reach is not None


def test_the_last_race_is_in_the_log() -> None:
    evening, pages = evening_of(TRIO)
    pages[1].says(Act(Draw(1)))
    evening.wait(SECOND)
    pages[1].slams()
    evening.wait(10 * SECOND)
    race = evening.table.record.race
    assert race is not None
    pages[1].says(Act(Lay(1, (5, 5))))  # type: ignore[arg-type]
    assert pages[1].refused() is None, "and stays the last one, whatever else is played"
    evening.restart()
    assert pages[3].last(Welcome).race == race


def test_a_table_without_a_host_gets_one_as_soon_as_somebody_is_here() -> None:
    evening = Evening(entries=[OPENED, taken(2, "Bob", hashlib.sha256(b"Bob's secret ticket").hexdigest())])
    assert evening.host() is None
    Page(evening, "Bob").connects()
    assert evening.host() == 2
