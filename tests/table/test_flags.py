"""Flags: what is odd about a connection is told to the host and kept, and decides nothing."""

from __future__ import annotations

from collections.abc import Callable

from slamomatic.table.log import Entry, GameMoved, SeatFlagged
from slamomatic.table.protocol import Flagged, Leave, Remove
from slamomatic.unit import Flag
from slamomatic.unit.standing import SESSION
from tests.table.evening import Evening
from tests.table.pages import MS, SECOND, Page
from tests.table.racers import Racer, path, racers, run, turn_to_slam

Scene = tuple[Evening, dict[int, Page]]


class Hasty(Racer):
    """Claims to be a little faster than it is: too little to be disproved in one race."""

    shave_us = 8 * MS

    def claims(self) -> int:
        return super().claims() - self.shave_us


def scene() -> Scene:
    """Hand 2 is hasty; the host, and whoever sits at hand 3, are honest."""

    def maker(kind: type[Racer], reaction_us: int) -> Callable[[Evening, str], Page]:
        def make(evening: Evening, name: str) -> Page:
            way = path(evening.rng, 20 * MS)
            page = kind(evening, name, down=way, up=way)
            page.reaction_us = reaction_us
            return page

        return make

    evening, pages = racers(maker(Hasty, 250 * MS), maker(Racer, 300 * MS))
    evening.watch()
    return evening, pages


def flagged(evening: Evening) -> list[SeatFlagged]:
    """What the log says of flags."""
    return [entry for entry in evening.log if isinstance(entry, SeatFlagged)]


def session(scene: Scene, races: int = SESSION) -> None:
    for _ in range(races):
        run(*scene)


def test_an_odd_connection_is_kept_in_the_log_and_told_to_the_host_alone() -> None:
    evening, pages = scene()
    session((evening, pages), SESSION - 1)
    assert not flagged(evening)
    run(evening, pages)
    assert flagged(evening) == [SeatFlagged(2, Flag.HASTE, is_raised=True)]
    assert pages[1].all(Flagged) == [Flagged(2, (Flag.HASTE,))]
    assert not pages[2].all(Flagged)
    assert not pages[3].all(Flagged)
    assert not any(isinstance(message, Flagged) for message in evening.watched())
    session((evening, pages), 5)
    assert len(flagged(evening)) == 1, "said once"


def test_a_flag_is_taken_back_when_the_last_races_say_so() -> None:
    evening, pages = scene()
    session((evening, pages))
    pages[2].shave_us = 0  # type: ignore[attr-defined]
    session((evening, pages), SESSION + 1)
    assert flagged(evening)[-1] == SeatFlagged(2, Flag.HASTE, is_raised=False)
    assert pages[1].last(Flagged) == Flagged(2, ())
    assert evening.table.record.seats[2].flags == ()


def test_flags_outlive_a_restart_and_few_races_take_nothing_back() -> None:
    evening, pages = scene()
    session((evening, pages))
    pages[2].shave_us = 0  # type: ignore[attr-defined]
    evening.restart()
    assert evening.table.record.seats[2].flags == (Flag.HASTE,)
    assert pages[1].last(Flagged) == Flagged(2, (Flag.HASTE,))
    evening.wait(3 * SECOND)
    session((evening, pages), SESSION - 1)
    assert [entry.is_raised for entry in flagged(evening)] == [True]
    run(evening, pages)
    assert [entry.is_raised for entry in flagged(evening)] == [True, False]


def test_who_becomes_host_or_comes_back_as_host_is_told_what_is_flagged() -> None:
    evening, pages = scene()
    session((evening, pages))
    pages[1].loses_connection()
    pages[1].connects()
    evening.wait(SECOND)
    assert pages[1].all(Flagged) == [Flagged(2, (Flag.HASTE,))] * 2
    pages[1].says(Leave())
    evening.wait(SECOND)
    assert evening.table.record.host == 2
    assert pages[2].all(Flagged) == [Flagged(2, (Flag.HASTE,))]


def test_whoever_sits_down_after_him_begins_anew() -> None:
    evening, pages = scene()
    session((evening, pages))
    pages[1].says(Remove(2))
    assert pages[1].last(Flagged) == Flagged(2, ())
    assert evening.table.record.seats[2].flags == ()
    assert evening.table.sittings[2].hand.standing.races == 0


def test_a_standing_is_the_persons_and_a_network_the_connections() -> None:
    evening, pages = scene()
    session((evening, pages), 3)
    standing = evening.table.sittings[2].hand.standing
    network = evening.table.sittings[2].hand.network
    pages[2].loses_connection()
    pages[2].connects()
    assert evening.table.sittings[2].hand.standing is standing
    assert standing.races == 3
    assert evening.table.sittings[2].hand.network is not network


def test_no_flag_touches_a_verdict_or_bans_anybody() -> None:
    """The same evening, one of them with every flag raised that there is: not a verdict, not a byte is another."""

    def played(*, raised: bool) -> tuple[list[Entry], list[tuple[int, int | None, bytes]]]:
        evening, pages = scene()
        if raised:
            for flag in Flag:
                evening.table.keep(SeatFlagged(3, flag, is_raised=True))
        session((evening, pages), 5)
        return [entry for entry in evening.log if isinstance(entry, GameMoved)], [*evening.sent]

    assert played(raised=True) == played(raised=False)


def test_fakes_and_bots_leave_no_trace() -> None:
    evening, pages = scene()
    assert turn_to_slam(evening)
    pages[3].loses_connection()
    pages[1].reaches()
    pages[1].withdraws()
    evening.wait(2 * SECOND)
    assert evening.table.sittings[2].hand.standing.races == 0
    run(evening, pages)
    assert evening.table.sittings[2].hand.standing.races == 1
    assert evening.table.sittings[3].hand.standing.races == 0, "a bot raced there"


def test_nothing_of_it_is_in_what_everybody_is_told() -> None:
    evening, pages = scene()
    session((evening, pages))
    others = [data for _, to, data in evening.sent if to != 1]
    assert not any(b"haste" in data for data in others)
