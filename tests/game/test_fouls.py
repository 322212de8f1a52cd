"""A player's errors at the unit."""

import pytest
from msgspec.structs import replace

from slamomatic.game import CLASSIC, MODERN, Draw, Edition, IllegalCommand, Lay, Pass, Slam, Take, legal, play
from slamomatic.game.cards import Card
from slamomatic.game.commands import Judge
from slamomatic.game.duties import MustBury
from slamomatic.game.edition import EmptySlam, JamRuling
from slamomatic.game.events import CardBuried, Event, Judged, Outcome, TurnBegan, TurnEnd, TurnEnded
from tests.game.positions import Script, after, cards, events_of, hand, kinds, pair, position, says, take

MODERN_LOSING_A_CARD = replace(MODERN, name="Modern, losing a card", empty_slam=EmptySlam.LOSES_CARD)
CLASSIC_ENDING_THE_TURN = replace(CLASSIC, name="Classic, ending the turn", empty_slam=EmptySlam.ENDS_TURN)
CLASSIC_WITH_SHORT_PRESSES = replace(CLASSIC, name="Classic with short presses", full_press_ms=30)
VOID_CLASSIC = replace(CLASSIC, name="Classic with void jams", jam=JamRuling.VOID)


def outcome(events: list[Event]) -> Outcome:
    judged = events[0]
    assert isinstance(judged, Judged)
    return judged.outcome


# Touching without a pair, Classic.


def test_c8_the_toucher_loses_a_card_picked_by_the_player_on_the_left_to_the_bottom_of_the_pile() -> None:
    state = after(position(CLASSIC, "3: 3 4", "1: 9", "2: 8", "4: 10", pile="5 6"), Slam(3), says(1))
    assert state.duties == (MustBury(4, 3),)
    assert state.to_act == 4
    assert legal(state) == (Take(4, 3, 0), Take(4, 3, 1))
    assert events_of(state, Take(4, 3, 1), Script((0, 2))) == [CardBuried(4, 3, 1, Card.THREE, aside=False)]
    state = take(state, "3")
    assert state.hand(3) == hand("4")
    assert state.pile == (Card.FIVE, Card.SIX, Card.THREE)


def test_c8_the_turn_goes_on_and_nobody_else_loses_a_card() -> None:
    state = after(position(CLASSIC, "1: 3 4", "2: 9", "3: 8", pile="5 6"), Slam(1), says(2))
    state = take(state, "3")
    assert state.turn == 1
    assert state.to_act == 1
    assert kinds(state) == ["Slam", "Fake", "Pass"]
    assert (state.hand(2), state.hand(3)) == (hand("9"), hand("8"))


def test_c8_the_second_such_touch_in_one_turn_ends_it() -> None:
    state = take(after(position(CLASSIC, "1: 3 4", "2: 9", "3: 8", pile="5 6"), Slam(1), says(2)), "3")
    state = after(state, Slam(1), says(3))
    assert state.duties == (MustBury(2, 1),)
    events = events_of(state, Take(2, 1, 0))
    assert [type(event) for event in events] == [CardBuried, TurnEnded, TurnBegan]
    assert TurnEnded(1, TurnEnd.EMPTY) in events
    state = after(state, Take(2, 1, 0))
    assert state.turn == 2
    assert legal(state) == (Draw(2),)


def test_c8_the_count_begins_anew_with_each_turn() -> None:
    state = take(after(position(CLASSIC, "1: 3 4", "2: 9", pile="5 6"), Slam(1), says(2)), "3")
    state = after(state, Pass(1), Draw(2))
    state = take(after(state, Slam(2), says(1)), "9")
    assert state.turn == 2
    assert state.to_act == 2


def test_c8_the_picker_may_have_an_empty_hand() -> None:
    state = after(position(CLASSIC, "1: 3 4", "2:", "3: 8", pile="5 6"), Slam(1), says(3))
    assert state.to_act == 2


def test_c8_the_last_card_may_go_and_then_only_the_pass_is_left() -> None:
    state = take(after(position(CLASSIC, "1: 3", "2: 9", "3: 8", pile="5 6"), Slam(1), says(3)), "3")
    assert state.hand(1) == ()
    assert legal(state) == (Pass(1),)


@pytest.mark.parametrize("verdict", [says(2), says(2, 3), says(jam=True), says(3, early=(2,)), says(2, early=(2, 3))])
def test_c8_without_a_pair_whatever_else_the_unit_read_counts_for_nothing(verdict: Judge) -> None:
    before = position(CLASSIC, "1: 3 4", "2: 9", "3: 8", pile="5 6")
    state = after(before, Slam(1), verdict)
    assert state.duties == (MustBury(2, 1),)
    assert (state.hands, state.pile, state.laid) == (before.hands, before.pile, before.laid)


@pytest.mark.parametrize("held", ["3 sad", "smiling", "smiling sad", "3"])
def test_c8_jokers_alone_make_no_pair(held: str) -> None:
    state = after(position(CLASSIC, f"1: {held}", "2: 9", "3: 8"), Slam(1), says(2))
    assert state.duties == (MustBury(2, 1),)


def test_b10_nobody_takes_part_and_still_c8_or_m9_holds() -> None:
    classic = after(position(CLASSIC, "1: 3 4", "2:", "3:", pile="5"), Slam(1))
    assert classic.duties == (MustBury(2, 1),)
    modern = after(position(MODERN, "1: 3 4", "2:", "3:", pile="5"), Slam(1))
    assert modern.turn == 2


def test_c9_a_card_lost_once_the_pile_is_empty_is_set_aside() -> None:
    state = after(position(CLASSIC, "1: 3 4", "2: 9", "3: 8", pile=""), Slam(1), says(2))
    assert events_of(state, Take(2, 1, 0), Script((1, 2))) == [CardBuried(2, 1, 0, Card.FOUR, aside=True)]
    state = take(state, "4")
    assert state.pile == ()
    assert state.aside == (hand("4"), (), ())
    assert state.hand(1) == hand("3")


def test_c8_in_a_game_that_outlives_its_pile_the_card_goes_under_it_all_the_same() -> None:
    """House rules: C9 is not in play, so nothing is closed and nothing lies aside; all pairs can still be laid."""
    state = take(after(position(MODERN_LOSING_A_CARD, "1: 3 4", "2: 9", "3: 8", pile=""), Slam(1), says(2)), "4")
    assert state.pile == hand("4")
    assert state.aside == ((), (), ())
    assert legal(after(state, Pass(1))) == (Draw(2),)


# Touching without a pair, Modern.


def test_m9_touching_without_a_pair_ends_the_turn_and_nobody_loses_a_card() -> None:
    before = position(MODERN, "1: 3 4", "2: 9", "3: 8", pile="5 6")
    for verdict in (says(2), says(2, 3), says(3, early=(2,)), says(early=(2, 3))):
        state = after(before, Slam(1))
        events = events_of(state, verdict)
        assert [type(event) for event in events] == [Judged, TurnEnded, TurnBegan]
        assert TurnEnded(1, TurnEnd.EMPTY) in events
        state = after(state, verdict)
        assert (state.hands, state.pile) == (before.hands, before.pile)
        assert legal(state) == (Draw(2),)


@pytest.mark.parametrize("held", ["3 4", "7 7"])
def test_m9_short_press_then_jam_then_missing_pair_then_race(held: str) -> None:
    state = after(position(MODERN, f"1: {held}", "2: 9", "3: 8", "4: 10"), Slam(1))
    assert outcome(events_of(state, says(short=True))) is Outcome.SHORT
    assert outcome(events_of(state, says(early=(2,), jam=True))) is Outcome.VOID
    race = Outcome.PAIR if held == "7 7" else Outcome.EMPTY
    assert outcome(events_of(state, says(3, early=(2,)))) is race


def test_m9_after_a_short_press_a_jam_or_a_missing_pair_nobody_pays() -> None:
    for held, verdict in (
        ("7 7", says(short=True)),
        ("7 7", says(early=(2,), jam=True)),
        ("3 4", says(3, early=(2,))),
    ):
        before = position(MODERN, f"1: {held}", "2: 9", "3: 8", "4: 10", pile="5 6")
        state = after(before, Slam(1), verdict)
        assert state.hands == before.hands
        assert not any(isinstance(command, Take) for command in legal(state))


# Short presses.


@pytest.mark.parametrize("held", ["3 7 7", "3 4"])
def test_m8_a_short_press_ends_the_turn_and_nothing_else_counts(held: str) -> None:
    before = position(MODERN, f"1: {held}", "2: 9", "3: 8", pile="5 6")
    state = after(before, Slam(1))
    events = events_of(state, says(short=True))
    assert [type(event) for event in events] == [Judged, TurnEnded, TurnBegan]
    assert TurnEnded(1, TurnEnd.SHORT) in events
    state = after(state, says(short=True))
    assert state.hands == before.hands
    assert state.laid == before.laid
    assert legal(state) == (Draw(2),)


def test_m8_tells_nothing_of_a_pair() -> None:
    shown = [
        events_of(after(position(MODERN, f"1: {held}", "2: 9", "3: 8", pile="5"), Slam(1)), says(short=True))
        for held in ("3 7 7", "3 4 7")
    ]
    assert shown[0] == shown[1]


@pytest.mark.parametrize(
    ("edition", "counts"),
    [
        (MODERN, True),
        (CLASSIC_WITH_SHORT_PRESSES, True),
        (CLASSIC, False),
        (replace(MODERN, name="Switches welcome", full_press_ms=0), False),
    ],
)
def test_m8_the_edition_says_whether_there_is_such_a_foul(edition: Edition, counts: bool) -> None:
    state = after(position(edition, "1: 7 7", "2: 9", "3: 8"), Slam(1))
    if counts:
        assert after(state, says(short=True)).turn == 2
    else:
        with pytest.raises(IllegalCommand, match="verdict"):
            play(state, says(short=True), Script())


def test_m8_thirty_milliseconds_are_a_full_press() -> None:
    assert MODERN.full_press_ms == 30
    assert CLASSIC.full_press_ms == 0


def test_m8_a_short_press_tells_nothing_more() -> None:
    state = after(position(MODERN, "1: 7 7", "2: 9", "3: 8"), Slam(1))
    for verdict in (says(2, short=True), says(early=(2,), short=True), says(jam=True, short=True)):
        with pytest.raises(IllegalCommand, match="verdict"):
            play(state, verdict, Script())


# House rules.


def test_m9_in_the_classic_game() -> None:
    state = after(position(CLASSIC_ENDING_THE_TURN, "1: 3 4", "2: 9", "3: 8", pile="5 6"), Slam(1), says(2))
    assert state.turn == 2


def test_m7_in_the_classic_game_a_jam_hides_a_missing_pair() -> None:
    state = after(position(VOID_CLASSIC, "1: 3 4", "2: 9", "3: 8", pile="5 6"), Slam(1), says(jam=True))
    assert state.to_act == 1
    assert state.duties == ()


def test_c8_in_the_modern_game() -> None:
    state = take(after(position(MODERN_LOSING_A_CARD, "1: 3 4", "2: 9", "3: 8", pile="5"), Slam(1), says(2)), "3")
    assert state.pile == cards("5 3")
    assert state.turn == 1


def test_c8_a_pair_laid_is_no_excuse_for_a_second_touch_without_one() -> None:
    state = position(CLASSIC, "1: 3 7 7", "2: 9", "3: 8 10", pile="5 6")
    state = take(after(state, Slam(1), says(3), Lay(1, pair("7 7"))), "8")
    state = take(after(state, Slam(1), says(3)), "3")
    state = after(state, Slam(1), says(3), Take(2, 1, 0))
    assert state.turn == 2


def test_b13_a_touch_when_nothing_is_going_on_is_no_move_of_the_game() -> None:
    """The rules know no such move and nothing changes; the table gives the lockout."""
    state = position(CLASSIC, "1: 3 4", "2: 7 7", "3: 8")
    for seat in (2, 3):
        with pytest.raises(IllegalCommand, match="hand 1 to act"):
            play(state, Slam(seat), Script())
    with pytest.raises(IllegalCommand, match="nothing for the unit to judge"):
        play(state, says(2), Script())
