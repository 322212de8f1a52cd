"""The lab on the command line: what scripts read, what people read, and what a wrong word brings."""

import importlib.util
import json
import sys
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result

from slamomatic.cli import main
from slamomatic.game import MODERN, PRESETS, deal, perft, read
from slamomatic.lab import commands
from slamomatic.lab.playouts import record

HAS_PEER = importlib.util.find_spec("rlcard") is not None


def lab(*words: str) -> Result:
    return CliRunner().invoke(main, ["lab", *words])


def told(*words: str) -> Any:
    result = lab(*words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_playouts_tell_a_program_what_it_asks_for() -> None:
    answer = told("playouts", "--edition", "modern", "--players", "3", "--games", "20", "--seed", "4")
    assert {
        "edition",
        "players",
        "games",
        "games_per_second",
        "turns_per_second",
        "mean_turns",
        "mean_scores",
        "jams",
        "stalled",
        "invariants",
    } <= set(answer)
    assert (answer["edition"], answer["players"], answer["games"]) == ("modern", 3, 20)
    assert answer["invariants"] == "held"
    assert len(answer["mean_scores"]) == 3
    assert answer["games_per_second"] > 0


def test_playouts_tell_people_the_same() -> None:
    result = lab("playouts", "--edition", "classic-junior", "--players", "2", "--games", "5")
    assert result.exit_code == 0
    assert "5 of classic-junior, 2 players" in result.stdout
    assert "invariants   held" in result.stdout


def test_a_breach_fails_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("slamomatic.lab.playouts.breach", lambda *game: "a card is lost")
    result = lab("playouts", "--games", "2", "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["invariants"] == "seed 1, game 0: a card is lost"


@pytest.mark.parametrize("edition", PRESETS)
def test_perft_counts_as_the_rules_do(edition: str) -> None:
    answer = told("perft", "--edition", edition, "--players", "3", "--seed", "2", "--depth", "4")
    start = deal(PRESETS[edition], 3, Random(2))
    assert answer == {"counts": [perft(start, depth) for depth in (1, 2, 3, 4)]}


def test_perft_tells_people_a_line_a_depth() -> None:
    lines = lab("perft", "--edition", "modern", "--depth", "3").stdout.splitlines()
    start = deal(MODERN, 4, Random(1))
    assert [line.split() for line in lines] == [[str(depth), f"{perft(start, depth):,}"] for depth in (1, 2, 3)]


def test_record_writes_a_game_of_the_playouts() -> None:
    result = lab("record", "--edition", "modern", "--players", "3", "--seed", "6", "--game", "2")
    assert result.exit_code == 0
    assert read(result.stdout) == record(MODERN, 3, seed=6, game=2)
    assert lab("record", "--seed", "6").stdout == lab("record", "--seed", "6", "--game", "0").stdout


def test_without_the_peer_the_bench_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rlcard.games.uno", None)  # as if it were not there
    result = lab("bench", "rules", "--games", "1", "--runs", "1")
    assert result.exit_code == 2
    assert result.stderr == "Error: RLCard is not installed: run pip install rlcard\n"
    assert result.stdout == ""


@pytest.mark.skipif(not HAS_PEER, reason="RLCard, the peer, is not installed: slamomatic[peers]")
@pytest.mark.filterwarnings("ignore")  # the peer's own
def test_the_bench_times_both_sides() -> None:
    answer = told("bench", "rules", "--edition", "modern", "--players", "2", "--games", "3", "--runs", "2")
    assert (answer["edition"], answer["players"], answer["games"], answer["runs"]) == ("modern", 2, 3, 2)
    assert answer["peer"] == "RLCard's Uno"
    for side in ("ours", "theirs"):
        assert set(answer[side]) == {"games_per_second", "moves_per_second", "moves_per_game"}
        assert min(answer[side].values()) > 0
    table = lab("bench", "rules", "--games", "1", "--runs", "1").stdout
    assert "slamomatic classic" in table
    assert "RLCard's Uno" in table


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["nothing"], "No such command 'nothing'."),
        (["playouts", "--edition", "chess"], "'chess' is not one of 'classic', 'classic-junior', 'modern'."),
        (["playouts", "--players", "5"], "5 is not in the range 2<=x<=4."),
        (["playouts", "--games", "0"], "0 is not in the range x>=1."),
        (["playouts", "--seed", "-1"], f"-1 is not in the range 0<=x<={commands.HIGHEST_SEED}."),
        (["perft", "--depth", "much"], "'much' is not a valid integer range."),
        (["record", "--game", "-1"], "-1 is not in the range x>=0."),
    ],
)
def test_a_wrong_word_brings_one_clear_line(words: list[str], error: str) -> None:
    result = lab(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert error in result.stderr
