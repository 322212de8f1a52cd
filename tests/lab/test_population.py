"""The lab's figures: measured paths and people, read with care."""

from __future__ import annotations

import json
from pathlib import Path as File
from typing import Any

import numpy as np
import pytest

from slamomatic.lab.population import BadData, ExGaussian, humans, networks, reactions_ms

PATHS = {
    "percentiles": [0, 50, 99],
    "mix": {"wired": 3, "lte": 1},
    "paths": [
        {"access": "wired", "min_rtt_ms": 10, "excess_ms": [0, 1, 5]},
        {"access": "lte", "min_rtt_ms": 60, "excess_ms": [0, 8, 90]},
    ],
}


def written(tmp_path: File, **changes: Any) -> File:
    file = tmp_path / "networks.json"
    file.write_text(json.dumps(PATHS | changes))
    return file


def test_what_is_shipped_can_be_used_and_says_where_it_is_from() -> None:
    assert len(networks().paths) == 221
    assert humans().simple_visual.exgaussian == ExGaussian(277, 22, 57)
    data = File(__file__).parents[2] / "src/slamomatic/lab/data"
    assert {file.name for file in data.iterdir()} == {"README.md", "humans.json", "networks.json", "ws_loop"}
    assert "RIPE Atlas" in (data / "README.md").read_text()


def test_paths_are_drawn_by_the_mix(tmp_path: File) -> None:
    known, rng = networks(written(tmp_path)), np.random.default_rng(1)
    kinds = [known.draw(rng).access for _ in range(2_000)]
    assert 0.72 < kinds.count("wired") / len(kinds) < 0.78
    assert known.draw(rng, "lte").min_rtt_ms == 60


def test_a_packets_excess_is_the_quantile_the_path_gives(tmp_path: File) -> None:
    known = networks(written(tmp_path))
    excess = known.excess_ms(known.paths[1], np.array([0, 0.25, 0.5, 0.99, 0.999]))
    assert excess.tolist() == [0, 4, 8, 90, 90]


def test_people_react_as_the_figures_say() -> None:
    rng = np.random.default_rng(1)
    typical = humans().simple_visual.exgaussian
    times = reactions_ms(typical, rng, 40_000)
    assert abs(times.mean() - (typical.mu + typical.tau)) < 2
    assert abs(times.std() - 61.1) < 1


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"percentiles": [0, 50, 50]}, "percentiles"),
        ({"percentiles": [0, 50, 101]}, "percentiles"),
        ({"mix": {}}, "mix"),
        ({"mix": {"wired": -1, "lte": 2}}, "mix"),
        ({"mix": {"wired": 0, "lte": 0}}, "mix"),
        ({"mix": {"wired": 1e308, "lte": 1e308}}, "mix"),
        ({"mix": {"pigeon": 1}}, "'pigeon'"),
        ({"paths": [{"access": "wired", "min_rtt_ms": 10, "excess_ms": [0, 1]}]}, r"paths\[0\]"),
        ({"paths": [{"access": "wired", "min_rtt_ms": 10, "excess_ms": [0, 5, 1]}]}, r"paths\[0\]"),
        ({"paths": [{"access": "wired", "min_rtt_ms": -1, "excess_ms": [0, 1, 5]}]}, r"paths\[0\]"),
        ({"paths": [{"access": "wired", "min_rtt_ms": "ten", "excess_ms": [0, 1, 5]}]}, "min_rtt_ms"),
        ({"paths": [{"access": "wired", "min_rtt_ms": 10, "excess_ms": [0, 1, 1e9]}]}, r"paths\[0\].*10,000 ms"),
        ({"paths": [{"access": "wired", "min_rtt_ms": 1e300, "excess_ms": [0, 1, 5]}]}, r"paths\[0\].*10,000 ms"),
        ({"paths": [{"access": "wired", "min_rtt_ms": float("nan"), "excess_ms": [0, 1, 5]}]}, "invalid"),
        ({"paths": "none"}, "paths"),
    ],
)
def test_figures_that_cannot_be_used_are_refused_with_the_reason(
    tmp_path: File, changes: dict[str, Any], reason: str
) -> None:
    with pytest.raises(BadData, match=reason):
        networks(written(tmp_path, **changes))


@pytest.mark.parametrize("part", ["mu", "sigma", "tau"])
def test_people_slower_than_anybody_are_refused(tmp_path: File, part: str) -> None:
    people = {"simple_visual": {"exgaussian": {"mu": 277, "sigma": 22, "tau": 57} | {part: 1e9}, "mu_sd_between": 38}}
    (tmp_path / "humans.json").write_text(json.dumps(people))
    with pytest.raises(BadData, match="10,000 ms"):
        humans(tmp_path / "humans.json")


def test_a_file_that_is_not_there_or_no_json_is_named(tmp_path: File) -> None:
    with pytest.raises(BadData, match=r"nowhere\.json: No such file"):
        networks(tmp_path / "nowhere.json")
    (tmp_path / "broken.json").write_text("{")
    with pytest.raises(BadData, match=r"broken\.json"):
        humans(tmp_path / "broken.json")
