"""How a turn begins."""

import pytest
from msgspec.structs import replace

from slamomatic.game import CLASSIC, MODERN, Card, Draw, Fake, IllegalCommand, Pass, Slam, State, Take, legal, play
from slamomatic.game.duties import MustDraw, Why
from slamomatic.game.edition import EmptyHandDraw
from slamomatic.game.events import CardDrawn, CardTaken
from tests.game.positions import Script, after, events_of, hand, kinds, position, take

CLASSIC_DRAWING_TWO = replace(CLASSIC, name="Classic, two for an empty hand", empty_hand_draw=EmptyHandDraw.TWO)


def next_turn(state: State) -> State:
    """The position after the active player passes."""
    return after(state, Pass(state.turn))


def test_b3_a_turn_begins_with_a_draw_even_with_a_pair_in_hand() -> None:
    state = next_turn(position(CLASSIC, "1: 3", "2: 7 7", pile="5 6"))
    assert state.to_act == 2
    assert legal(state) == (Draw(2),)
    for command in (Slam(2), Fake(2), Pass(2), Take(2, 1, 0)):
        with pytest.raises(IllegalCommand, match="draw"):
            play(state, command, Script())


def test_b3_turns_go_left_round_the_table() -> None:
    state = position(MODERN, "4: 3", "1: 8", "3: 9", pile="5 6 7 10")
    turns = []
    for _ in range(4):
        state = next_turn(state)
        turns.append(state.turn)
        state = after(state, Draw(state.turn))
    assert turns == [1, 3, 4, 1]


def test_b3_the_draw_is_asked_of_nobody_else() -> None:
    state = next_turn(position(CLASSIC, "1: 3", "2: 7 7", pile="5 6"))
    with pytest.raises(IllegalCommand, match="hand 2 to act"):
        play(state, Draw(1), Script())


def test_c3_one_card_from_the_top_of_the_pile() -> None:
    state = next_turn(position(CLASSIC, "1: 3", "2: 7", pile="5 6"))
    assert events_of(state, Draw(2)) == [CardDrawn(2, Card.FIVE, Why.TURN)]
    state = after(state, Draw(2))
    assert state.hand(2) == hand("5 7")
    assert state.pile == hand("6")
    assert kinds(state) == ["Slam", "Fake", "Pass"]


def test_c3_one_card_for_an_empty_hand_too() -> None:
    state = next_turn(position(CLASSIC, "1: 3", "2:", pile="5 6"))
    assert state.duties == (MustDraw(2),)
    state = after(state, Draw(2))
    assert state.hand(2) == hand("5")
    assert state.duties == ()


def test_m4_one_card_from_the_top_and_two_for_an_empty_hand() -> None:
    full = next_turn(position(MODERN, "1: 3", "2: 9", pile="5 6 7"))
    assert full.duties == (MustDraw(2),)
    empty = next_turn(position(MODERN, "1: 3", "2:", pile="5 6 7"))
    assert empty.duties == (MustDraw(2), MustDraw(2))
    empty = after(empty, Draw(2))
    assert legal(empty) == (Draw(2),)
    empty = after(empty, Draw(2))
    assert empty.hand(2) == hand("5 6")
    assert empty.duties == ()


def test_m4_a_hand_emptied_later_in_the_turn_draws_no_more() -> None:
    state = position(MODERN, "1: 3 3", "2:", pile="5 6")
    state = after(state, Slam(1))
    assert kinds(state) == ["Lay"]
    state = after(state, *legal(state))
    assert state.hand(1) == ()
    assert legal(state) == (Pass(1),)


def test_m5_the_pile_is_out_so_any_opponent_with_a_card_may_be_drawn_from() -> None:
    state = next_turn(position(MODERN, "1: 3", "2: 9", "4: 5 6", pile=""))
    assert legal(state) == (Take(2, 4, 0), Take(2, 4, 1), Take(2, 1, 0))
    assert events_of(state, Take(2, 4, 0), Script((1, 2))) == [CardTaken(2, 4, 0, Card.SIX, Why.TURN)]
    state = take(state, "6", loser=4)
    assert state.hand(2) == hand("6 9")
    assert state.hand(4) == hand("5")
    assert kinds(state) == ["Slam", "Fake", "Pass"]


def test_m5_an_empty_hand_draws_two_and_sees_the_first_before_it_chooses_again() -> None:
    state = next_turn(position(MODERN, "1: 3 4", "2:", "4: 5 6", pile=""))
    assert state.duties == (MustDraw(2), MustDraw(2))
    state = take(state, "6", loser=4)
    assert state.hand(2) == hand("6")
    assert {command.loser for command in legal(state) if isinstance(command, Take)} == {1, 4}
    for loser, left in ((4, "5 6"), (1, "3 6")):
        ended = take(state, left.split()[0], loser=loser)
        assert ended.hand(2) == hand(left)
        assert ended.duties == ()


def test_m5_the_second_draw_is_a_duty_while_anyone_has_a_card() -> None:
    state = take(next_turn(position(MODERN, "1: 3", "2:", "4: 5", pile="")), "5", loser=4)
    assert kinds(state) == ["Take"]
    with pytest.raises(IllegalCommand, match="pile is out"):
        play(state, Pass(2), Script())


def test_m6_fewer_cards_than_asked_for_take_what_there_is() -> None:
    state = next_turn(position(MODERN, "1: 3", "2:", "4:", pile=""))
    assert state.duties == (MustDraw(2),)
    state = take(state, "3")
    assert state.duties == ()
    assert state.hand(2) == hand("3")


def test_m6_one_card_in_the_pile_and_the_second_from_an_opponent() -> None:
    state = next_turn(position(MODERN, "1: 3", "2:", "4: 5", pile="8"))
    assert legal(state) == (Draw(2),)
    state = after(state, Draw(2))
    assert {command.loser for command in legal(state) if isinstance(command, Take)} == {1, 4}
    assert take(state, "5", loser=4).hand(2) == hand("5 8")


def test_m6_one_card_in_the_pile_and_nobody_holds_another() -> None:
    state = next_turn(position(MODERN, "1:", "2:", "4:", pile="8"))
    assert state.duties == (MustDraw(2),)
    assert after(state, Draw(2)).duties == ()


def test_m6_an_opponent_without_cards_cannot_be_chosen() -> None:
    state = next_turn(position(MODERN, "1: 3", "2: 9", "4:", pile=""))
    assert legal(state) == (Take(2, 1, 0),)
    for command in (Take(2, 4, 0), Take(2, 2, 0), Take(2, 1, 1), Take(2, 1, -1), Draw(2)):
        with pytest.raises(IllegalCommand, match="an opponent who has one"):
            play(state, command, Script())


def test_m6_nobody_has_a_card_so_the_turn_goes_on_without_a_draw() -> None:
    state = next_turn(position(MODERN, "1:", "2: 9", "4:", pile=""))
    assert state.to_act == 2
    assert legal(state) == (Slam(2), Pass(2))


def test_c9_two_are_owed_but_the_pile_has_one() -> None:
    """House rules: with no draw from opponents the pile's last card is all there is."""
    state = next_turn(position(CLASSIC_DRAWING_TWO, "1: 3", "2:", pile="8"))
    assert state.duties == (MustDraw(2),)
