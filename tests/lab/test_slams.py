"""Races in virtual time: the truth is known, the stream keeps its order, and the weather is the same for a liar."""

from __future__ import annotations

import numpy as np
import pytest

from slamomatic.lab.liars import ATTACKS
from slamomatic.lab.population import humans, networks
from slamomatic.lab.slams import (
    CORRELATIONS,
    NOTHING_ODD,
    Moment,
    Oddity,
    Outcome,
    Session,
    Told,
    _moods,
    _uniform,
    draw_session,
    play,
)
from slamomatic.unit import Doubt
from slamomatic.unit.standing import SESSION

NETWORKS, HUMANS = networks(), humans()
CLEAN = Oddity(frames_ms=(1000 / 60,), first=(1000 / 60, 0.1))


def session(seed: int = 1, hands: int = 3, correlation: float = 0.5, odd: Oddity = NOTHING_ODD) -> Session:
    return draw_session(NETWORKS, HUMANS, hands, np.random.default_rng(seed), correlation, odd)


def races(of: Session, attack: str | None = None) -> list[Outcome]:
    lie = ATTACKS[attack] if attack else None
    return [race for race, _ in play(of, lie.lie if lie else None, lie.detour if lie else None)]


def test_the_same_seed_is_the_same_session() -> None:
    assert races(session(5)) == races(session(5))
    assert races(session(5)) != races(session(6))


@pytest.mark.parametrize("correlation", CORRELATIONS)
def test_a_stream_keeps_its_order_both_ways(correlation: float) -> None:
    for weather in session(2, 4, correlation).weather:
        for way in (weather.left, weather.back):
            assert (np.diff(way, axis=1) >= 0).all()
        assert (weather.back >= weather.left).all()


@pytest.mark.parametrize("correlation", CORRELATIONS)
def test_neighbouring_packets_fare_as_alike_as_asked_and_each_like_any(correlation: float) -> None:
    moods = _moods(np.random.default_rng(3), (2_000, 40), correlation)
    assert np.corrcoef(moods[:, 20], moods[:, 21])[0, 1] == pytest.approx(correlation, abs=0.06)
    shares = np.quantile(_uniform(moods[:, -1]), (0.05, 0.5, 0.95))
    assert shares.tolist() == pytest.approx([0.05, 0.5, 0.95], abs=0.03)


def test_an_honest_page_claims_the_truth_to_its_grain() -> None:
    for seed in range(6):
        drawn = session(seed, 4)
        for race in races(drawn):
            for player, truth, claim in zip(drawn.players, race.truth_ms, race.claim_ms, strict=True):
                assert abs(truth - claim) <= player.grain_ms + 1e-6


def test_an_honest_hand_is_never_struck_and_hardly_ever_corrected() -> None:
    doubts: list[Doubt | None] = []
    for seed in range(12):
        for race, hands in play(session(seed, 4, CORRELATIONS[seed % 4])):
            doubts += [reading.doubt for reading in race.judgement.readings]
            assert all(not hand.standing.strikes for hand in hands)
    assert set(doubts) <= {None, Doubt.RECORD}
    assert doubts.count(None) > 0.97 * len(doubts)


def test_every_race_is_ruled_or_jams_and_never_waits_for_anyone() -> None:
    for race in races(session(4, 4)):
        verdict = race.judgement.verdict
        assert verdict.jam != (len(verdict.last) == 1)
        assert not verdict.early


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_liar_changes_nothing_for_the_others(attack: str) -> None:
    honest, lying = races(session(7)), races(session(7), attack)
    assert len(honest) == len(lying) == SESSION
    for before, after in zip(honest, lying, strict=True):
        assert before.truth_ms == after.truth_ms
        assert before.arrival_ms[1:] == after.arrival_ms[1:]
        assert before.claim_ms[1:] == after.claim_ms[1:]
        assert before.judgement.readings[1:] == after.judgement.readings[1:]


@pytest.mark.parametrize(
    ("attack", "least_ms", "most_ms"),
    [("claims-20", -20, -20), ("claims-1000", -1000, -1000), ("word+30", -30, -30), ("coarse-clock", -26, -7)],
)
def test_a_liars_claim_is_what_he_says_it_is(attack: str, least_ms: float, most_ms: float) -> None:
    drawn = session(8, odd=CLEAN)
    for honest, lying in zip(races(drawn), races(drawn, attack), strict=True):
        assert least_ms - 0.2 <= lying.claim_ms[0] - honest.claim_ms[0] <= most_ms + 0.2


def test_a_lie_is_told_all_there_is_to_know() -> None:
    moments: list[Moment] = []

    def listening(at: Moment) -> Told:
        moments.append(at)
        return at.honest

    drawn = session(9)
    outcomes = [race for race, _ in play(drawn, listening)]
    assert outcomes == races(drawn)
    for race, at in zip(outcomes, moments, strict=True):
        assert at.reaction_ms == race.truth_ms[0]
        assert at.margin_ms == race.truth_ms[0] - max(race.truth_ms[1:])


def test_a_proxy_holds_back_what_it_may_and_no_touch() -> None:
    drawn = session(10)
    for honest, held in zip(races(drawn), races(drawn, "proxy+100"), strict=True):
        assert held.arrival_ms[0] <= honest.arrival_ms[0]
        assert held.rtt_ms[0] == pytest.approx(honest.rtt_ms[0] + 100, abs=0.01)


def test_stalled_pages_are_stuck_as_often_as_asked() -> None:
    calm, stuck = session(11, odd=CLEAN), session(11, odd=CLEAN._replace(stalls=1.0))
    assert (calm.weather[0].wait < 25).all()
    assert (stuck.weather[0].wait > 30).all()
    assert (stuck.weather[1].wait < 25).all()
