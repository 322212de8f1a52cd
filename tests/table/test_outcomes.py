"""Rated games, and what is kept of a finished one: who played, how it came out, and who left."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from slamomatic.game import CLASSIC, MODERN, PRESETS
from slamomatic.game.edition import Tie
from slamomatic.game.scoring import score
from slamomatic.table.guests import Guest
from slamomatic.table.log import GameBegan, SeatHandedOver
from slamomatic.table.outcome import Outcome, counted
from slamomatic.table.output import Refusal
from slamomatic.table.protocol import (
    AddBot,
    Ban,
    Leave,
    Level,
    Phase,
    Ready,
    RefusalCode,
    Remove,
    SetEdition,
    SetListed,
    SetRated,
    TableChanged,
    VoteEnd,
)
from tests.table.evening import GAME, Evening, deal_of, evening_of
from tests.table.pages import SECOND, Page, Player, at_once

READY = Ready(ready=True)
FOR = VoteEnd(end=True)
LONG = 3_600 * SECOND
DUEL = deal_of(MODERN, {1: "5 5 8 9", 2: "2 3 4 6"}, dealer=2)


def guest(evening: Evening, name: str) -> Page:
    """Somebody this server knows, who plays."""
    page = Player(evening, name, evening.rng, down=at_once, up=at_once, frame=at_once)
    page.guest = Guest(f"person {name}", len(name))
    page.is_keen = False
    return page


def party(*names: str, rated: bool = True) -> tuple[Evening, list[Page]]:
    evening = Evening(edition=CLASSIC, rated=rated)
    return evening, [evening.joins(guest(evening, name)) for name in names]


def begin(pages: list[Page]) -> None:
    for page in pages:
        page.says(READY)


def played(evening: Evening) -> Outcome:
    """How the game at this table came out."""
    evening.until(lambda: evening.finished, 2 * LONG)
    (outcome,) = evening.finished
    return outcome


# Rated tables.


def test_only_people_this_server_knows_sit_down_at_a_rated_table() -> None:
    evening, (ann, _) = party("Ann", "Bob")
    assert ann.last(TableChanged).table.rated
    assert evening.table.row().rated
    with pytest.raises(Refusal, match="become one first") as refused:
        evening.sits("Eve")
    assert refused.value.code is RefusalCode.NO_PERSON


def test_and_no_bot() -> None:
    evening, (ann, _) = party("Ann", "Bob")
    ann.says(AddBot(Level.SHARP))
    assert ann.refused() is RefusalCode.NOT_NOW
    assert len(evening.table.record.seats) == 2


def test_rated_games_are_played_by_the_book() -> None:
    house = replace(CLASSIC, free_fakes=5)
    evening, (ann, _) = party("Ann", "Bob")
    for edition in PRESETS.values():
        ann.says(SetEdition(edition))
        assert ann.refused() is None
    ann.says(SetEdition(house))
    assert ann.refused() is RefusalCode.UNFIT_EDITION
    assert evening.table.record.edition != house
    with pytest.raises(Refusal, match="by the book: Classic, "):
        Evening(edition=house, rated=True)


def test_a_table_becomes_rated_only_if_it_can_be_and_only_before_a_game() -> None:
    evening, (ann, bob) = party("Ann", "Bob", rated=False)
    bob.says(SetRated(rated=True))
    assert bob.refused() is RefusalCode.NOT_HOST
    ann.says(SetEdition(replace(CLASSIC, free_fakes=5)), SetRated(rated=True))
    assert ann.refused() is RefusalCode.UNFIT_EDITION
    ann.says(SetEdition(CLASSIC), AddBot(Level.SHARP), SetRated(rated=True))
    assert ann.refused() is RefusalCode.NOT_NOW
    ann.says(Remove(3))
    evening.joins("Cid")
    ann.says(SetRated(rated=True))
    assert ann.refused() is RefusalCode.NO_PERSON
    bob.says(READY)
    ann.says(Remove(3), SetRated(rated=True))
    assert bob.last(TableChanged).table.rated
    assert not any(seat.ready for seat in bob.last(TableChanged).table.seats), "for what nobody has seen"
    begin([ann, bob])
    ann.says(SetRated(rated=False))
    assert ann.refused() is RefusalCode.NOT_NOW


def test_nobody_is_sent_away_from_a_rated_game() -> None:
    evening, (ann, bob) = party("Ann", "Bob")
    begin([ann, bob])
    for message in (Remove(2), Ban(2)):
        ann.says(message)
        assert ann.refused() is RefusalCode.NOT_NOW
    assert bob.connected
    assert not any(isinstance(entry, SeatHandedOver) for entry in evening.log)


def test_who_left_is_not_in_the_next_game_and_makes_room() -> None:
    evening, (ann, bob, cid) = party("Ann", "Bob", "Cid")
    begin([ann, bob, cid])
    bob.says(Leave())
    played(evening)
    begin([ann, cid])
    assert evening.phase() is Phase.PLAYING
    assert [entry.dealt.seats for entry in evening.log if isinstance(entry, GameBegan)] == [(1, 2, 3), (1, 3)]
    cid.says(Leave())
    evening.until(lambda: len(evening.finished) == 2, 2 * LONG)
    ann.says(READY)
    evening.wait(60 * SECOND)
    assert evening.phase() is Phase.RESULT, "a bot is no company in a rated game"
    assert evening.joins(guest(evening, "Dee"), 3).seat == 3


# What is kept of a game.


def test_what_is_kept_of_a_game_is_how_it_was_counted() -> None:
    evening, (ann, bob) = party("Ann", "Bob", rated=False)
    ann.says(AddBot(Level.SHARP))
    begin([ann, bob])
    began_us = evening.now
    outcome = played(evening)
    state = evening.table.record.state
    assert state is not None
    counts = {count.seat: count for count in score(state)}
    assert (outcome.code, outcome.number, outcome.edition) == ("SLAMMED", 1, "Classic")
    assert (outcome.rated, outcome.public, outcome.called_off) == (False, True, False)
    assert (outcome.began_us, outcome.ended_us) == (began_us, evening.now)
    assert [(player.seat, player.name) for player in outcome.players][:2] == [(1, "Ann"), (2, "Bob")]
    assert [player.person for player in outcome.players] == ["person Ann", "person Bob", None]
    assert [player.bot for player in outcome.players] == [None, None, Level.SHARP]
    assert not any(player.left for player in outcome.players)
    for player in outcome.players:
        assert player.points == counts[player.seat].total
        assert player.won == counts[player.seat].wins == (player.place == 1)
        assert player.place == 1 + sum(count.total > player.points for count in counts.values())


def test_the_id_of_a_game_is_told_once_it_is_over() -> None:
    evening, (ann, bob) = party("Ann", "Bob")
    begin([ann, bob])
    assert ann.last(TableChanged).table.last_game is None
    outcome = played(evening)
    assert ann.last(TableChanged).table.last_game == outcome.game
    assert len(outcome.game) >= 16
    begin([ann, bob])
    assert ann.last(TableChanged).table.last_game == outcome.game, "the last finished one"
    evening.restart()
    assert evening.table.table_view(evening.now).last_game == outcome.game


def test_no_two_games_have_the_same_id() -> None:
    ids = set()
    for seed in range(20):
        evening = Evening(seed=seed)
        ann = evening.joins("Ann")
        ann.says(AddBot(Level.SHARP), READY)
        ids |= {entry.game for entry in evening.log if isinstance(entry, GameBegan)}
    assert len(ids) == 20


def test_a_private_table_keeps_its_games_private() -> None:
    evening, (ann, bob) = party("Ann", "Bob")
    ann.says(SetListed(listed=False))
    begin([ann, bob])
    assert not played(evening).public


@pytest.mark.parametrize("leaver", [0, 1, 2])
def test_leaving_a_rated_game_is_the_last_place_whatever_the_bot_makes_of_it(leaver: int) -> None:
    evening, pages = party("Ann", "Bob", "Cid")
    begin(pages)
    pages[leaver].says(Leave())
    outcome = played(evening)
    gone = outcome.players[leaver]
    assert (gone.left, gone.won, gone.place, gone.bot) == (True, False, 3, None)
    assert gone.person == f"person {pages[leaver].name}", "and it is his"
    stayed = [player for player in outcome.players if player is not gone]
    for player in stayed:
        assert player.place == 1 + sum(other.points > player.points for other in stayed)
        assert player.won == (player.place == 1)


def test_in_any_other_game_the_count_stands_but_who_left_has_not_won() -> None:
    left_first = False
    for seed in range(12):
        evening = Evening(edition=CLASSIC, seed=seed)
        pages = [evening.joins(guest(evening, name)) for name in ("Ann", "Bob")]
        begin(pages)
        pages[1].says(Leave())
        outcome = played(evening)
        ann, bob = outcome.players
        assert (ann.place, bob.place) == (1 + (bob.points > ann.points), 1 + (ann.points > bob.points))
        assert bob.left
        assert not bob.won
        left_first |= bob.place == 1
    assert left_first


def test_equals_share_the_better_place() -> None:
    edition = replace(CLASSIC, tie=Tie.SHARED)
    hands = {1: "2 2", 2: "3 3", 3: "4 4"}
    evening, _ = evening_of(deal_of(edition, hands, pile="", dealer=3))
    record = evening.table.record
    assert record.state is not None
    tied = replace(record.state, hands=((), (), ()), laid=((), (), ()))
    outcome = counted(replace(record, state=tied), evening.now)
    assert [(player.place, player.won) for player in outcome.players] == [(1, True)] * 3


def test_who_was_gone_when_a_game_was_called_off_is_last_and_nobody_has_won() -> None:
    evening, (ann, bob, cid) = party("Ann", "Bob", "Cid")
    begin([ann, bob, cid])
    evening.wait(10 * SECOND)
    bob.says(Leave())
    ann.says(FOR)
    cid.says(FOR)
    outcome = played(evening)
    assert (outcome.called_off, outcome.ended_us) == (True, evening.now)
    assert [(player.place, player.left) for player in outcome.players] == [(1, False), (3, True), (1, False)]
    assert not any(player.won or player.points for player in outcome.players)
    assert ann.last(TableChanged).table.last_game == outcome.game


def test_a_game_without_people_of_this_server_is_kept_too() -> None:
    evening, pages = evening_of(DUEL)
    pages[2].says(Leave())
    pages[1].says(FOR)
    outcome = played(evening)
    assert outcome.game == GAME
    assert [player.person for player in outcome.players] == [None, None]
