"""From ready to the result and on to the next game: how games begin, end, and follow each other."""

from __future__ import annotations

import pytest

from slamomatic.game import CLASSIC, MODERN, Edition
from slamomatic.game.events import Dealt
from slamomatic.table.log import GameBegan
from slamomatic.table.protocol import (
    AddBot,
    Leave,
    Level,
    Moved,
    NameDealer,
    Phase,
    Ready,
    Remove,
    SetEdition,
    TableChanged,
    Welcome,
)
from tests.table.evening import Evening
from tests.table.pages import SECOND, Page, Player, at_once
from tests.table.puppets import Puppet

READY = Ready(ready=True)
LONG = 3_600 * SECOND


def players(evening: Evening, count: int) -> list[Page]:
    """People who play, and who are ready for the next game only when a test says so."""
    people = [
        Player(evening, name, evening.rng, down=at_once, up=at_once, frame=at_once) for name in ("Ann", "Bob", "Cid")
    ]
    for person in people[:count]:
        person.is_keen = False
        evening.joins(person)
    return list(people[:count])


def deals(evening: Evening) -> list[Dealt]:
    return [entry.dealt for entry in evening.log if isinstance(entry, GameBegan)]


def play_a_game(evening: Evening, people: list[Page]) -> None:
    for page in people:
        page.says(READY)
    assert evening.phase() is Phase.PLAYING
    evening.until(lambda: evening.phase() is Phase.RESULT, LONG)


@pytest.mark.parametrize("edition", [CLASSIC, MODERN], ids=lambda edition: edition.name)
def test_an_evening_goes_from_ready_to_rematch(edition: Edition) -> None:
    evening = Evening(edition=edition)
    people = players(evening, 3)
    people[0].says(AddBot(Level.STEADY))
    for game in (1, 2, 3):
        play_a_game(evening, people)
        view = people[1].last(Moved).view
        assert view.ended is not None
        assert {count.seat for count in view.scores} == {1, 2, 3, 4}
        assert all(player.hand is not None for player in view.players), "once it is over all cards are open"
        table = people[1].last(TableChanged).table
        assert table.game_number == game
        assert not any(seat.ready for seat in table.seats if seat.bot is None)
    wins = sum(seat.wins for seat in evening.table.table_view(evening.now).seats)
    assert wins >= 3, "each game is won by somebody, some by several (C12, M14)"


def test_m2_the_deal_moves_on_to_the_left() -> None:
    evening = Evening(edition=MODERN)
    people = players(evening, 3)
    people[0].says(NameDealer(2))
    for _ in range(4):
        play_a_game(evening, people)
    assert [deal.dealer for deal in deals(evening)] == [2, 3, 1, 2]


def test_m2_chance_names_the_first_dealer_if_the_host_does_not() -> None:
    dealers = set()
    for seed in range(20):
        evening = Evening(edition=MODERN, seed=seed)
        for page in players(evening, 3):
            page.says(READY)
        dealers.add(deals(evening)[0].dealer)
    assert dealers == {1, 2, 3}


def test_m2_the_deal_passes_by_who_has_left() -> None:
    evening = Evening(edition=MODERN)
    people = players(evening, 3)
    people[0].says(NameDealer(1))
    play_a_game(evening, people)
    assert evening.table.record.dealer == 2
    people[1].says(Leave())
    assert evening.table.record.dealer == 3
    people[2].says(Leave())
    assert evening.table.record.dealer == 1


def test_c2_before_every_game_they_cut() -> None:
    evening = Evening(edition=CLASSIC)
    people = players(evening, 3)
    for _ in range(2):
        play_a_game(evening, people)
    assert all(deal.cuts for deal in deals(evening))
    assert evening.table.record.dealer is None


def test_a_table_may_change_its_edition_between_games() -> None:
    evening = Evening(edition=MODERN)
    people = players(evening, 2)
    play_a_game(evening, people)
    people[0].says(SetEdition(CLASSIC))
    play_a_game(evening, people)
    assert [deal.edition for deal in deals(evening)] == [MODERN, CLASSIC]
    assert deals(evening)[1].cuts


def test_a_game_begins_when_all_people_are_ready_and_no_sooner() -> None:
    evening = Evening()
    ann, bob = players(evening, 2)
    ann.says(READY)
    evening.wait(LONG)
    assert evening.phase() is Phase.WAITING, "whoever is here is waited for"
    ann.says(Ready(ready=False))
    bob.says(READY)
    assert evening.phase() is Phase.WAITING
    ann.says(READY)
    assert evening.phase() is Phase.PLAYING


def test_nobody_plays_alone() -> None:
    evening = Evening()
    (ann,) = players(evening, 1)
    ann.says(READY)
    evening.wait(SECOND)
    assert evening.phase() is Phase.WAITING
    ann.says(AddBot(Level.GENTLE))
    assert evening.phase() is Phase.PLAYING, "the one who was ready was only waiting for company"


def test_bots_do_not_begin_without_a_person_in_sight() -> None:
    evening = Evening()
    (ann,) = players(evening, 1)
    ann.says(AddBot(Level.GENTLE))
    ann.hides()
    ann.says(READY)
    evening.wait(LONG)
    assert evening.phase() is Phase.WAITING
    ann.returns()
    assert evening.phase() is Phase.PLAYING


def test_who_leaves_was_the_last_one_to_be_waited_for() -> None:
    evening = Evening()
    ann, bob, cid = players(evening, 3)
    ann.says(READY)
    bob.says(READY)
    cid.says(Leave())
    assert evening.phase() is Phase.PLAYING


def test_who_is_away_and_not_ready_is_waited_for_ten_seconds() -> None:
    evening = Evening()
    ann, bob, cid = players(evening, 3)
    cid.loses_connection()
    ann.says(READY)
    bob.says(READY)
    evening.wait(9 * SECOND)
    assert evening.phase() is Phase.WAITING
    evening.wait(SECOND)
    assert evening.phase() is Phase.PLAYING
    assert deals(evening)[0].seats == (1, 2, 3), "a bot plays for him until he is back"
    cid.connects()
    assert evening.table.is_person_here(3)


def test_who_sat_down_and_never_opened_his_page_is_waited_for_ten_seconds() -> None:
    evening = Evening()
    (ann,) = players(evening, 1)
    evening.sits("Bob")
    ann.says(READY)
    evening.wait(9 * SECOND)
    assert evening.phase() is Phase.WAITING
    evening.wait(SECOND)
    assert evening.phase() is Phase.PLAYING


def test_who_went_away_in_mid_game_does_not_hold_up_the_next_one() -> None:
    evening = Evening()
    people = players(evening, 3)
    for page in people:
        page.says(READY)
    people[2].loses_connection()
    evening.until(lambda: evening.phase() is Phase.RESULT, LONG)
    people[0].says(READY)
    people[1].says(READY)
    assert evening.phase() is Phase.PLAYING


def test_who_is_ready_and_looks_away_is_not_waited_for() -> None:
    evening = Evening()
    ann, bob = players(evening, 2)
    ann.says(READY)
    ann.hides()
    bob.says(READY)
    assert evening.phase() is Phase.PLAYING


def test_who_sits_down_after_a_game_sees_how_it_ended_as_a_watcher_does() -> None:
    evening = Evening()
    people = players(evening, 2)
    play_a_game(evening, people)
    cid = evening.joins("Cid")
    view = cid.last(Welcome).view
    assert view is not None
    assert view.viewer is None
    assert view.ended is not None


def test_a_new_game_has_no_last_race() -> None:
    evening = Evening()
    people = players(evening, 2)
    play_a_game(evening, people)
    assert evening.table.record.race is not None
    for page in people:
        page.says(READY)
    people[1].connects()
    assert people[1].last(Welcome).race is None


def test_every_bot_that_sits_down_is_a_new_one_and_of_the_level_it_was_asked_for() -> None:
    made: list[str] = []

    def maker(level: str) -> Puppet:
        made.append(level)
        return Puppet()

    evening = Evening(bots=maker)
    people = players(evening, 1)
    people[0].says(AddBot(Level.SHARP))
    play_a_game(evening, people)
    play_a_game(evening, people)
    assert made == ["sharp"], "it stays the same as long as it sits there"
    for level in (Level.GENTLE, Level.GENTLE):
        people[0].says(Remove(2), AddBot(level))
        play_a_game(evening, people)
    assert made == ["sharp", "gentle", "gentle"]
