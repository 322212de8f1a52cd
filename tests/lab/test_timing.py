"""The stopwatch: it hands on what the work came to, and leaves the collector as it was."""

import gc
from collections.abc import Iterator

import pytest

from slamomatic.lab.timing import timed


@pytest.fixture(autouse=True)
def collecting() -> Iterator[None]:
    gc.enable()
    yield
    gc.enable()


def test_the_collector_rests_while_the_work_is_timed() -> None:
    assert timed(gc.isenabled)[0] is False
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    timed(gc.isenabled)
    assert not gc.isenabled()


def test_work_that_fails_leaves_the_collector_on() -> None:
    with pytest.raises(ZeroDivisionError):
        timed(lambda: 1 // 0)
    assert gc.isenabled()


def test_the_result_and_the_seconds_come_out() -> None:
    result, seconds = timed(lambda: "done")
    assert result == "done"
    assert seconds >= 0
