"""What the unit assumes of a browser, measured on a real one: ``python -m tests.e2e.measure``.

A page races on loopback, against players without a page, at a tapped server: first as pages are, then with a main
thread that is busy for a while at each contact. One page alone: those of players do not share a machine.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import quantiles

from playwright.async_api import async_playwright

from tests.e2e.conftest import CHROMIUM, FLAGS
from tests.e2e.house import open_house
from tests.e2e.party import Party
from tests.e2e.racers import racing
from tests.e2e.races import Race
from tests.e2e.tap import Seen, read_tap

RACES = 100
BUSY_MS = 200


@dataclass(frozen=True)
class Measured:
    """One page in many races."""

    browser: str
    seat: int
    races: list[Race]
    seen: list[Seen]
    odd: list[str]
    """What the server found odd about it."""


async def measure(races: int, busy_ms: int = 0) -> Measured:
    """So many races of one page on loopback; ``busy_ms``: so long is its main thread busy at each contact.

    Raises:
        AssertionError: the page, or the server, told of trouble.
    """
    with tempfile.TemporaryDirectory() as folder:
        tap = Path(folder) / "tap.json"
        with open_house(Path(folder) / "stderr.txt", tap) as house:
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
                party = Party(browser, house)
                async with racing(party, ["Ann"], [house], Random(1), busy_ms) as evening:
                    (page,) = evening.racers
                    await evening.listener.until(races)
                    played = await evening.races()
                version = browser.version
                await browser.close()
        assert not party.trouble, party.trouble
        odd = (Path(folder) / "stderr.txt").read_text().splitlines()
        return Measured(version, page.seat, played, list(read_tap(tap, page.seat)), odd)


def tell(measured: Measured, busy_ms: int) -> None:
    seen = measured.seen
    print(f"\nChromium {measured.browser}, {len(seen)} touches, main thread busy for {busy_ms} ms at each contact")
    print(f"{'ms':42}" + "".join(f"{name:>8}" for name in ("n", "least", "1%", "5%", "50%", "95%", "99%", "most")))
    for what, values in {
        "round trip of the pings in races": [rtt for each in seen for _, rtt in each.train],
        "contact sent -> pong of the ping after it": [each.pong for each in seen],
        "that pong -> Shown": [each.shown - each.pong for each in seen],
        "Shown -> Touch, less the claim (D - c)": [each.touch - each.shown - each.claim for each in seen],
        "believed, less the truth of its events": [race.error_ms(measured.seat) for race in measured.races],
        "frame, by the page's own measure": [each.frame for each in seen],
        "clock's grain, by the page's own measure": [each.grain for each in seen],
    }.items():
        print(f"{what:42}{len(values):8}" + "".join(f"{figure:8.2f}" for figure in _figures(values)))
    for line in measured.odd:
        print(line)
    print(f"the pong came before Shown: {sum(each.pong < each.shown for each in seen)} of {len(seen)}")


def _figures(values: Sequence[float]) -> tuple[float, ...]:
    cuts = quantiles(values, n=100, method="inclusive")
    return min(values), cuts[0], cuts[4], cuts[49], cuts[94], cuts[98], max(values)


if __name__ == "__main__":
    for busy_ms in (0, BUSY_MS):
        tell(asyncio.run(measure(RACES, busy_ms)), busy_ms)
