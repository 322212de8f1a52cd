"""Whole games, known by heart: what was played, what it led to, and what each seat and a spectator saw of it."""

import pytest

from tests.golden.transcript import FOLDER, GAMES, Golden, transcript


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_a_golden_game_is_played_and_seen_as_ever(game: Golden) -> None:
    """A difference that is meant: ``python -m tests.golden``, and look at it."""
    assert transcript(game) == game.path.read_text()


def test_every_transcript_is_of_a_game_still_played() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == {game.name for game in GAMES}
