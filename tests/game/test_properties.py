"""What holds in every game, by whatever rules, and whatever is played."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from random import Random

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from slamomatic.game import (
    MODERN,
    Card,
    Command,
    Edition,
    IllegalCommand,
    Judge,
    Lay,
    State,
    View,
    dealt,
    decide,
    default,
    legal,
    play,
    score,
    seen,
    view,
)
from slamomatic.game.duties import AwaitVerdict
from slamomatic.game.edition import Ending, JokerPower, Scoring
from slamomatic.game.events import Event, GameEnd
from tests.strategies import SEEDS, Habit, Setting, choose, conceivable, games, positions, walk

HABITS = st.sampled_from(Habit)
encode = msgspec.json.encode


def check_invariants(state: State) -> None:
    """What must hold in every position."""
    edition = state.edition
    laid = [card for pairs in state.laid for pair in pairs for card in pair]
    held = [card for hand in state.hands for card in hand]
    aside = [card for cards in state.aside for card in cards]
    assert Counter([*state.pile, *held, *laid, *aside]) == Counter(edition.deck.cards)
    assert all(list(hand) == sorted(hand) for hand in (*state.hands, *state.aside))

    odd = [card for card, count in Counter(laid).items() if card.is_number and count % 2]
    if Card.SMILING in laid:
        assert edition.joker is JokerPower.WILD_ONCE
        assert len(odd) == 1
    else:
        assert odd == []
    assert Card.SAD not in laid

    if aside:
        assert edition.ending is Ending.LAST_CARD
        assert not state.pile
    assert 0 <= state.fizzled <= edition.free_fakes
    assert state.turn in state.seats
    waits_for_unit = bool(state.duties) and isinstance(state.duties[0], AwaitVerdict)
    assert (state.to_act is None) == (waits_for_unit or state.ended is not None)


def check_end(state: State) -> None:
    """What must hold once a game is over."""
    assert legal(state) == ()
    counts = score(state)
    best = max(count.total for count in counts)
    assert any(count.wins for count in counts)
    assert all(count.total == best for count in counts if count.wins)
    assert all(count.total == sum(line.points for line in count.lines) for count in counts)
    match state.ended:
        case GameEnd.LAST_CARD:
            assert state.edition.ending is Ending.LAST_CARD
            assert not state.pile
        case GameEnd.ALL_PAIRS:
            assert state.edition.ending is Ending.ALL_PAIRS
            assert not state.pile
            assert all(not card.is_number for hand in state.hands for card in hand)
            assert 2 * sum(map(len, state.laid)) == state.edition.deck.numbers
            if state.edition.scoring is Scoring.PAIRS:
                points = state.edition.deck.numbers // 2 + 2 * state.edition.deck.smiling
                assert sum(count.total for count in counts) == points
        case GameEnd.STALL:
            pass
        case None:
            pytest.fail("the game is not over")


def longest(setting: Setting) -> int:
    """No game has more commands: so many pairs, so many turns between them, so many actions in a turn (B14)."""
    players = len(setting.seats)
    pairs = len(setting.edition.deck) // 2
    an_action = 3 + players  # to slam or fake, to judge, to lay or bury, to choose; to take of each opponent
    a_turn = 2 + 50 * an_action + 1  # to draw, to act, to pass
    return pairs * an_action + (pairs + 1) * 25 * players * a_turn


@settings(max_examples=400)
@given(games(), HABITS)
def test_whatever_is_played_the_invariants_hold_and_the_game_ends(setting: Setting, habit: Habit) -> None:
    way = list(walk(setting, habit, most=longest(setting) + 1))
    for state in way:
        check_invariants(state)
    check_end(way[-1])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_m12_the_points_of_a_whole_modern_game_sum_to_twenty_two(players: int) -> None:
    whole = 0
    for seed in range(40):
        *_, state = walk(Setting(MODERN, tuple(range(1, players + 1)), seed), Habit.PAIRS)
        if state.ended is GameEnd.ALL_PAIRS:
            whole += 1
            assert sum(map(len, state.laid)) == 20
            assert sum(count.total for count in score(state)) == 22
    assert whole > 30


@settings(max_examples=150)
@given(games(), st.lists(st.integers(0, 9999), max_size=120))
def test_any_commands_in_any_order_keep_the_invariants(setting: Setting, choices: list[int]) -> None:
    """As above, but what is played is chosen by an adversary who may choose and simplify."""
    state, rng = setting.dealt()
    for choice in choices:
        commands = legal(state)
        if not commands:
            break
        state = play(state, commands[choice % len(commands)], rng).state
        check_invariants(state)


def accepts(state: State, command: Command) -> bool:
    with suppress(IllegalCommand):
        decide(state, command, Random(0))
        return True
    return False


@settings(max_examples=150)
@given(positions())
def test_legal_and_decide_agree_on_everything_and_what_is_refused_changes_nothing(state: State) -> None:
    listed = legal(state)
    before = encode(state)
    assert len(set(listed)) == len(listed)
    assert {command for command in conceivable(state) if accepts(state, command)} == set(listed)
    assert encode(state) == before


@given(positions())
def test_whoever_is_waited_for_can_do_something_and_nobody_else_can(state: State) -> None:
    commands = legal(state)
    assert bool(commands) == (state.ended is None)
    for command in commands:
        assert state.to_act == (None if isinstance(command, Judge) else command.seat)
    for viewer in (*state.seats, None):
        mine = view(state, viewer).legal
        assert mine == (commands if viewer is not None and viewer == state.to_act else ())


@given(positions(), SEEDS)
def test_b18_the_default_act_is_always_legal(state: State, seed: int) -> None:
    assume(state.to_act is not None)
    assert default(state, Random(seed)) in legal(state)


# Secrets.


def permuted(state: State, viewer: int | None, rng: Random) -> State | None:
    """The same position to this viewer: what lies in other hands, in the pile and aside has changed places.

    Whether the active player holds a pair stays as it is: what he may do is his to know, and what the rules make of his
    slam is said aloud. None: chance found no such order.
    """
    hidden = [at for at, seat in enumerate(state.seats) if seat != viewer]
    cards = [card for at in hidden for card in (*state.hands[at], *state.aside[at])]
    cards += state.pile
    for _ in range(20):
        rng.shuffle(cards)
        rest = iter(cards)
        hands, aside = list(state.hands), list(state.aside)
        for at in hidden:
            hands[at] = tuple(sorted(next(rest) for _ in hands[at]))
            aside[at] = tuple(sorted(next(rest) for _ in aside[at]))
        other = replace(state, hands=tuple(hands), aside=tuple(aside), pile=tuple(rest))
        if holds_pair(other) == holds_pair(state):
            return other
    return None


def holds_pair(state: State) -> bool:
    hand = state.hand(state.turn)
    numbers = [card for card in hand if card.is_number]
    wild = state.edition.joker is JokerPower.WILD_ONCE and Card.SMILING in hand
    return len(set(numbers)) < len(numbers) or (wild and bool(numbers))


def known_to(viewer: int | None, event: Event) -> Event:
    """The event as shown to him, less a card that he learns by it."""
    shown = seen(event, viewer)
    return replace(shown, card=None) if getattr(shown, "card", None) is not None else shown


@st.composite
def viewed(draw: st.DrawFn) -> tuple[State, State, int | None]:
    """Two positions that are one to a viewer, and the viewer."""
    state = draw(positions())
    assume(state.ended is None)
    viewer = draw(st.sampled_from((*state.seats, None)))
    other = permuted(state, viewer, Random(draw(SEEDS)))
    assume(other is not None)
    assert other is not None
    return state, other, viewer


@settings(max_examples=500)
@given(viewed())
def test_b11_a_view_does_not_depend_on_cards_its_viewer_may_not_know(case: tuple[State, State, int | None]) -> None:
    state, other, viewer = case
    assert encode(view(state, viewer)) == encode(view(other, viewer))


@settings(max_examples=150)
@given(viewed())
def test_b11_what_one_may_do_and_why_not_does_not_depend_on_them(case: tuple[State, State, int | None]) -> None:
    state, other, viewer = case
    for command in conceivable(state):
        if not isinstance(command, Judge) and command.seat == viewer:
            answers = []
            for position in (state, other):
                try:
                    decide(position, command, Random(0))
                except IllegalCommand as refusal:
                    answers.append(str(refusal))
                else:
                    answers.append("legal")
            assert answers[0] == answers[1]


@settings(max_examples=500)
@given(viewed(), SEEDS)
def test_b11_what_one_sees_of_the_next_command_does_not_depend_on_them(
    case: tuple[State, State, int | None], seed: int
) -> None:
    """But for the card he draws or takes himself, which he learns then and there."""
    state, other, viewer = case
    for command in legal(state):
        if isinstance(command, Lay) and command not in legal(other):
            assert command.seat != viewer  # Another's pair, which he may hold or not.
            continue
        here, there = (play(position, command, Random(seed)) for position in (state, other))
        shown = [[known_to(viewer, event) for event in played.events] for played in (here, there)]
        assert encode(shown[0]) == encode(shown[1])
        learns = any(known_to(viewer, event) != seen(event, viewer) for event in here.events)
        if not learns and here.state.ended is None:
            assert encode(view(here.state, viewer)) == encode(view(there.state, viewer))


@settings(max_examples=100)
@given(games(), SEEDS)
def test_b11_the_deal_shows_each_nothing_but_his_own_hand(setting: Setting, seed: int) -> None:
    edition, seats, _ = setting
    event = dealt(edition, seats, Random(setting.seed))
    assert event.pile is not None
    for at, viewer in enumerate(seats):
        mine = event.hands[at]
        cards = [card for hand in event.hands if hand is not mine for card in hand or ()] + [*event.pile]
        Random(seed).shuffle(cards)
        rest = iter(cards)
        hands = tuple(mine if seat == viewer else tuple(sorted(next(rest) for _ in range(4))) for seat in seats)
        other = replace(event, hands=hands, pile=tuple(rest))
        assert encode(seen(event, viewer)) == encode(seen(other, viewer))
        assert encode(seen(event, None)) == encode(seen(other, None))


# The same again.


@settings(max_examples=150)
@given(games(), HABITS)
def test_the_same_seed_and_commands_give_the_same_events_byte_for_byte(setting: Setting, habit: Habit) -> None:
    first: list[bytes] = []
    commands: list[Command] = []
    state, rng = setting.dealt()
    chooser = Random(setting.seed)
    while (listed := legal(state)) and len(first) < 300:
        commands.append(choose(habit, state, listed, chooser))
        state, events = play(state, commands[-1], rng)
        first.append(encode(events))
    again, rng = setting.dealt()
    for command, expected in zip(commands, first, strict=True):
        again, events = play(again, command, rng)
        assert encode(events) == expected
    assert again == state


@settings(max_examples=40)
@given(games(), HABITS)
def test_no_rule_reads_the_name_of_an_edition(setting: Setting, habit: Habit) -> None:
    renamed = setting._replace(edition=replace(setting.edition, name="Another"))
    for one, other in zip(walk(setting, habit, 300), walk(renamed, habit, 300), strict=True):
        assert replace(one, edition=other.edition) == other


@given(positions(), SEEDS)
def test_everything_travels_as_json(state: State, seed: int) -> None:
    assert msgspec.json.decode(encode(state), type=State) == state
    for viewer in (*state.seats, None):
        shown = view(state, viewer)
        assert msgspec.json.decode(encode(shown), type=View) == shown
    commands = legal(state)
    assert msgspec.json.decode(encode(commands), type=tuple[Command, ...]) == commands
    for command in commands:
        for event in decide(state, command, Random(seed)):
            assert msgspec.json.decode(encode(event), type=Event) == event
            for viewer in (*state.seats, None):
                shown_event = seen(event, viewer)
                assert msgspec.json.decode(encode(shown_event), type=Event) == shown_event


@settings(max_examples=30)
@given(games())
def test_an_edition_and_its_deal_travel_as_json(setting: Setting) -> None:
    event = dealt(setting.edition, setting.seats, Random(setting.seed))
    assert msgspec.json.decode(encode(event), type=Event) == event
    assert msgspec.json.decode(encode(setting.edition), type=Edition) == setting.edition
