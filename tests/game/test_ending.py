"""How turns and games end."""

from random import Random

import pytest
from msgspec.structs import replace

from slamomatic.game import (
    CLASSIC,
    MODERN,
    Card,
    Deck,
    Draw,
    Edition,
    Fake,
    IllegalCommand,
    Lay,
    Pass,
    Slam,
    State,
    Take,
    deal,
    legal,
    play,
    score,
)
from slamomatic.game.duties import Why
from slamomatic.game.edition import JamRuling
from slamomatic.game.events import (
    CardBuried,
    CardDrawn,
    CardTaken,
    GameEnd,
    GameEnded,
    Passed,
    TurnBegan,
    TurnEnd,
    TurnEnded,
)
from tests.game.positions import Script, after, cards, events_of, hand, kinds, pair, position, says, take

TWOS = replace(MODERN, name="Ones and twos", deck=Deck(highest=2, smiling=True, sad=False))
"""Eight numbered cards and the joker: four pairs end the game."""


# Turns.


def test_b7_a_pass_ends_the_turn_and_the_next_to_the_left_draws() -> None:
    state = position(CLASSIC, "1: 3", "2: 9", "4: 8", pile="5 6")
    events = events_of(state, Pass(1))
    assert [type(event) for event in events] == [Passed, TurnEnded, TurnBegan]
    assert events[1] == TurnEnded(1, TurnEnd.PASS)
    state = after(state, Pass(1), Draw(2), Pass(2))
    assert state.to_act == 4


def test_m11_a_pass_needs_no_reason_while_there_is_a_pile() -> None:
    state = position(MODERN, "1: 7 7", "2: 9", pile="5")
    assert Pass(1) in legal(state)
    assert after(state, Pass(1)).hand(1) == hand("7 7")


def test_m11_once_the_pile_is_out_one_may_not_pass_with_a_pair() -> None:
    state = position(MODERN, "1: 3 7 7", "2: 9", "3: 8", pile="")
    assert kinds(state) == ["Slam", "Fake"]
    with pytest.raises(IllegalCommand, match="you must slam"):
        play(state, Pass(1), Script())
    state = take(after(state, Slam(1), says(2), Lay(1, pair("7 7"))), "9")
    assert kinds(state) == ["Slam", "Fake", "Pass"]


def test_m11_without_a_pair_one_may_always_pass() -> None:
    assert Pass(1) in legal(position(MODERN, "1: 3 7 smiling", "2: 9", pile=""))
    assert Pass(1) in legal(position(MODERN, "1:", "2: 9", pile=""))


def test_m11_a_short_press_ends_the_turn_even_so() -> None:
    state = after(position(MODERN, "1: 7 7", "2: 9", "3: 8", pile=""), Slam(1), says(short=True))
    assert state.turn == 2
    assert state.hand(1) == hand("7 7")


def test_m11_after_a_jam_the_duty_is_still_there() -> None:
    state = after(position(MODERN, "1: 7 7", "2: 9", "3: 8", pile=""), Slam(1), says(jam=True))
    assert kinds(state) == ["Slam", "Fake"]


def test_m11_in_classic_one_passes_with_a_pair_to_the_end() -> None:
    assert Pass(1) in legal(position(CLASSIC, "1: 7 7", "2: 9", pile=""))


# The last card, Classic.


def test_c9_who_draws_the_last_card_completes_the_turn_and_then_the_game_ends() -> None:
    state = after(position(CLASSIC, "2: 8", "1: 3 7", "3: 9 10", pile="7"), Pass(2))
    # Seat 3 is to the left of seat 2.
    state = after(state, Draw(3))
    assert state.pile == ()
    assert state.ended is None
    assert kinds(state) == ["Slam", "Fake", "Pass"]
    events = events_of(state, Pass(3))
    assert events == [Passed(3), TurnEnded(3, TurnEnd.PASS), GameEnded(GameEnd.LAST_CARD)]
    state = after(state, Pass(3))
    assert state.ended is GameEnd.LAST_CARD
    assert state.to_act is None
    assert legal(state) == ()


def test_c9_the_whole_turn_slams_and_fakes_included() -> None:
    state = after(position(CLASSIC, "1: 3", "2: 7 9", "3: 8 9", pile="7"), Pass(1), Draw(2))
    state = take(after(state, Slam(2), says(3), Lay(2, pair("7 7"))), "9")
    state = take(after(state, Slam(2), says(1), Lay(2, pair("9 9"))), "3")
    state = take(after(state, Fake(2), says(early=(3,))), "8")
    assert state.ended is None
    assert after(state, Pass(2)).ended is GameEnd.LAST_CARD


def test_c9_by_a_jam_too() -> None:
    state = after(position(CLASSIC, "1: 3 7 7", "2: 9", "3: 8", pile="5"), Slam(1), says(jam=True), Lay(1, pair("7 7")))
    assert state.pile == ()
    assert state.ended is None
    assert after(state, Pass(1)).ended is GameEnd.LAST_CARD


def test_c9_a_second_touch_without_a_pair_ends_the_last_turn_and_the_game() -> None:
    state = after(position(CLASSIC, "1: 3 4", "2: 9", "3: 8", pile=""), Slam(1), says(2))
    state = after(take(state, "3"), Slam(1), says(2))
    events = events_of(state, Take(2, 1, 0))
    assert events == [
        CardBuried(2, 1, 0, Card.FOUR, aside=True),
        TurnEnded(1, TurnEnd.EMPTY),
        GameEnded(GameEnd.LAST_CARD),
    ]
    state = take(state, "4")
    assert state.aside[0] == hand("3 4")
    assert state.pile == ()


def test_c9_a_card_put_under_the_pile_in_time_puts_the_end_off() -> None:
    state = take(after(position(CLASSIC, "1: 3 4", "2: 9", "3: 8", pile="5"), Slam(1), says(2)), "3")
    assert state.pile == cards("5 3")
    state = after(state, Pass(1), Draw(2), Pass(2))
    assert state.ended is None
    state = after(state, Draw(3), Pass(3))
    assert state.ended is GameEnd.LAST_CARD


# All pairs, Modern.


def test_m12_the_game_ends_when_all_but_the_joker_is_laid_after_the_last_pairs_card_is_taken() -> None:
    state = position(TWOS, "1: 2 2", "2: smiling | 1 1, 1 1", "3: | 2 2", pile="")
    state = after(state, Slam(1), says(2), Lay(1, pair("2 2")))
    assert state.ended is None
    events = events_of(state, Take(1, 2, 0))
    assert events == [CardTaken(1, 2, 0, Card.SMILING, Why.LAST), GameEnded(GameEnd.ALL_PAIRS)]
    state = take(state, "smiling")
    assert state.ended is GameEnd.ALL_PAIRS
    assert state.hand(1) == hand("smiling")
    assert legal(state) == ()


def test_m12_an_early_touchers_card_is_taken_too() -> None:
    state = position(TWOS, "1: 2 2", "2: smiling | 1 1, 1 1", "3: | 2 2", pile="")
    state = after(state, Slam(1), says(early=(2,)), Lay(1, pair("2 2")))
    assert state.ended is None
    assert take(state, "smiling").ended is GameEnd.ALL_PAIRS


def test_m12_nobody_to_take_from_the_game_ends_at_once() -> None:
    state = after(position(TWOS, "1: 2 2 smiling", "2: | 1 1, 1 1", "3: | 2 2", pile=""), Slam(1))
    events = events_of(state, Lay(1, pair("2 2")))
    assert events[-1] == GameEnded(GameEnd.ALL_PAIRS)
    assert after(state, Lay(1, pair("2 2"))).hand(1) == hand("smiling")


def test_m12_a_joker_still_in_the_pile_goes_to_who_laid_the_last_pair() -> None:
    state = after(position(TWOS, "1: 2 2", "2: | 1 1, 1 1", "3: | 2 2", pile="smiling"), Slam(1))
    events = events_of(state, Lay(1, pair("2 2")))
    assert events[1:] == [CardDrawn(1, Card.SMILING, Why.END), GameEnded(GameEnd.ALL_PAIRS)]
    state = after(state, Lay(1, pair("2 2")))
    assert state.hand(1) == hand("smiling")
    assert state.pile == ()


def test_m12_not_before_the_last_pair() -> None:
    state = after(position(TWOS, "1: 2 2", "2: 1 smiling | 1 1", "3: 1 | 2 2", pile=""), Slam(1), says(2))
    state = take(after(state, Lay(1, pair("2 2"))), "smiling")
    assert state.ended is None
    assert kinds(state) == ["Slam", "Fake", "Pass"]


def test_m12_the_pile_running_out_does_not_end_the_game() -> None:
    state = after(position(MODERN, "1: 3", "2: 9", "3: 8", pile="5"), Pass(1), Draw(2), Pass(2))
    assert state.ended is None
    assert kinds(state) == ["Take"]


def test_m12_twenty_pairs_and_the_points_sum_to_twenty_two() -> None:
    rng = Random(5)
    state = deal(MODERN, 3, rng)
    while state.ended is None:
        commands = legal(state)
        state = play(state, commands[int(rng.random() * len(commands))], rng).state
    assert state.ended is GameEnd.ALL_PAIRS
    assert sum(map(len, state.laid)) == 20
    assert sum(count.total for count in score(state)) == 22


# Stalls.


def stalling(players: int, turn: int, paired: int = 0, edition: Edition = MODERN) -> State:
    hands = ("1: 3", "2: 9", "3: 8", "4: 10")
    return position(edition, *hands[:players], pile="5 6 2", turn_number=turn, paired_turn=paired)


@pytest.mark.parametrize(("players", "limit"), [(2, 50), (3, 75), (4, 100)])
@pytest.mark.parametrize("edition", [CLASSIC, MODERN])
def test_b14_so_many_turns_in_a_row_without_a_pair_end_the_game(players: int, limit: int, edition: Edition) -> None:
    assert after(stalling(players, limit - 1, edition=edition), Pass(1)).ended is None
    events = events_of(stalling(players, limit, edition=edition), Pass(1))
    assert events == [Passed(1), TurnEnded(1, TurnEnd.PASS), GameEnded(GameEnd.STALL)]


def test_b14_a_pair_laid_begins_the_count_anew() -> None:
    assert after(stalling(2, 59, paired=10), Pass(1)).ended is None
    assert after(stalling(2, 60, paired=10), Pass(1)).ended is GameEnd.STALL
    state = position(MODERN, "1: 3 7 7", "2: 9", pile="5 6 2", turn_number=50)
    state = take(after(state, Slam(1), says(2), Lay(1, pair("7 7"))), "9")
    assert after(state, Pass(1)).ended is None


def test_b14_fifty_turns_played_out() -> None:
    state = position(CLASSIC, "1: 3", "2: 9", pile="1 2 " * 30)
    for turn in range(1, 50):
        assert state.turn_number == turn
        state = after(state, Pass(state.turn))
        state = after(state, Draw(state.turn))
    assert state.ended is None
    assert after(state, Pass(state.turn)).ended is GameEnd.STALL


def test_b14_fifty_slams_and_fakes_in_one_turn_end_turn_and_game() -> None:
    state = position(MODERN, "1: 7 7", "2: 9", "3: 8", pile="5 6")
    state = after(state, Fake(1), says(), Fake(1), says())
    for _ in range(47):
        state = after(state, Slam(1), says(jam=True))
    assert state.ended is None
    state = after(state, Slam(1))
    events = events_of(state, says(jam=True))
    assert events[1:] == [TurnEnded(1, TurnEnd.STALL), GameEnded(GameEnd.STALL)]


def test_b14_what_the_fiftieth_action_costs_is_paid_first() -> None:
    state = position(CLASSIC, "1: 3", "2: 9", "3: 8", pile="5 6", idle_actions=49)
    state = after(state, Fake(1), says(early=(2,)))
    assert state.ended is None
    state = take(state, "9")
    assert state.ended is GameEnd.STALL
    assert state.hand(1) == hand("3 9")


def test_b14_the_fiftieth_action_may_still_be_a_pair() -> None:
    state = position(CLASSIC, "1: 3 7 7", "2: 9", "3: 8", pile="5 6", idle_actions=49)
    state = take(after(state, Slam(1), says(2), Lay(1, pair("7 7"))), "9")
    assert state.ended is None
    assert state.to_act == 1


def test_b14_a_pair_laid_in_the_turn_begins_the_count_of_actions_anew() -> None:
    state = position(MODERN, "1: 3 3 7 7", "2: 9 10", "3: 8", pile="5 6", idle_actions=40)
    state = take(after(state, Slam(1), says(2), Lay(1, pair("7 7"))), "9")
    for _ in range(49):
        state = after(state, Slam(1), says(jam=True))
    assert state.ended is None
    assert after(state, Slam(1), says(jam=True)).ended is GameEnd.STALL


def test_b14_the_count_of_actions_begins_anew_with_each_turn() -> None:
    state = position(MODERN, "1: 7 7", "2: 9 9", "3: 8", pile="5 6", idle_actions=40)
    state = after(state, Pass(1), Draw(2))
    for _ in range(49):
        state = after(state, Slam(2), says(jam=True))
    assert state.ended is None
    assert after(state, Slam(2), says(jam=True)).ended is GameEnd.STALL


def test_b14_is_looked_at_after_c9() -> None:
    state = position(CLASSIC, "1: 3", "2: 9", pile="", turn_number=50)
    assert after(state, Pass(1)).ended is GameEnd.LAST_CARD


def test_b14_is_looked_at_after_m12() -> None:
    state = position(TWOS, "1: 2 2", "2: smiling | 1 1, 1 1", "3: | 2 2", pile="", turn_number=99, idle_actions=49)
    state = take(after(state, Slam(1), says(2), Lay(1, pair("2 2"))), "smiling")
    assert state.ended is GameEnd.ALL_PAIRS


def test_b14_a_stalled_game_is_scored_as_it_stands() -> None:
    state = position(MODERN, "1: 3 | 7 7", "2: 9 smiling", pile="5 6 2", turn_number=50)
    assert [count.total for count in score(after(state, Pass(1)))] == [1, 2]


# House rules.


def test_m12_a_jam_that_draws_leaves_the_end_as_it_is() -> None:
    state = position(replace(TWOS, jam=JamRuling.PILE_CARD), "1: 2 2", "2: 1 | 1 1", "3: 1 | 2 2", pile="smiling")
    state = after(state, Slam(1), says(jam=True), Lay(1, pair("2 2")))
    assert state.hand(1) == hand("smiling")
    assert state.ended is None
