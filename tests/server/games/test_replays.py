"""A game seen again is the game that was seen, race by race, as real tables played it."""

from __future__ import annotations

import asyncio
import gzip
from itertools import takewhile

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from slamomatic.game import read
from slamomatic.game.state import State
from slamomatic.game.verdict import Action
from slamomatic.game.view import view
from slamomatic.server.calls import GameInfo, GamePlayer, GameReplay, ReplayStep
from slamomatic.server.games import replays
from slamomatic.server.games.archive import written_down
from slamomatic.server.games.replays import Replays, open_view, packed, steps_of
from slamomatic.table.log import Entry, GameBegan, GameMoved
from slamomatic.table.output import Refusal
from slamomatic.table.protocol import RaceView
from tests.server.games.made import BEGAN_US, game_entries
from tests.strategies import positions
from tests.table.pages import SECOND
from tests.table.test_random_evenings import troubled_evening


def games_of(log: list[Entry]) -> list[list[Entry]]:
    """Each game's part of a table's log."""
    begins = [at for at, entry in enumerate(log) if isinstance(entry, GameBegan)]
    return [[log[at], *takewhile(lambda entry: not isinstance(entry, GameBegan), log[at + 1 :])] for at in begins]


def check(game: list[Entry]) -> list[ReplayStep]:
    steps = list(steps_of(read(written_down(game).text)))
    moves = [entry for entry in game if isinstance(entry, GameMoved)]
    assert [step.events for step in steps[1:]] == [move.events for move in moves]
    for step, move in zip(steps[1:], moves, strict=True):
        assert _known(step.race) == _known(move.race)
    return steps


def _known(race: RaceView | None) -> RaceView | None:
    """Of a touch at the very moment that a hand went back, the text does not tell on which side of it it was."""
    if race is None or race.action is Action.SLAM:
        return race
    return replace(race, marks=tuple(replace(mark, early=mark.early or mark.time_us == 0) for mark in race.marks))


@settings(max_examples=15)
@given(st.integers(0, 2**32), st.sampled_from([0.5, 3.0, 15.0]), st.integers(1, 4), st.integers(0, 2))
def test_every_race_of_a_real_evening_comes_back_from_the_text(
    seed: int, mean_s: float, people: int, bots: int
) -> None:
    evening, _ = troubled_evening(seed, mean_s=mean_s, people=people, bots=bots)
    evening.wait(120 * SECOND)
    for game in games_of(evening.log):
        check(game)


@given(positions())
def test_every_hand_is_open_and_nothing_else_is_other_than_a_watcher_saw_it(state: State) -> None:
    opened = open_view(state)
    assert tuple(player.hand for player in opened.players) == state.hands
    closed = view(state, None)
    assert replace(opened, players=closed.players) == closed


def info(game_id: str, name: str = "Ann") -> GameInfo:
    player = GamePlayer(1, name, None, 0, None, 1, 0, True, False)
    return GameInfo(game_id, "Classic", BEGAN_US, BEGAN_US, False, False, False, (player,))


def test_a_replay_is_what_the_call_promises() -> None:
    text = written_down(game_entries("g")).text
    replay = msgspec.json.decode(gzip.decompress(packed(info("g"), text)), type=GameReplay)
    assert replay.game == info("g")
    assert replay.steps == tuple(steps_of(read(text)))
    assert replay.scores == read(text).result


def test_a_game_broken_off_is_seen_as_far_as_it_came() -> None:
    text = written_down(game_entries("g", most=9)).text
    replay = msgspec.json.decode(gzip.decompress(packed(info("g"), text)), type=GameReplay)
    assert (len(replay.steps), replay.scores) == (10, ())


async def test_a_replay_is_worked_out_once_and_the_oldest_are_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    text = written_down(game_entries("g", most=20)).text
    size = len(packed(info("g0"), text))
    monkeypatch.setattr(replays, "MOST_KEPT", 3 * size + size // 2)
    worked_out = []

    def watched(game: GameInfo, text: str) -> bytes:
        worked_out.append(game.id)
        return packed(game, text)

    monkeypatch.setattr(replays, "packed", watched)
    shelf = Replays()
    for game in ("g0", "g1", "g0", "g2", "g3", "g0", "g1"):
        await shelf.packed(info(game), text)
    assert worked_out == ["g0", "g1", "g2", "g3", "g1"]


async def test_too_many_who_wait_are_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "MOST_WAITING", 2)
    text = written_down(game_entries("g", most=20)).text
    shelf = Replays()
    waiting = [shelf.packed(info(f"g{number}"), text) for number in range(5)]
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert [isinstance(result, Refusal) for result in results] == [False, False, True, True, True]


def test_a_word_of_the_unit_that_nobody_knows_any_more_is_not_told() -> None:
    text = written_down(game_entries("g", seats=(1, 2, 3), seed=8)).text
    strange = text.replace("  cause close", "  cause moonlight").replace(" +-0.1\n", " +-0.1 starlight\n")
    assert "moonlight" in strange
    assert "starlight" in strange
    races = [step.race for step in steps_of(read(strange)) if step.race is not None]
    assert all(race.jam is None and all(mark.doubt is None for mark in race.marks) for race in races)
