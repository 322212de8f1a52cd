"""`slamomatic replay`: a recorded game, played again and counted."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from slamomatic.cli import main
from slamomatic.game import CLASSIC, MODERN, PRESETS, Card, Record, score, write
from slamomatic.lab.playouts import playouts, record


def replay(text: str | bytes, *words: str) -> Result:
    return CliRunner().invoke(main, ["replay", "-", *words], input=text)


def card(plain: int | str) -> Card:
    return Card.parse(str(plain))


@pytest.mark.parametrize("edition", PRESETS)
@pytest.mark.parametrize("seed", range(4))
def test_a_replay_tells_a_program_the_end_and_the_count(edition: str, seed: int) -> None:
    game = record(PRESETS[edition], 3, seed)
    result = replay(write(game), "--json")
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    end = game.replay()
    scores = score(end)
    assert answer["edition"] == edition
    assert answer["winners"] == [count.seat for count in scores if count.wins]
    for told, count, laid, hand, aside in zip(answer["seats"], scores, end.laid, end.hands, end.aside, strict=True):
        assert told["seat"] == count.seat
        assert told["score"] == count.total
        assert told["tie_break"] == count.tie_break
        assert tuple(tuple(map(card, pair)) for pair in told["laid"]) == laid
        assert tuple(map(card, told["hand"])) == hand
        assert tuple(map(card, told["aside"])) == aside


def test_numbers_are_told_as_numbers_and_jokers_by_name() -> None:
    answers: list[Any] = [json.loads(replay(write(record(CLASSIC, 2, seed)), "--json").stdout) for seed in range(12)]
    plain = {value for answer in answers for seat in answer["seats"] for value in seat["hand"]}
    plain |= {value for answer in answers for seat in answer["seats"] for pair in seat["laid"] for value in pair}
    assert plain <= {*range(1, 11), "smiling", "sad"}
    assert {"smiling", "sad", 10} <= plain


def test_a_game_broken_off_has_no_winner_and_house_rules_their_own_name() -> None:
    game = record(replace(MODERN, name="Ours", free_fakes=3), 2, 1)
    broken_off = Record(game.deal, game.moves[:-1], names=("Ann", None))
    answer = json.loads(replay(write(broken_off), "--json").stdout)
    assert answer["edition"] == "Ours"
    assert answer["winners"] == []
    assert answer["ended"] is None
    assert [seat["name"] for seat in answer["seats"]] == ["Ann", None]
    assert replay(write(broken_off)).stdout.startswith("Ours, ")
    assert "broken off" in replay(write(broken_off)).stdout


def test_people_get_a_table() -> None:
    game = record(CLASSIC, 3, 3)
    named = Record(game.deal, game.moves, names=("Ann", "Böde", None))
    result = replay(write(named))
    assert result.exit_code == 0
    heading, columns, *rows = result.stdout.splitlines()
    assert heading == f"Classic, {game.replay().turn_number} turns, ended by the pile's last card"
    assert columns.split() == ["hand", "points", "laid", "held"]
    assert [row.startswith("*") for row in rows] == [count.wins for count in score(game.replay())]
    assert [" 1 Ann " in rows[0], " 2 Böde " in rows[1], " 3 " in rows[2]] == [True] * 3
    for row, count in zip(rows, score(game.replay()), strict=True):
        assert f" {count.total} " in row


def test_a_file_is_read_as_well(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    text = write(record(MODERN, 2, 1))
    file.write_bytes(text.replace("\n", "\r\n").encode())
    from_file = CliRunner().invoke(main, ["replay", str(file), "--json"])
    assert from_file.exit_code == 0
    assert from_file.stdout == replay(text, "--json").stdout


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (b"", "Error: stdin, line 1: a line beginning with 'hands-down' is missing here\n"),
        (b"\xff\xfe", "Error: stdin is not a text in UTF-8\n"),
        (
            write(record(MODERN, 2, 1)).replace(" pass\n", " resign\n", 1).encode(),
            " is no move: write one like '2 draw 7' or '2 pass'\n",
        ),
    ],
)
def test_what_is_no_game_brings_one_clear_line(text: bytes, error: str) -> None:
    for words in ([], ["--json"]):
        result = replay(text, *words)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert result.stderr.count("\n") == 1
        assert result.stderr.endswith(error)


def test_a_file_that_is_not_there_brings_one_clear_line(tmp_path: Path) -> None:
    for path in (tmp_path / "nothing", tmp_path):
        result = CliRunner().invoke(main, ["replay", str(path)])
        assert result.exit_code == 2
        assert result.stderr.count("\n") == 1
        assert str(path) in result.stderr


def test_replays_agree_with_the_playouts() -> None:
    answers = [json.loads(replay(write(record(MODERN, 3, 5, game)), "--json").stdout) for game in range(6)]
    means = tuple(sum(answer["seats"][at]["score"] for answer in answers) / 6 for at in range(3))
    assert playouts(MODERN, 3, games=6, seed=5).mean_scores == means
