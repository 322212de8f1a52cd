"""The fairness study: is the last hand the one that loses, whatever the networks, and what does lying bring?

Laws of this room:
- every way to rule is asked about the very same races; a liar is compared with himself being honest in the very same
  ones;
- shares come with the 95% interval of a bootstrap over sessions, for the races of one session are not independent;
- the same seed gives the same figures, all but the seconds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from slamomatic.lab.liars import ATTACKS, SLOW_FRAME_MS, SMALL_LIES, Attack
from slamomatic.lab.population import Floats, Humans, Networks
from slamomatic.lab.slams import (
    CORRELATIONS,
    CROWDED,
    FRAMES_MS,
    GRAINS_MS,
    NOTHING_ODD,
    Oddity,
    Outcome,
    Session,
    draw_session,
    play,
)
from slamomatic.lab.timing import timed
from slamomatic.unit import Jam
from slamomatic.unit.standing import SESSION

RESAMPLES = 1000
MOST_ATTACK_ROUNDS = 20_000
"""Beyond this more rounds make only the main run longer."""
Counts: TypeAlias = NDArray[np.int64]

TAUS_MS = (0, 1, 2, 3, 4, 5)


class Figure(msgspec.Struct, frozen=True):
    """A share, or a mean, with its 95% interval."""

    value: float
    low: float
    high: float


class Method(msgspec.Struct, frozen=True):
    """How one way to rule did."""

    wrong_of_ruled: Figure
    """Of the races it ruled: those where the loser was not the truly last hand."""
    jam: Figure
    """Of all races: those it did not rule."""
    injustice_ms: Figure
    """How much later than the loser the truly last hand was, on average over the races ruled."""


class Losses(msgspec.Struct, frozen=True):
    """How often someone loses, of the races ruled, and how often it would be fair."""

    loss_share: float
    fair_share: float
    """Of an access kind: its share of the truly last hands. Of a liar: his own losses when honest."""
    ratio: float


class AttackResult(msgspec.Struct, frozen=True):
    """What a liar comes to."""

    about: str
    page_only: bool
    """A page's script can do it, knowing only what a page knows."""
    loss_share: float
    fair_share: float
    """His share of losses in the same races, honest."""
    ratio: Figure
    flagged: float
    """Of his sessions of 25 races."""


class Condition(msgspec.Struct, frozen=True):
    """How honest players fare where something is odd."""

    about: str
    wrong_of_ruled: float
    jam: float
    first_ratio: float
    """The losses of the one it is odd for, beside how often he was truly last."""
    first_flagged: float


class Ruled(msgspec.Struct, frozen=True):
    """Wrong beside jam."""

    wrong_of_ruled: float
    jam: float


class Fairness(msgspec.Struct, frozen=True, kw_only=True):
    """All of one run."""

    hands: int
    rounds: int
    attack_rounds: int
    """For each attack."""
    seed: int
    methods: dict[str, Method]
    jam_causes: dict[str, float]
    """Shares of all races."""
    access: dict[str, Losses]
    attacks: dict[str, AttackResult]
    small_lies: dict[str, AttackResult]
    """What the leeway that slow devices need is worth to a liar."""
    honest_flagged: float
    """Of all sessions of honest players."""
    correlations: dict[str, Ruled]
    """Ours, by how alike neighbouring packets fare."""
    taus: dict[str, Ruled]
    """Ours, had it jammed whatever is closer than so many milliseconds: what a wider or narrower jam would cost."""
    conditions: dict[str, Condition]
    seconds: float


class Setting(NamedTuple):
    """What stays the same through a study."""

    networks: Networks
    humans: Humans
    hands: int
    seed: int
    correlation: float | None

    def session(self, index: int, odd: Oddity = NOTHING_ODD) -> Session:
        """The players and the luck of one session, always the same."""
        correlation = CORRELATIONS[index % len(CORRELATIONS)] if self.correlation is None else self.correlation
        rng = np.random.default_rng([self.seed, index])
        return draw_session(self.networks, self.humans, self.hands, rng, correlation, odd)


def fairness(
    networks: Networks,
    humans: Humans,
    *,
    hands: int,
    rounds: int,
    seed: int,
    correlation: float | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Fairness:
    """Play at least ``rounds`` races, in whole sessions, and half as many again for each attack.

    ``hands``: how many must follow; ``correlation``: of neighbouring packets, None: all of ``CORRELATIONS`` in turn.
    """
    setting = Setting(networks, humans, hands, seed, correlation)
    study, seconds = timed(lambda: _study(setting, rounds, progress))
    return msgspec.structs.replace(study, seconds=round(seconds, 1))


def _study(setting: Setting, rounds: int, progress: Callable[[str], None]) -> Fairness:
    sessions = -(-rounds // SESSION)
    attacked = -(-min(rounds // 2, MOST_ATTACK_ROUNDS) // SESSION) or 1
    progress("honest players")
    main = _Tally(setting)
    for index in range(sessions):
        main.add(setting.session(index))
    lies = {}
    for name, attack in (ATTACKS | SMALL_LIES).items():
        progress(attack.about)
        lies[name] = _attacked(setting, attack, main.first_losses[:attacked])
    conditions = {}
    for name, (about, odd) in _odd(setting.networks).items():
        progress(about)
        tally = _Tally(setting)
        for index in range(-(-attacked // 2)):
            tally.add(setting.session(index, odd))
        conditions[name] = tally.condition(about)
    return Fairness(
        hands=setting.hands,
        rounds=sessions * SESSION,
        attack_rounds=attacked * SESSION,
        seed=setting.seed,
        methods=main.methods(),
        jam_causes={cause.value: main.causes[cause] / main.races for cause in Jam},
        access=main.access(),
        attacks={name: lies[name] for name in ATTACKS},
        small_lies={name: lies[name] for name in SMALL_LIES},
        honest_flagged=main.flagged / (sessions * setting.hands),
        correlations=main.by_correlation(),
        taus=main.by_tau(),
        conditions=conditions,
        seconds=0,
    )


def _odd(networks: Networks) -> dict[str, tuple[str, Oddity]]:
    """What may be odd about honest players."""
    fine_ms, coarse_ms = GRAINS_MS[0], GRAINS_MS[-1]
    return {
        "30fps-one": ("one screen draws 30 frames a second", Oddity(first=(SLOW_FRAME_MS, fine_ms))),
        "30fps-all": ("all screens draw 30 frames a second", Oddity(frames_ms=(SLOW_FRAME_MS,))),
        "coarse-one": ("one clock ticks every 16.7 ms", Oddity(first=(FRAMES_MS[-1], coarse_ms))),
        "stalls-3%": ("one page is stuck before 3 contacts in 100", Oddity(stalls=0.03)),
        "stalls-10%": ("one page is stuck before 10 contacts in 100", Oddity(stalls=0.10)),
        "crowded": ("very many race on this server, and its pings are few", Oddity(train=CROWDED)),
    } | {
        f"all-{kind}": (f"everybody is on {kind}", Oddity(access=kind)) for kind, share in networks.mix.items() if share
    }


# Ways to rule: from what a server could see of a race to one time a seat; the largest loses.

BASELINES: Mapping[str, Callable[[Outcome], tuple[float, ...]]] = {
    "arrival": lambda race: race.arrival_ms,
    "half_rtt": lambda race: tuple(at - rtt / 2 for at, rtt in zip(race.arrival_ms, race.rtt_ms, strict=True)),
    "full_rtt": lambda race: tuple(at - rtt for at, rtt in zip(race.arrival_ms, race.rtt_ms, strict=True)),
    "raw_claims": lambda race: race.claim_ms,
}


class _Tally:
    """Counts of many sessions; one row a session where an interval is wanted."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self.races = 0
        self.flagged = 0
        self.first_flagged = 0
        self.causes: Counter[Jam] = Counter()
        self.first_losses: list[tuple[int, int]] = []
        """A session each: races ruled, and those the first player lost."""
        self._rows: dict[str, list[tuple[int, int, int, float]]] = {name: [] for name in (*BASELINES, "ours")}
        """A method each, a session each: races, ruled, wrong, injustice."""
        self._lost: Counter[str] = Counter()
        self._last: Counter[str] = Counter()
        self._correlations: dict[float, list[int]] = {}
        self._taus = {tau_ms: [0, 0] for tau_ms in TAUS_MS}
        self._first_last = 0

    def add(self, session: Session) -> None:
        """Play it, and count."""
        rows = {name: _Row() for name in self._rows}
        first_lost = 0
        flagged: list[bool] = []
        kinds = [player.path.access for player in session.players]
        for race, hands in play(session):
            truly = _last(race.truth_ms)
            for name, times in BASELINES.items():
                rows[name].count(race, truly, _last(times(race)))
            loser = _loser(race)
            rows["ours"].count(race, truly, loser)
            self._last[kinds[truly]] += 1
            self._first_last += truly == 0
            if loser is not None:
                self._lost[kinds[loser]] += 1
                first_lost += loser == 0
            elif race.judgement.jam is not None:
                self.causes[race.judgement.jam] += 1
            self._count_taus(race, truly)
            flagged = [bool(hand.standing.flags()) for hand in hands] if rows["ours"].races == SESSION else flagged
        self.races += SESSION
        self.flagged += sum(flagged)
        self.first_flagged += flagged[0]
        ours = rows["ours"]
        self.first_losses.append((ours.ruled, first_lost))
        totals = self._correlations.setdefault(session.correlation, [0, 0, 0])
        for at, value in enumerate((ours.races, ours.ruled, ours.wrong)):
            totals[at] += value
        for name, row in rows.items():
            self._rows[name].append((row.races, row.ruled, row.wrong, row.injustice_ms))

    def methods(self) -> dict[str, Method]:
        """Every way to rule, with its intervals."""
        weights = _weights(len(self.first_losses), self._setting.seed)
        return {name: _method(np.array(rows, dtype=np.float64), weights) for name, rows in self._rows.items()}

    def access(self) -> dict[str, Losses]:
        """Who loses, by how he is connected."""
        lost, last = self._lost.total(), self._last.total()
        return {kind: _losses(self._lost[kind] / max(lost, 1), self._last[kind] / last) for kind in sorted(self._last)}

    def by_correlation(self) -> dict[str, Ruled]:
        """Ours, for each correlation of neighbours."""
        return {
            str(correlation): Ruled(wrong / max(ruled, 1), 1 - ruled / races)
            for correlation, (races, ruled, wrong) in sorted(self._correlations.items())
        }

    def by_tau(self) -> dict[str, Ruled]:
        """Ours, for each least tolerance."""
        return {
            str(tau_ms): Ruled(wrong / max(ruled, 1), 1 - ruled / self.races)
            for tau_ms, (ruled, wrong) in self._taus.items()
        }

    def condition(self, about: str) -> Condition:
        """What honest players come to under an odd condition."""
        _, ruled, wrong, _ = np.array(self._rows["ours"]).sum(axis=0)
        lost = sum(lost for _, lost in self.first_losses)
        fair = self._first_last / self.races
        return Condition(
            about=about,
            wrong_of_ruled=float(wrong / max(ruled, 1)),
            jam=float(1 - ruled / self.races),
            first_ratio=float(lost / max(ruled, 1) / fair) if fair else 1.0,
            first_flagged=self.first_flagged / len(self.first_losses),
        )

    def _count_taus(self, race: Outcome, truly: int) -> None:
        """What other tolerances would have made of the same times."""
        if race.judgement.jam is Jam.DOUBT:
            return
        times = [(reading.time_us or 0, reading.band_us) for reading in race.judgement.readings]
        loser = max(range(len(times)), key=lambda seat: times[seat])
        last_us, band_us = times[loser]
        for tau_ms, counts in self._taus.items():
            if all(
                last_us - time_us >= max(tau_ms * 1000, band_us + other_us)
                for seat, (time_us, other_us) in enumerate(times)
                if seat != loser
            ):
                counts[0] += 1
                counts[1] += loser != truly


class _Row:
    """One session under one way to rule."""

    def __init__(self) -> None:
        self.races = self.ruled = self.wrong = 0
        self.injustice_ms = 0.0

    def count(self, race: Outcome, truly: int, loser: int | None) -> None:
        self.races += 1
        if loser is None:
            return
        self.ruled += 1
        self.wrong += loser != truly
        self.injustice_ms += race.truth_ms[truly] - race.truth_ms[loser]


def _attacked(setting: Setting, attack: Attack, honest: list[tuple[int, int]]) -> AttackResult:
    """The first player of the same sessions lies, or has a proxy."""
    rows = []
    flagged = 0
    for index, (fair_ruled, fair_lost) in enumerate(honest):
        ruled = lost = 0
        flags: tuple[object, ...] = ()
        for race, hands in play(setting.session(index), attack.lie, attack.detour):
            loser = _loser(race)
            ruled += loser is not None
            lost += loser == 0
            flags = hands[0].standing.flags()
        flagged += bool(flags)
        rows.append((ruled, lost, fair_ruled, fair_lost))
    counts = np.array(rows, dtype=np.float64)
    ruled, lost, fair_ruled, fair_lost = counts.sum(axis=0)
    resampled = (_weights(len(rows), setting.seed) @ counts).T
    ratios = (resampled[1] / resampled[0]) / np.maximum(resampled[3] / resampled[2], 1e-9)
    loss_share, fair_share = float(lost / ruled), float(fair_lost / fair_ruled)
    return AttackResult(
        about=attack.about,
        page_only=attack.is_of_the_page,
        loss_share=loss_share,
        fair_share=fair_share,
        ratio=_figure(loss_share / fair_share if fair_share else 1.0, ratios),
        flagged=flagged / len(rows),
    )


def _last(times: tuple[float, ...]) -> int:
    return max(range(len(times)), key=times.__getitem__)


def _loser(race: Outcome) -> int | None:
    last = race.judgement.verdict.last
    return last[0] if last else None


def _losses(loss_share: float, fair_share: float) -> Losses:
    return Losses(loss_share, fair_share, loss_share / fair_share if fair_share else 1.0)


def _weights(sessions: int, seed: int) -> Counts:
    """How often each session is drawn in each resample."""
    rng = np.random.default_rng([seed, sessions, RESAMPLES])
    return rng.multinomial(sessions, np.full(sessions, 1 / sessions), size=RESAMPLES)


def _method(rows: Floats, weights: Counts) -> Method:
    def shares(totals: Floats) -> Iterator[Floats]:
        races, ruled, wrong, injustice_ms = totals
        some = np.maximum(ruled, 1)
        yield wrong / some
        yield 1 - ruled / races
        yield injustice_ms / some

    values = shares(rows.sum(axis=0))
    resampled = shares((weights @ rows).T)
    return Method(*(_figure(float(value), many) for value, many in zip(values, resampled, strict=True)))


def _figure(value: float, resampled: Floats) -> Figure:
    low, high = np.quantile(resampled, (0.025, 0.975))
    return Figure(value, float(low), float(high))
