from random import Random
from statistics import fmean, median, quantiles, stdev

import pytest

from slamomatic.bots import LEVELS
from slamomatic.bots.hands import Person, someone
from slamomatic.bots.levels import Temperament

# Of 522 adults in browsers: medians over persons, in milliseconds.
GO_MEAN, GO_BETWEEN = 363, 45
COMMISSION_QUARTILES = (0.11, 0.29)
COMMISSION_MEDIAN = 298
STOP_MEAN, STOP_BETWEEN = 286, 60
MANY = 10_000

AVERAGE = Person(slowness=1.0, falls=0.2, notices=0.0, fakes=0.0, slips=0.0, stop_ms=STOP_MEAN, unhurried=1.0)


def people(level: str, count: int = 2_000) -> list[Person]:
    rng = Random(3)
    return [someone(LEVELS[level], rng) for _ in range(count)]


def test_the_average_hand_reacts_as_the_average_adult() -> None:
    rng = Random(1)
    times = [AVERAGE.react_us(rng) / 1_000 for _ in range(MANY)]
    assert fmean(times) == pytest.approx(293 + 60, abs=3)
    assert fmean(times) == pytest.approx(GO_MEAN, abs=15)
    assert stdev(times) == pytest.approx((33**2 + 60**2) ** 0.5, abs=3)
    assert fmean(times) > median(times) + 10, "the tail is on the slow side"


def test_the_average_hand_jumps_when_adults_do() -> None:
    rng = Random(1)
    jumps = [AVERAGE.jump_us(rng) / 1_000 for _ in range(MANY)]
    assert median(jumps) == pytest.approx(COMMISSION_MEDIAN, abs=4)


def test_the_average_hand_stops_as_adults_do() -> None:
    rng = Random(1)
    assert fmean(AVERAGE.stop_us(rng) for _ in range(MANY)) / 1_000 == pytest.approx(STOP_MEAN, abs=3)


@pytest.mark.parametrize("level", LEVELS)
def test_no_hand_is_faster_than_a_nerve(level: str) -> None:
    rng = Random(5)
    for person in people(level, 300):
        for _ in range(30):
            assert min(person.react_us(rng), person.jump_us(rng), person.stop_us(rng)) >= 100_000


def test_a_hand_too_fast_to_be_one_is_held_at_the_floor() -> None:
    rng = Random(5)
    flash = someone(Temperament(slowness=0.1, falls=0, notices=0, fakes=0, slips=0), rng)
    assert {flash.react_us(rng) for _ in range(100)} == {100_000}


@pytest.mark.parametrize("level", LEVELS)
def test_persons_of_one_level_differ_less_than_all_adults_do(level: str) -> None:
    speeds = [person.slowness for person in people(level)]
    assert fmean(speeds) == pytest.approx(LEVELS[level].slowness, rel=0.01)
    assert 0.04 < stdev(speeds) / fmean(speeds) < GO_BETWEEN / GO_MEAN
    stops = [person.stop_ms for person in people(level)]
    assert fmean(stops) == pytest.approx(STOP_MEAN, abs=5)
    assert stdev(stops) == pytest.approx(STOP_BETWEEN, abs=6)


@pytest.mark.parametrize("level", LEVELS)
def test_shares_of_persons_lie_round_those_of_their_level(level: str) -> None:
    temperament = LEVELS[level]
    for falls, share in ((True, temperament.falls), (False, temperament.fakes)):
        shares = [person.falls if falls else person.fakes for person in people(level)]
        assert fmean(shares) == pytest.approx(share, rel=0.03)
        assert max(shares) < 0.4


def test_nerves_differ_from_person_to_person_much_as_adults_do() -> None:
    lower, _, upper = quantiles((person.falls for person in people("gentle")), n=4)
    assert COMMISSION_QUARTILES[0] < lower < upper < COMMISSION_QUARTILES[1] + 0.03


def test_levels_react_in_their_order() -> None:
    rng = Random(9)
    means = [fmean(person.react_us(rng) / 1_000 for person in people(level)) for level in LEVELS]
    assert means == pytest.approx([505, 353, 297], abs=8)
