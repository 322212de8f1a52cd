"""A connection's record: its lowest round trip, its usual one, and what counts as a slow one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from slamomatic.unit import Network
from slamomatic.unit.network import REMEMBERED, UNKNOWN_RTT_US

ROUND_TRIPS = st.lists(st.integers(0, 10**6), min_size=1, max_size=60)


def measured(*round_trips: int, idle: bool = True) -> Network:
    network = Network()
    for number, round_trip in enumerate(round_trips):
        network.pong(number * 2_000_000, number * 2_000_000 + round_trip, idle=idle)
    return network


def test_nothing_is_known_of_a_new_connection() -> None:
    network = Network()
    assert (network.least_us, network.rtt_us, network.idle_us) == (None, None, None)
    assert network.slow_rtt_us == UNKNOWN_RTT_US


def test_one_spike_is_not_the_usual_round_trip() -> None:
    network = measured(*[20_000] * 20, 900_000)
    assert network.rtt_us == 20_000
    assert network.slow_rtt_us == 20_000


def test_one_in_twenty_may_be_slower_than_slow() -> None:
    assert measured(*range(1_000, 21_000, 1_000)).slow_rtt_us == 20_000
    assert measured(*range(1_000, 41_000, 1_000)).slow_rtt_us == 39_000


def test_only_the_last_forty_are_remembered() -> None:
    network = measured(*[500_000] * 100, *[20_000] * REMEMBERED)
    assert network.slow_rtt_us == network.rtt_us == network.idle_us == 20_000


def test_the_lowest_is_remembered_for_as_long_as_the_connection_lasts() -> None:
    """What a path once took it can take, whoever makes it look longer later."""
    assert measured(20_000, *[500_000] * 100).least_us == 20_000


def test_races_add_to_the_lowest_round_trip_alone() -> None:
    network = measured(*[40_000] * 8)
    network.pong(0, 30_000, idle=False)
    network.pong(0, 900_000, idle=False)
    assert network.least_us == 30_000
    assert network.rtt_us == network.slow_rtt_us == network.idle_us == 40_000


def test_a_connection_measured_in_races_alone_is_unknown_at_rest() -> None:
    network = measured(20_000, idle=False)
    assert network.least_us == 20_000
    assert (network.rtt_us, network.idle_us) == (None, None)
    assert network.slow_rtt_us == UNKNOWN_RTT_US


def test_no_pong_comes_before_its_ping() -> None:
    assert measured(-5_000).rtt_us == 0
    assert measured(-5_000).least_us == 0


@given(ROUND_TRIPS)
def test_a_slow_round_trip_is_one_that_was_and_no_shorter_than_the_usual(round_trips: list[int]) -> None:
    network = measured(*round_trips)
    assert network.rtt_us in round_trips
    assert network.slow_rtt_us in round_trips
    assert network.slow_rtt_us >= network.rtt_us


@given(ROUND_TRIPS)
def test_the_lowest_round_trip_is_the_lowest(round_trips: list[int]) -> None:
    network = measured(*round_trips)
    assert network.least_us == min(round_trips)
    assert network.idle_us is not None
    assert network.least_us <= network.idle_us <= max(round_trips)
