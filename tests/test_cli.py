"""The front door: every command is there, loads only its own room, and says in one line what is wrong."""

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from click.testing import CliRunner

from slamomatic import __version__
from slamomatic.cli import main

COMMAND = Path(sys.executable).with_name("slamomatic")


def test_the_command_tells_the_version_that_is_installed() -> None:
    told = CliRunner().invoke(main, ["--version"])
    assert told.exit_code == 0
    assert told.output == f"slamomatic, version {__version__}\n"
    assert version("slamomatic") == __version__


@pytest.mark.parametrize("name", main.commands)
def test_behind_every_door_is_its_command(name: str) -> None:
    told = CliRunner().invoke(main, [name, "--help"])
    assert told.exit_code == 0
    assert told.output.startswith(f"Usage: main {name} ")
    assert main.commands[name].get_short_help_str(200) in " ".join(told.output.split())


def test_help_names_every_command() -> None:
    told = CliRunner().invoke(main, ["--help"])
    assert told.exit_code == 0
    for name in ("lab", "replay", "serve"):
        assert f"\n  {name} " in told.output


@pytest.mark.parametrize("words", [["--nothing"], ["nothing"], ["lab", "nothing"], ["replay"], ["lab", "perft", "x"]])
def test_wrong_words_bring_exit_code_2_and_one_line(words: list[str]) -> None:
    told = CliRunner().invoke(main, words)
    assert told.exit_code == 2
    assert told.stdout == ""
    assert told.stderr.startswith("Error: ")
    assert told.stderr.count("\n") == 1


def test_a_group_without_a_command_shows_what_there_is() -> None:
    told = CliRunner().invoke(main, ["lab"])
    assert told.exit_code == 2
    assert "playouts" in told.stderr


def run(*words: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([COMMAND, *words], input=text, capture_output=True, text=True, check=False, encoding="utf-8")


def test_the_installed_command_records_a_game_and_replays_it() -> None:
    recorded = run("lab", "record", "--edition", "modern", "--players", "3", "--seed", "11")
    assert recorded.returncode == 0, recorded.stderr
    replayed = run("replay", "-", "--json", text=recorded.stdout)
    assert replayed.returncode == 0, replayed.stderr
    answer = json.loads(replayed.stdout)
    assert answer["edition"] == "modern"
    assert len(answer["seats"]) == 3
    assert answer["winners"]
    truncated = run("replay", "-", text=recorded.stdout[:-20])
    assert truncated.returncode == 2
    assert truncated.stdout == ""
    assert truncated.stderr.count("\n") == 1
    assert "Traceback" not in truncated.stderr


@pytest.mark.parametrize(
    ("words", "stays_out"),
    [
        (["--help"], ["slamomatic.game", "slamomatic.lab", "slamomatic.server", "aiohttp"]),
        (["replay", "--help"], ["slamomatic.lab.playouts", "slamomatic.server", "aiohttp"]),
        (["lab", "perft", "--help"], ["slamomatic.lab.bench", "slamomatic.server", "aiohttp", "rlcard"]),
    ],
)
def test_a_command_loads_its_own_room_only(words: list[str], stays_out: list[str]) -> None:
    program = (
        "import sys; from slamomatic.cli import main; main(sys.argv[1:], standalone_mode=False);"
        "print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    told = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, check=True)
    loaded = told.stderr.split()
    assert "slamomatic.cli" in loaded
    assert not set(stays_out) & set(loaded)
