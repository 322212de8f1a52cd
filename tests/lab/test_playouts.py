"""Random games: the same seed plays the same ones, and a breach is told with its game."""

from pathlib import Path
from random import Random

import msgspec
import pytest

from slamomatic.game import CLASSIC, MODERN, PRESETS, Edition, deal, read, score, write
from slamomatic.game.events import GameEnd
from slamomatic.lab import playouts as room
from slamomatic.lab.playouts import Playouts, playout, playouts, record, seed_of

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.txt"))


def apart_from_speed(result: Playouts) -> dict[str, object]:
    return {name: value for name, value in msgspec.structs.asdict(result).items() if not name.endswith("_per_second")}


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("edition", PRESETS.values(), ids=PRESETS)
def test_in_random_games_of_every_edition_the_invariants_hold(edition: Edition, players: int) -> None:
    result = playouts(edition, players, games=25, seed=players)
    assert result.invariants == "held"
    assert result.games == 25
    assert len(result.mean_scores) == players


def test_the_same_seed_plays_the_same_games() -> None:
    first, again = (playouts(CLASSIC, 3, games=10, seed=7) for _ in range(2))
    assert apart_from_speed(first) == apart_from_speed(again)
    assert apart_from_speed(first) != apart_from_speed(playouts(CLASSIC, 3, games=10, seed=8))


def test_the_figures_are_those_of_the_games() -> None:
    result = playouts(MODERN, 2, games=12, seed=3)
    ends = [record(MODERN, 2, seed=3, game=game).replay() for game in range(12)]
    assert result.mean_turns == sum(end.turn_number for end in ends) / 12
    assert result.mean_scores == tuple(sum(score(end)[at].total for end in ends) / 12 for at in range(2))
    assert result.stalled == sum(end.ended is GameEnd.STALL for end in ends)
    assert result.turns_per_second == pytest.approx(result.games_per_second * result.mean_turns)
    classic = [write(record(CLASSIC, 3, seed=3, game=game)) for game in range(5)]
    assert playouts(CLASSIC, 3, games=5, seed=3).jams == sum(text.count(" jam") for text in classic) - 5  # the ruling


def test_a_breach_is_told_with_the_game_it_is_in(monkeypatch: pytest.MonkeyPatch) -> None:
    games_checked = []

    def breach_in_the_third(*game: object) -> str | None:
        games_checked.append(game)
        return "a card is lost" if len(games_checked) == 3 else None

    monkeypatch.setattr(room, "breach", breach_in_the_third)
    assert playouts(CLASSIC, 2, games=5, seed=9).invariants == "seed 9, game 2: a card is lost"


def test_a_record_says_the_seed_its_deal_came_from() -> None:
    for game in range(3):
        one = record(MODERN, 4, seed=5, game=game)
        assert one.seed == seed_of(5, game)
        assert deal(MODERN, 4, Random(one.seed)) == next(one.positions())
        assert one.replay() == playout(MODERN, 4, Random(one.seed)).end
    assert record(MODERN, 4, seed=5).seed == 5


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_a_game_once_recorded_replays_to_the_same_end(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert write(read(text)) == text
    assert read(text).result is not None


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_the_same_seed_gives_the_same_game_byte_for_byte(file: Path) -> None:
    """Written once by ``slamomatic lab record --edition … --players … --seed 1964``."""
    edition, players = file.stem.rsplit("-", 1)
    assert write(record(PRESETS[edition], int(players), seed=1964)).encode() == file.read_bytes()


def test_every_edition_and_number_of_players_has_a_golden_game() -> None:
    assert {file.stem for file in GOLDEN} == {f"{edition}-{players}" for edition in PRESETS for players in (2, 3, 4)}
