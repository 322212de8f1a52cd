"""The engine and a second, naive telling of the rules agree on every move of every game."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from slamomatic.game import State, legal, perft, play
from slamomatic.game.events import CardBuried, CardTaken
from tests.game.naive import Naive, naive_perft
from tests.strategies import Habit, Setting, choose, games


def assert_same_position(state: State, naive: Naive) -> None:
    for seat, hand, laid, aside in zip(state.seats, state.hands, state.laid, state.aside, strict=True):
        assert list(hand) == sorted(naive.hands[seat])
        assert [list(pair) for pair in laid] == naive.laid[seat]
        assert list(aside) == sorted(naive.aside[seat])
    assert list(state.pile) == naive.pile
    assert state.turn == naive.me
    assert (state.ended or "") == naive.over


@settings(max_examples=500)
@given(games(), st.sampled_from(Habit))
def test_two_tellings_of_the_rules_agree_move_by_move(setting: Setting, habit: Habit) -> None:
    state, rng = setting.dealt()
    naive = Naive(state)
    for _ in range(700):
        assert_same_position(state, naive)
        commands = legal(state)
        assert set(commands) == naive.moves()
        if not commands:
            break
        command = choose(habit, state, commands, rng)
        state, events = play(state, command, rng)
        taken = [int(event.card or 0) for event in events if isinstance(event, CardTaken | CardBuried)]
        naive.do(command, *taken)


@settings(max_examples=20)
@given(games())
def test_two_tellings_of_the_rules_count_the_same_paths(setting: Setting) -> None:
    state, _ = setting.dealt()
    for depth in range(5):
        assert perft(state, depth) == naive_perft(Naive(state), depth)
