"""Trains of pings: dense from the contact on, sparse before it where many race at once, and never two at a table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from slamomatic.server import trains
from slamomatic.server.trains import CROWDED, MANY, SPARSE, THIN, Traffic, Train
from slamomatic.table.timing import TRAIN_US


class Line:
    """Timers that a test sets off by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.set: list[tuple[int, Callable[[], None], asyncio.TimerHandle]] = []
        monkeypatch.setattr(trains, "after_us", self._after)

    def _after(self, us: int, act: Callable[[], None]) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(0, act, (), asyncio.get_running_loop())
        self.set.append((us, act, handle))
        return handle

    @property
    def waiting(self) -> list[tuple[int, Callable[[], None], asyncio.TimerHandle]]:
        return [timer for timer in self.set if not timer[2].cancelled()]

    def fire(self) -> None:
        (timer,) = self.waiting
        self.set.remove(timer)
        timer[1]()


@pytest.fixture
async def line(monkeypatch: pytest.MonkeyPatch) -> Line:
    return Line(monkeypatch)


async def test_a_train_runs_as_long_as_anybody_is_to_be_heard(line: Line) -> None:
    traffic = Traffic()
    racers = [1, 2]
    train = Train(traffic, lambda: racers)
    train.run(racers, follows=True)
    assert traffic.running == 1
    for _ in range(3):
        line.fire()
        assert [us for us, _, _ in line.waiting] == [TRAIN_US]
    racers.clear()
    line.fire()
    assert not train.runs
    assert traffic.running == 0


async def test_where_many_race_it_is_sparse_but_for_contacts_and_where_still_more_do_thin(line: Line) -> None:
    traffic = Traffic()
    train = Train(traffic, lambda: [1])
    train.run([1], follows=False)
    assert [us for us, _, _ in line.waiting] == [TRAIN_US]
    traffic.running += MANY
    line.fire()
    assert [us for us, _, _ in line.waiting] == [TRAIN_US * SPARSE]
    train.run([1], follows=True)
    assert [us for us, _, _ in line.waiting] == [TRAIN_US]
    traffic.running += CROWDED
    line.fire()
    assert [us for us, _, _ in line.waiting] == [TRAIN_US * THIN]


async def test_what_arrives_as_it_pings_makes_no_second_train(line: Line) -> None:
    traffic = Traffic()
    train: Train

    def ping() -> list[int]:
        train.run([1], follows=True)  # the contact was among what had arrived
        return [1]

    train = Train(traffic, ping)
    train.run([1], follows=False)
    line.fire()
    assert len(line.waiting) == 1
    assert traffic.running == 1


async def test_a_train_that_what_arrives_has_stopped_stays_where_it_is(line: Line) -> None:
    traffic = Traffic()
    train: Train

    def ping() -> list[int]:
        train.stop()
        return []

    train = Train(traffic, ping)
    train.run([1], follows=True)
    line.fire()
    assert line.waiting == []
    assert traffic.running == 0
