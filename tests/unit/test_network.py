"""A connection's record: what counts as its usual round trip, and what as a slow one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from slamomatic.unit import Network
from slamomatic.unit.network import REMEMBERED, UNKNOWN_RTT_US


def measured(*round_trips: int) -> Network:
    network = Network()
    for number, round_trip in enumerate(round_trips):
        network.pong(number * 2_000_000, number * 2_000_000 + round_trip)
    return network


def test_nothing_is_known_of_a_new_connection() -> None:
    assert Network().rtt_us is None
    assert Network().slow_rtt_us == UNKNOWN_RTT_US


def test_one_spike_is_not_the_usual_round_trip() -> None:
    network = measured(*[20_000] * 20, 900_000)
    assert network.rtt_us == 20_000
    assert network.slow_rtt_us == 20_000


def test_one_in_twenty_may_be_slower_than_slow() -> None:
    assert measured(*range(1_000, 21_000, 1_000)).slow_rtt_us == 20_000
    assert measured(*range(1_000, 41_000, 1_000)).slow_rtt_us == 39_000


def test_only_the_last_forty_are_remembered() -> None:
    network = measured(*[500_000] * 100, *[20_000] * REMEMBERED)
    assert network.slow_rtt_us == network.rtt_us == 20_000


def test_no_pong_comes_before_its_ping() -> None:
    assert measured(-5_000).rtt_us == 0


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=60))
def test_a_slow_round_trip_is_one_that_was_and_no_shorter_than_the_usual(round_trips: list[int]) -> None:
    network = measured(*round_trips)
    assert network.rtt_us in round_trips
    assert network.slow_rtt_us in round_trips
    assert network.slow_rtt_us >= network.rtt_us
