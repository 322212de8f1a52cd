"""Who plays in the lab's studies: measured network paths, and the reaction times of people in browsers.

Both come from a file of figures, given or shipped beside this room (``data/``, where their sources are named). A path
is its lowest round trip and the quantiles of what comes on top; a person is an ex-Gaussian.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path as File
from typing import TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")
Floats = NDArray[np.float64]


LONGEST_MS = 10_000
"""A path slower than this is no path to play on; and a race over it would take a train of pings without end."""
MOST_SHARE = 1_000_000


class BadData(ValueError):
    """A file of figures cannot be used: the message says which and why."""


class Path(msgspec.Struct, frozen=True):
    """One measured network path, in milliseconds."""

    access: str
    min_rtt_ms: float
    excess_ms: tuple[float, ...]
    """The quantiles of a round trip's excess over the lowest."""


class Networks(msgspec.Struct, frozen=True):
    """Measured paths, and how common each kind of access is."""

    percentiles: tuple[float, ...]
    """Which quantiles the paths give."""
    mix: dict[str, float]
    """Each kind of access with its share of players."""
    paths: tuple[Path, ...]

    def __post_init__(self) -> None:
        shares = [percentile / 100 for percentile in self.percentiles]
        if len(shares) < 2 or sorted(set(shares)) != shares or not 0 <= shares[0] <= shares[-1] <= 1:
            raise ValueError("percentiles: two or more, ascending, from 0 to 100")
        shares_of_kinds = self.mix.values()
        if not self.mix or not any(shares_of_kinds) or not all(0 <= share <= MOST_SHARE for share in shares_of_kinds):
            raise ValueError(f"mix: a share from 0 to {MOST_SHARE:,} for each kind of access, not all 0")
        for number, path in enumerate(self.paths):
            excess = path.excess_ms
            ascend = len(excess) == len(shares) and list(excess) == sorted(excess)
            if not ascend or min(path.min_rtt_ms, excess[0]) < 0 or max(path.min_rtt_ms, excess[-1]) > LONGEST_MS:
                limits = f"from 0 to {LONGEST_MS:,} ms"
                raise ValueError(f"paths[{number}]: a round trip and {len(shares)} ascending excesses, {limits}")
        for kind, share in self.mix.items():
            if share and not any(path.access == kind for path in self.paths):
                raise ValueError(f"mix: no path has the access {kind!r}")

    def draw(self, rng: np.random.Generator, access: str | None = None) -> Path:
        """A player's path: a kind of access by the mix, unless one is named, then any path of that kind."""
        if access is None:
            kinds = list(self.mix)
            shares = np.array([self.mix[kind] for kind in kinds])
            access = kinds[int(rng.choice(len(kinds), p=shares / shares.sum()))]
        of_kind = [path for path in self.paths if path.access == access]
        return of_kind[int(rng.integers(len(of_kind)))]

    def excess_ms(self, path: Path, quantiles: Floats) -> Floats:
        """What a packet's round trip takes on top, for these quantiles in [0, 1]."""
        at = np.array(self.percentiles) / 100
        return np.asarray(np.interp(quantiles, at, np.array(path.excess_ms)), dtype=np.float64)


class ExGaussian(msgspec.Struct, frozen=True):
    """A normal and an exponential in sum, in milliseconds."""

    mu: float
    sigma: float
    tau: float

    def __post_init__(self) -> None:
        if not all(0 <= part <= LONGEST_MS for part in (self.mu, self.sigma, self.tau)):
            raise ValueError(f"mu, sigma and tau: from 0 to {LONGEST_MS:,} ms")


class SimpleVisual(msgspec.Struct, frozen=True):
    """How people react to one thing seen."""

    exgaussian: ExGaussian
    mu_sd_between: float
    """How far persons differ."""

    def __post_init__(self) -> None:
        if not 0 <= self.mu_sd_between <= LONGEST_MS:
            raise ValueError(f"mu_sd_between: from 0 to {LONGEST_MS:,} ms")


class Humans(msgspec.Struct, frozen=True):
    """How people react."""

    simple_visual: SimpleVisual

    def draw(self, rng: np.random.Generator) -> ExGaussian:
        """A person."""
        typical = self.simple_visual.exgaussian
        mu = rng.normal(typical.mu, self.simple_visual.mu_sd_between)
        return ExGaussian(max(float(mu), 100.0), typical.sigma, typical.tau)


def reactions_ms(person: ExGaussian, rng: np.random.Generator, count: int) -> Floats:
    """So many reactions of this person."""
    return rng.normal(person.mu, person.sigma, count) + rng.exponential(person.tau, count)


def networks(file: File | None = None) -> Networks:
    """The paths in this file, or those shipped.

    Raises:
        BadData: they cannot be used.
    """
    return _read(file, "networks.json", Networks)


def humans(file: File | None = None) -> Humans:
    """The people in this file, or those shipped.

    Raises:
        BadData: they cannot be used.
    """
    return _read(file, "humans.json", Humans)


def _read(file: File | None, shipped: str, kind: type[T]) -> T:
    source = file or files("slamomatic.lab").joinpath("data", shipped)
    try:
        return msgspec.json.decode(source.read_bytes(), type=kind)
    except OSError as error:
        raise BadData(f"{source}: {error.strerror}") from None
    except (msgspec.DecodeError, ValueError) as error:
        raise BadData(f"{source}: {error}") from None
