"""The system's chance, many numbers at a call: as fair as one at a time, and never the same twice."""

from __future__ import annotations

from statistics import fmean, pvariance

from slamomatic.server.chance import SystemChance


def test_numbers_are_evenly_spread_below_one_and_none_comes_twice() -> None:
    first, second = SystemChance(), SystemChance()
    numbers = [chance.random() for _ in range(20_000) for chance in (first, second)]
    assert all(0 <= number < 1 for number in numbers)
    assert len(set(numbers)) == len(numbers)
    assert abs(fmean(numbers) - 1 / 2) < 0.01
    assert abs(pvariance(numbers) - 1 / 12) < 0.005
    assert all(
        0.08 < sum(tenth <= 10 * number < tenth + 1 for number in numbers) / len(numbers) < 0.12 for tenth in range(10)
    )
