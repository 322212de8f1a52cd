import re
from random import Random

import pytest

from slamomatic.bots import LEVELS, Bot, bot, levels
from slamomatic.bots.hands import Person
from slamomatic.bots.levels import Temperament
from slamomatic.game import PRESETS, score, view
from slamomatic.table.protocol import Level
from tests.bots.positions import holding
from tests.bots.races import game

ADULT = Temperament(slowness=1.0, falls=0.21, notices=0.5, fakes=0.12, slips=0.0)
MEDIAN_ADULT = Person(slowness=1.0, falls=0.21, notices=0.5, fakes=0.12, slips=0.0, stop_ms=286, unhurried=0.85)


def made(who: str) -> Bot:
    return Bot(ADULT, MEDIAN_ADULT) if who == "adult" else bot(who)


def stated(row: str) -> list[float]:
    """The numbers of one row of the table in the docstring."""
    assert levels.__doc__
    found = re.search(rf"^ *{row} +([\d. ]+)$", levels.__doc__, re.MULTILINE)
    assert found, f"no row {row!r} in the docstring"
    return [float(number) for number in found[1].split()]


def test_a_level_nobody_knows_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="'brutal' is no level of a bot: take gentle, steady, sharp"):
        bot("brutal")


def test_there_is_a_temperament_for_every_level_a_table_offers() -> None:
    assert list(LEVELS) == list(Level)


def test_each_level_is_faster_calmer_and_slyer_than_the_one_before() -> None:
    gentle, steady, sharp = LEVELS.values()
    for lower, higher in ((gentle, steady), (steady, sharp)):
        assert lower.slowness > higher.slowness
        assert lower.falls > higher.falls
        assert lower.notices < higher.notices
        assert lower.fakes < higher.fakes <= 0.25
        assert lower.slips >= higher.slips
    assert gentle.slips <= 0.01


@pytest.mark.parametrize("who", [*LEVELS, "adult"])
def test_who_is_faster_how_often_is_as_stated(who: str) -> None:
    rng = Random(7)
    others = [*LEVELS, "adult"]
    for other, share in zip(others, stated(f"faster: {who}"), strict=True):
        wins = sum(reaction(who, rng) < reaction(other, rng) for _ in range(4_000))
        assert wins / 4_000 == pytest.approx(share, abs=0.03)


def reaction(who: str, rng: Random) -> int:
    return made(who).react_us(view(holding("1 1", "2"), 2), rng)


@pytest.mark.parametrize(("players", "row"), [(2, "of two"), (4, "of four")])
@pytest.mark.parametrize("preset", ["classic", "modern"])
@pytest.mark.parametrize("level", LEVELS)
def test_an_adult_wins_against_bots_as_often_as_stated(level: str, preset: str, players: int, row: str) -> None:
    rng = Random(11)
    won = 0.0
    games = 120
    for number in range(games):
        seat = 1 + number % players
        bots = {hand: made("adult" if hand == seat else level) for hand in range(1, players + 1)}
        winners = [count.seat for count in score(game(PRESETS[preset], bots, rng).state) if count.wins]
        won += (seat in winners) / len(winners)
    share = stated(f"{preset}, {row}")[list(LEVELS).index(level)]
    assert won / games == pytest.approx(share, abs=0.12)
