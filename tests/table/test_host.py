"""The host's rights: what only the host may do, when, and who is host next."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from slamomatic.game import CLASSIC, CLASSIC_JUNIOR, MODERN
from slamomatic.game.cards import Deck
from slamomatic.table.output import Refusal
from slamomatic.table.protocol import (
    AddBot,
    Bye,
    CapRoundTrip,
    Leave,
    Level,
    NameDealer,
    Pace,
    Phase,
    Ready,
    RefusalCode,
    Remove,
    Rename,
    SeatMessage,
    SetEdition,
    SetListed,
    SetPace,
    TableChanged,
)
from tests.table.evening import Evening, deal_of, evening_of
from tests.table.pages import SECOND, Page

DUEL = deal_of(MODERN, {1: "5 5 8 9", 2: "2 3 4 6"}, dealer=2)
TINY = replace(CLASSIC, name="Tiny", deck=Deck(3, smiling=True, sad=True))

BEFORE: list[SeatMessage] = [
    SetEdition(MODERN),
    SetPace(Pace.RELAXED),
    NameDealer(1),
    AddBot(Level.SHARP),
    CapRoundTrip(300),
]
RIGHTS: list[SeatMessage] = [*BEFORE, SetListed(listed=False), Remove(1), Rename(1, "Eve")]


def three(**kind: object) -> tuple[Evening, Page, Page, Page]:
    evening = Evening(**kind)  # type: ignore[arg-type]
    return evening, evening.joins("Ann"), evening.joins("Bob"), evening.joins("Cid")


@pytest.mark.parametrize("message", RIGHTS, ids=lambda message: type(message).__name__)
def test_only_the_host_may(message: SeatMessage) -> None:
    evening, _, bob, _ = three()
    before = evening.table.record
    bob.says(message)
    assert bob.refused() is RefusalCode.NOT_HOST
    assert evening.table.record is before


@pytest.mark.parametrize("message", [*BEFORE, Ready(ready=True)], ids=lambda message: type(message).__name__)
def test_what_is_settled_before_a_game_stays_while_it_is_played(message: SeatMessage) -> None:
    evening, pages = evening_of(DUEL)
    before = evening.table.record
    pages[1].says(message)
    assert pages[1].refused() is RefusalCode.NOT_NOW
    assert evening.table.record is before


def test_the_first_to_sit_down_is_host() -> None:
    evening, ann, _, _ = three()
    assert [seat.host for seat in ann.last(TableChanged).table.seats] == [True, False, False]
    assert evening.host() == 1


def test_the_host_sets_edition_and_pace_and_lists_the_table() -> None:
    evening, ann, bob, _ = three()
    ann.says(SetEdition(CLASSIC_JUNIOR), SetPace(Pace.UNTIMED), SetListed(listed=False))
    table = bob.last(TableChanged).table
    assert (table.edition, table.pace, table.listed) == (CLASSIC_JUNIOR, Pace.UNTIMED, False)
    assert evening.table.listing() is None


def test_nobody_is_ready_for_rules_he_has_not_seen() -> None:
    evening, ann, bob, cid = three()
    bob.says(Ready(ready=True))
    cid.says(Ready(ready=True))
    ann.says(SetEdition(MODERN))
    assert not any(seat.ready for seat in ann.last(TableChanged).table.seats)
    ann.says(Ready(ready=True))
    assert evening.phase() is Phase.WAITING


def test_an_edition_too_small_for_four_is_refused() -> None:
    evening, ann, _, _ = three()
    ann.says(SetEdition(TINY))
    assert ann.refused() is RefusalCode.UNFIT_EDITION
    assert evening.table.record.edition == CLASSIC
    with pytest.raises(Refusal, match="too small for four"):
        Evening(edition=TINY)


def test_the_host_names_the_dealer_where_one_is_chosen() -> None:
    _, ann, bob, _ = three(edition=MODERN)
    ann.says(NameDealer(4))
    assert ann.refused() is RefusalCode.NO_SEAT
    ann.says(NameDealer(3))
    assert bob.last(TableChanged).table.dealer == 3
    ann.says(SetEdition(CLASSIC), NameDealer(2))
    assert ann.refused() is RefusalCode.NOT_NOW, "the cut decides (C2)"


def test_bots_sit_down_and_get_up_before_the_game() -> None:
    evening, ann, _, _ = three()
    ann.says(AddBot(Level.GENTLE, 1))
    assert ann.refused() is RefusalCode.TAKEN
    ann.says(AddBot(Level.GENTLE))
    seats = ann.last(TableChanged).table.seats
    assert (seats[3].bot, seats[3].ready, seats[3].rtt_ms) == (Level.GENTLE, True, None)
    ann.says(AddBot(Level.SHARP))
    assert ann.refused() is RefusalCode.FULL
    ann.says(Remove(4), AddBot(Level.SHARP, 4))
    assert ann.last(TableChanged).table.seats[3].bot is Level.SHARP
    assert len({seat.name for seat in evening.table.table_view(evening.now).seats}) == 4


def test_a_bot_takes_no_name_that_somebody_has() -> None:
    for seed in range(30):
        evening = Evening(seed=seed)
        ann = evening.joins("ada")
        ann.says(*[AddBot(Level.GENTLE)] * 3)
        assert len({seat.name.casefold() for seat in evening.table.table_view(evening.now).seats}) == 4


def test_bots_stay_until_the_game_is_over() -> None:
    evening, pages = evening_of(DUEL, bots={2: Level.STEADY})
    pages[1].says(Remove(2))
    assert pages[1].refused() is RefusalCode.NOT_NOW
    assert evening.table.record.seats[2].bot is Level.STEADY


def test_the_host_cannot_send_himself_away() -> None:
    evening, ann, _, _ = three()
    ann.says(Remove(1))
    assert ann.refused() is RefusalCode.NOT_NOW
    assert 1 in evening.table.record.seats
    ann.says(Remove(4))
    assert ann.refused() is RefusalCode.NO_SEAT


def test_the_host_renames_who_has_a_bad_name_even_in_mid_game() -> None:
    evening, pages = evening_of(DUEL)
    pages[1].says(Rename(2, "Somebody"))
    assert evening.table.record.seats[2].name == "Somebody"
    pages[1].says(Rename(3, "Nobody"))
    assert pages[1].refused() is RefusalCode.NO_SEAT


@pytest.mark.parametrize("goes", [lambda page: page.says(Leave()), lambda page: page.loses_connection()])
def test_the_hosts_rights_move_on_when_he_leaves_or_stays_away(goes: Callable[[Page], None]) -> None:
    evening, ann, bob, cid = three()
    bob.hides()
    goes(ann)
    evening.wait(61 * SECOND)
    assert evening.host() == 3, "to the first person who is here"
    cid.says(SetPace(Pace.RELAXED))
    assert evening.table.record.pace is Pace.RELAXED


def test_a_host_who_is_soon_back_stays_host() -> None:
    evening, ann, _, _ = three()
    ann.loses_connection()
    evening.wait(59 * SECOND)
    ann.connects()
    evening.wait(60 * SECOND)
    assert evening.host() == 1


def test_a_host_whom_nobody_misses_stays_host() -> None:
    evening = Evening()
    ann = evening.joins("Ann")
    ann.loses_connection()
    evening.wait(600 * SECOND)
    ann.connects()
    assert evening.host() == 1


def test_the_hosts_rights_move_on_in_mid_game_too() -> None:
    evening, pages = evening_of(DUEL)
    pages[1].hides()
    evening.wait(61 * SECOND)
    assert evening.host() == 2
    pages[1].returns()
    evening.wait(61 * SECOND)
    assert evening.host() == 2, "who comes back is a guest"


def test_when_nobody_is_here_the_first_to_come_back_leads() -> None:
    evening, ann, bob, cid = three()
    bob.loses_connection()
    cid.loses_connection()
    ann.says(Leave())
    assert evening.host() is None
    cid.connects()
    assert evening.host() == 3
    bob.connects()
    assert evening.host() == 3


def test_a_bye_says_who_has_done_it() -> None:
    _, ann, bob, _ = three()
    ann.says(Remove(2))
    assert "host" in bob.last(Bye).text
