"""What the unit takes for granted of a browser: that it answers pings itself, in order, whatever its page does."""

from __future__ import annotations

from pathlib import Path
from statistics import median

import pytest

from tests.e2e.measure import BUSY_MS, measure

pytestmark = [pytest.mark.e2e, pytest.mark.timed]

RACES = 6
ENOUGH = 5
"""Of the twenty pings of a train that fall into the time in which the page is busy."""


async def test_a_page_claims_what_its_events_say(web_dist: Path) -> None:
    measured = await measure(RACES)
    truth = {race.told.cue: race.truth[measured.seat] for race in measured.races}
    assert median(abs(seen.claim - truth[seen.cue]) for seen in measured.seen if seen.cue in truth) < 1.0
    assert all(seen.grain < 5 for seen in measured.seen)


async def test_a_browser_answers_pings_while_its_page_is_busy(web_dist: Path) -> None:
    measured = await measure(RACES, BUSY_MS)
    assert len(measured.seen) >= RACES
    for seen in measured.seen:
        assert seen.shown > BUSY_MS
        assert sum(answered < seen.shown for answered, _ in seen.train) >= ENOUGH
