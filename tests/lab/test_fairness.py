"""The fairness study: what it says, that it says it again, and that what it promises holds on a small run."""

from __future__ import annotations

import json
from pathlib import Path as File
from typing import Any

import pytest
from click.testing import CliRunner, Result

from slamomatic.cli import main
from slamomatic.lab.fairness import BASELINES, Fairness, fairness
from slamomatic.lab.fairness_told import told
from slamomatic.lab.liars import ATTACKS
from slamomatic.lab.population import humans, networks

HANDS = 4


@pytest.fixture(scope="module")
def study() -> Fairness:
    return fairness(networks(), humans(), hands=HANDS, rounds=2_000, seed=1)


def command(*words: str) -> Result:
    return CliRunner().invoke(main, ["lab", "fairness", *words])


def answer(*words: str) -> Any:
    result = command("--rounds", "50", *words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_a_program_is_told_what_it_asks_for() -> None:
    said = answer("--hands", "2", "--seed", "3")
    assert set(said["methods"]) == {"arrival", "half_rtt", "full_rtt", "raw_claims", "ours"}
    for method in said["methods"].values():
        for figure in ("wrong_of_ruled", "jam", "injustice_ms"):
            assert method[figure]["low"] <= method[figure]["value"] <= method[figure]["high"]
    for losses in said["access"].values():
        assert 0 <= losses["loss_share"] <= 1
        assert 0 < losses["fair_share"] <= 1
    assert set(said["attacks"]) == set(ATTACKS)
    for attack in said["attacks"].values():
        assert {"loss_share", "fair_share", "flagged"} <= set(attack)
    assert 0 <= said["honest_flagged"] <= 1
    assert said["seconds"] > 0
    assert (said["rounds"], said["hands"], said["seed"]) == (50, 2, 3)


def test_the_same_seed_gives_the_same_figures() -> None:
    one, two, other = (answer("--seed", seed) for seed in ("3", "3", "4"))
    for said in (one, two, other):
        said.pop("seconds")
    assert one == two
    assert one["methods"] != other["methods"]


def test_people_are_told_in_tables(study: Fairness) -> None:
    text = told(study)
    assert max(map(len, text.splitlines())) <= 120
    for word in ("order of arrival", "the unit", "satellite", "honest sessions flagged", "jams by cause: close"):
        assert word in text
    assert all(attack.about in text for attack in ATTACKS.values())
    assert command("--rounds", "25").output.startswith("25 races, 4 hands, seed 1; 25 for each lie")


def test_paths_and_people_of_ones_own_are_played_with(tmp_path: File) -> None:
    file = tmp_path / "mine.json"
    paths = [{"access": "string", "min_rtt_ms": 4, "excess_ms": [0, 0.1]}]
    file.write_text(json.dumps({"percentiles": [0, 99], "mix": {"string": 1}, "paths": paths}))
    said = answer("--networks", str(file))
    assert set(said["access"]) == {"string"}
    assert said["access"]["string"] == {"loss_share": 1, "fair_share": 1, "ratio": 1}


@pytest.mark.parametrize("option", ["--networks", "--humans"])
def test_a_file_that_cannot_be_used_is_named_and_nothing_is_played(tmp_path: File, option: str) -> None:
    file = tmp_path / "broken.json"
    file.write_text('{"percentiles": []}')
    result = command(option, str(file))
    assert result.exit_code == 2
    assert "broken.json" in result.output


@pytest.mark.parametrize("words", [("--hands", "5"), ("--rounds", "0"), ("--correlation", "1"), ("--seed", "-1")])
def test_a_number_out_of_range_is_refused(words: tuple[str, str]) -> None:
    assert command(*words).exit_code == 2


def test_the_unit_is_fairer_than_every_other_way_to_rule(study: Fairness) -> None:
    ours = study.methods["ours"]
    assert all(ours.wrong_of_ruled.high < study.methods[name].wrong_of_ruled.low for name in ("arrival", "half_rtt"))
    assert all(ours.injustice_ms.value <= study.methods[name].injustice_ms.value for name in BASELINES)
    assert ours.wrong_of_ruled.value <= 0.002
    assert ours.jam.value <= 0.04


def test_no_kind_of_access_loses_more_than_its_share(study: Fairness) -> None:
    assert all(losses.ratio < 1.1 for losses in study.access.values())


@pytest.mark.parametrize("attack", [name for name, attack in ATTACKS.items() if attack.is_of_the_page])
def test_lying_is_hardly_worth_it_and_is_seen(study: Fairness, attack: str) -> None:
    result = study.attacks[attack]
    assert result.ratio.value > 0.85
    assert result.flagged >= (0.6 if attack == "claims-10-when-slow" else 0.85)


def test_honest_players_are_left_alone(study: Fairness) -> None:
    assert study.honest_flagged <= 0.02


def test_intervals_narrow_as_races_are_added(study: Fairness) -> None:
    small = fairness(networks(), humans(), hands=HANDS, rounds=200, seed=1)

    def width(of: Fairness) -> float:
        figure = of.methods["arrival"].wrong_of_ruled
        return figure.high - figure.low

    assert width(study) < width(small)


def test_a_wider_jam_is_never_less_often(study: Fairness) -> None:
    jams = [ruled.jam for ruled in study.taus.values()]
    assert jams == sorted(jams)
