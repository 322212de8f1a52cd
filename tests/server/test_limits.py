from hypothesis import given
from hypothesis import strategies as st

from slamomatic.server.limits import SECOND, Bucket, Gate, Rate


def test_a_bucket_gives_its_burst_and_then_its_rate() -> None:
    bucket = Bucket(Rate(3, 2), 0)
    assert [bucket.take(0) for _ in range(4)] == [True, True, True, False]
    assert not bucket.take(SECOND // 2 - 1)
    assert bucket.take(SECOND // 2)
    assert not bucket.take(SECOND // 2)


@given(st.lists(st.integers(0, 3 * SECOND), min_size=1, max_size=200).map(sorted))
def test_no_moment_gets_more_than_burst_and_rate_allow(moments: list[int]) -> None:
    rate = Rate(5, 4)
    bucket = Bucket(rate, 0)
    taken = sum(bucket.take(at) for at in moments)
    assert taken <= rate.burst + rate.per_second * moments[-1] / SECOND + 1e-6


def test_looking_into_a_bucket_takes_nothing() -> None:
    bucket = Bucket(Rate(1, 1), 0)
    assert bucket.has(0)
    assert bucket.take(0)
    assert not bucket.has(0)


def test_addresses_do_not_share_a_bucket() -> None:
    gate = Gate(Rate(1, 1))
    assert gate.take("a", 0)
    assert not gate.take("a", 0)
    assert not gate.has("a", 0)
    assert gate.take("b", 0)


def test_an_address_is_forgotten_once_its_bucket_is_full_again() -> None:
    gate = Gate(Rate(2, 1))
    gate.take("a", 0)
    gate.forget(SECOND // 2)
    assert len(gate) == 1
    gate.forget(SECOND)
    assert len(gate) == 0
    assert gate.has("a", SECOND)
