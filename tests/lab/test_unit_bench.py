"""The bench of the unit: that it times real races, and all of each. How fast they are is not for a test to say."""

from __future__ import annotations

import json
from random import Random

from click.testing import CliRunner

from slamomatic.cli import main
from slamomatic.game import CLASSIC, Action, possible
from slamomatic.lab.unit_bench import HANDS, bench_unit, races_among
from slamomatic.unit import Doubt
from slamomatic.unit.standing import SESSION


def told(*words: str) -> str:
    result = CliRunner().invoke(main, ["lab", "bench", "unit", "--races", "3", "--runs", "2", *words])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_bench_tells_a_program_what_each_side_costs() -> None:
    answer = json.loads(told("--json"))
    assert set(answer) == {"races", "runs", "pongs", "costs"}
    assert (answer["races"], answer["runs"]) == (3, 2)
    assert [cost.pop("hands") for cost in answer["costs"]] == list(HANDS) == [2, 3, 4]
    for cost in answer["costs"]:
        assert set(cost) == {"judge_us", "pong_us", "arrival_order_us"}
        assert min(cost.values()) > 0


def test_the_bench_tells_people_a_line_for_each_number_of_hands() -> None:
    first, header, *rows = told().splitlines()
    assert "3 races a run" in first
    assert header.split() == ["hands", "judge", "a", "race", "hear", "a", "pong", "arrival", "order"]
    assert [int(row.split()[0]) for row in rows] == list(HANDS)


def test_the_races_timed_are_whole_ones() -> None:
    for heard in races_among(3, 20, Random(1)):
        judgement = heard.race.judge()
        assert judgement.verdict in possible(CLASSIC, (1, 2, 3), Action.SLAM)
        assert set(heard.touches) == set(judgement.traces) == {1, 2, 3}
        assert all(reading.time_us is not None and not reading.early for reading in judgement.readings)
        assert not {Doubt.UNSEEN, Doubt.TIMED_BY_SERVER} & {reading.doubt for reading in judgement.readings}
        for seat in (1, 2, 3):
            pongs = [(sent_us, now_us) for of, sent_us, now_us in heard.pongs if of == seat]
            assert len(pongs) > 40, "a whole train"
            assert pongs == sorted(pongs)


def test_its_hands_have_raced_before() -> None:
    heard = races_among(2, 1, Random(1))[0]
    again = races_among(2, 2, Random(1))[0]
    assert heard.touches == again.touches, "the same seed, the same races"
    assert heard.pongs[0][1] >= SESSION * 1_000_000


def test_the_bench_counts_the_pongs_of_a_hand() -> None:
    assert 40 < bench_unit(2, 1, seed=1).pongs < 120
