"""What is asked of a game: refused with a reason, or done as it was listed."""

import importlib
import pkgutil
from collections.abc import Iterable
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from slamomatic import game
from slamomatic.game import (
    CLASSIC,
    MODERN,
    Choose,
    Command,
    Draw,
    Fake,
    IllegalCommand,
    Judge,
    Lay,
    Pass,
    Slam,
    State,
    Take,
    Verdict,
    carry_out,
    deal,
    dealt,
    decide,
    evolve,
    legal,
    play,
    replay,
    seen,
    start,
)
from slamomatic.game.cards import Card
from slamomatic.game.events import Event
from tests.game.positions import Script, after, events_of, pair, position, says


def refusals(state: State, commands: Iterable[Command]) -> list[str]:
    reasons = []
    for command in commands:
        with pytest.raises(IllegalCommand) as caught:
            play(state, command, Script())
        reasons.append(str(caught.value))
    return reasons


def test_a_refusal_tells_the_player_what_to_do() -> None:
    free = position(MODERN, "1: 3 7 7", "2: 9", "3: 8", pile="5")
    assert refusals(free, [Draw(1), Take(1, 2, 0), Lay(1, pair("7 7")), Choose(1, 2)]) == ["slam, fake or pass"] * 4
    assert refusals(free, [Pass(2), Pass(4)]) == ["it is for hand 1 to act", "nobody sits at hand 4"]
    assert refusals(free, [says(2)]) == ["there is nothing for the unit to judge"]

    judging = after(free, Slam(1))
    assert refusals(judging, [Pass(1), says(1), says(2, 3, jam=True), says(4)]) == [
        "wait for the unit",
        *["the unit cannot give this verdict here"] * 3,
    ]

    laying = after(judging, says(2, 3))
    assert refusals(laying, [Lay(1, pair("3 3")), Pass(1), Lay(2, pair("7 7"))]) == [
        *["lay a pair that you hold"] * 2,
        "it is for hand 1 to act",
    ]

    choosing = after(laying, Lay(1, pair("7 7")))
    assert refusals(choosing, [Choose(1, 1), Pass(1)]) == ["choose who loses a card: 2 or 3"] * 2

    taking = after(choosing, Choose(1, 2))
    assert (
        refusals(taking, [Take(1, 2, 1), Take(1, 3, 0)]) == ["take a card from hand 2, at one of its 1 positions"] * 2
    )

    drawing = after(free, Pass(1))
    assert refusals(drawing, [Slam(2), Take(2, 1, 0)]) == ["draw from the pile first"] * 2

    over = after(position(CLASSIC, "1: 3", "2: 9", pile=""), Pass(1))
    assert refusals(over, [Pass(1), Draw(2), says(2)]) == ["the game is over"] * 3


def test_what_is_refused_changes_nothing() -> None:
    state = position(CLASSIC, "1: 3", "2: 9")
    before = replace(state)
    refusals(state, [Pass(2), Draw(1)])
    assert state == before


def test_decide_tells_what_play_does() -> None:
    state = position(CLASSIC, "1: 3", "2: 9", "3: 8")
    for command in legal(state):
        assert decide(state, command, Random(1)) == play(state, command, Random(1)).events
        assert carry_out(state, command, Random(1)) == tuple(play(state, command, Random(1)))


def test_a_command_of_plain_numbers_is_played_as_it_is_listed() -> None:
    """Equal is not the same: what is recorded and scored is a card, not a number that equals one."""
    state = after(position(CLASSIC, "1: 7 smiling", "2: 9", "3: 8"), Slam(1), says(2))
    command = Lay(1, (11, 7))  # type: ignore[arg-type]
    laid = after(state, command).laid[0][0]
    assert all(isinstance(card, Card) for card in laid)


def test_a_game_is_the_fold_of_its_events() -> None:
    rng = Random(4)
    dealing = dealt(CLASSIC, (1, 2, 4), rng)
    state, events = start(dealing), list[Event]()
    while commands := legal(state):
        played = play(state, commands[int(rng.random() * len(commands))], rng)
        assert replay(dealing, [*events, *played.events]) == played.state
        state = played.state
        events += played.events
    assert state.ended is not None
    assert evolve(state, dealing) == start(dealing)


def test_an_event_shown_to_a_viewer_cannot_be_applied() -> None:
    state = after(position(MODERN, "1: 3", "2: 9", pile="5"), Pass(1))
    (drawn,) = events_of(state, Draw(2))
    with pytest.raises(AssertionError):
        evolve(state, seen(drawn, 1))
    assert evolve(state, seen(drawn, 2)) == after(state, Draw(2))


def test_commands_come_in_a_fixed_order() -> None:
    state = position(CLASSIC, "1: 7 7", "2: 9", "3: 8")
    assert legal(state) == (Slam(1), Fake(1), Pass(1))
    assert legal(after(state, Fake(1))) == (says(), says(early=(2,)), says(early=(3,)), says(early=(2, 3)))
    assert legal(after(state, Slam(1))) == (
        *(says(2), says(3), says(2, 3), says(jam=True)),
        *(says(3, early=(2,)), says(early=(2,), jam=True)),
        *(says(2, early=(3,)), says(early=(3,), jam=True)),
        *(says(2, early=(2, 3)), says(3, early=(2, 3)), says(early=(2, 3), jam=True)),
    )


def test_a_position_reads_as_a_table() -> None:
    state = position(CLASSIC, "1: 3 7 10", "2: | smiling 9, 4 4", "3: sad", pile="5 6")
    assert str(state).splitlines() == [
        "Classic, turn 1, pile 2",
        "* 1: 3 7 10                         |",
        "  2: -                              | smiling+9 4+4",
        " d3: sad                            |",
    ]


def test_a_deal_by_numbers_and_by_hands_is_one() -> None:
    assert deal(CLASSIC, 3, Random(1)) == deal(CLASSIC, (1, 2, 3), Random(1)) == deal(CLASSIC, (3, 1, 2), Random(1))


def test_cards_read_as_they_are_written() -> None:
    for card in Card:
        assert Card.parse(str(card)) is card
        assert repr(card) == str(card)
    for word in ("", "0", "11", "joker", "Smiling", "7 "):
        with pytest.raises(ValueError, match="is not a card"):
            Card.parse(word)


def test_cards_keep_their_numbers_so_that_old_games_can_be_read() -> None:
    assert [int(card) for card in Card] == [*range(1, 11), 11, 12]
    assert [card.name for card in Card][-2:] == ["SMILING", "SAD"]


def test_a_verdict_travels_without_what_it_does_not_say() -> None:
    assert msgspec.json.encode(Verdict(last=(2,))) == b'{"last":[2]}'
    assert msgspec.json.encode(Verdict()) == b"{}"
    assert msgspec.json.decode(b'{"early":[3],"jam":true}', type=Verdict) == Verdict(early=(3,), jam=True)
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"loser":2}', type=Verdict)


def test_every_noun_of_the_game_is_frozen() -> None:
    rooms = [importlib.import_module(f"slamomatic.game.{room.name}") for room in pkgutil.iter_modules(game.__path__)]
    nouns = {noun for room in rooms for noun in vars(room).values() if isinstance(noun, type)}
    structs = {noun for noun in nouns if issubclass(noun, msgspec.Struct) and noun is not msgspec.Struct}
    assert State in structs
    assert [noun for noun in structs if not noun.__struct_config__.frozen] == []


def test_the_unit_has_no_seat() -> None:
    assert isinstance(says(2), Judge)
    state = after(position(CLASSIC, "1: 7 7", "2: 9", "3: 8"), Fake(1))
    assert all(isinstance(command, Judge) for command in legal(state))
