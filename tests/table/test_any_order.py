"""Short scenes in which anybody does anything in any order, small enough to be read when one fails."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from slamomatic.game import CLASSIC, MODERN, Edition
from slamomatic.table.memory import rebuilt
from slamomatic.table.protocol import Act, Leave, Level, Moved, Pace, Phase, Ready, Release, Remove, Welcome
from slamomatic.table.table import Table
from tests.table.evening import deal_of, evening_of
from tests.table.pages import MS, SECOND, Page

Deed = Callable[[Page], object]


def acts(page: Page) -> None:
    """The first thing the view allows, except the hand's."""
    told = [message.view for message in page.heard if isinstance(message, Moved | Welcome) and message.view]
    for command in told[-1].legal if told else ():
        if type(command).__name__ in ("Draw", "Take", "Lay", "Choose", "Pass"):
            page.says(Act(command))  # type: ignore[arg-type]
            return


def newer_tab(page: Page) -> None:
    """The same ticket, another page."""
    if page.evening.table.seat_of(page.ticket):
        page.connects()


def looks_in(page: Page) -> None:
    """Seen, and gone again."""
    page.returns()
    page.hides()


DEEDS: dict[str, Deed] = {
    "acts": acts,
    "reaches": Page.reaches,
    "lands": Page.lands,
    "withdraws": Page.withdraws,
    "touches": Page.touches,
    "releases at once": lambda page: page.says(Release(0)),
    "hides": Page.hides,
    "returns": Page.returns,
    "loses the line": Page.loses_connection,
    "opens a newer tab": newer_tab,
    "is ready": lambda page: page.says(Ready(ready=True)),
    "leaves": lambda page: page.says(Leave()),
    "sends hand 2 away": lambda page: page.says(Remove(2)),
    "looks in": looks_in,
}
ANY_DEED = st.sampled_from(sorted(DEEDS))
WAITS_MS = (0, 1, 100, 220, 349, 351, 1_000, 1_500, 2_500, 6_000, 20_000, 61_000)

HANDS = {1: "5 5 8 8", 2: "2", 3: "1 7 9 10"}
"""Hand 2 is soon empty; the pile is soon out, so both games come to their ends."""


@settings(max_examples=80)
@given(
    edition=st.sampled_from((CLASSIC, MODERN)),
    pace=st.sampled_from(tuple(Pace)),
    bot=st.booleans(),
    deeds=st.lists(
        st.tuples(st.sampled_from(WAITS_MS), st.integers(1, 3), st.sampled_from(sorted(DEEDS))), max_size=40
    ),
)
def test_anybody_may_do_anything_in_any_order(
    edition: Edition, pace: Pace, bot: bool, deeds: list[tuple[int, int, str]]
) -> None:
    bots = {3: Level.SHARP} if bot else {}
    evening, pages = evening_of(deal_of(edition, HANDS, pile="8 9 2 10", dealer=3), bots=bots, pace=pace)
    evening.watch()
    for wait_ms, seat, deed in deeds:
        evening.wait(wait_ms * MS)
        page = pages.get(seat)
        if page is not None and (page.connected or DEEDS[deed] is newer_tab):
            DEEDS[deed](page)
    again = Table.rebuild(evening.log, evening.now, evening.now, evening.rng, evening.bots)
    assert again.record == rebuilt([*evening.log, *again.tick(evening.now).log])
    assert evening.table.record == rebuilt(evening.log)
    if evening.table.is_attended and pace is not Pace.UNTIMED:
        evening.until(lambda: evening.phase() is not Phase.PLAYING, 12 * 3_600 * SECOND)


def test_the_scene_above_can_be_played_to_its_end() -> None:
    for edition in (CLASSIC, MODERN):
        evening, pages = evening_of(deal_of(edition, HANDS, pile="8 9 2 10", dealer=3))
        for _ in range(400):
            for page in pages.values():
                acts(page)
            evening.wait(SECOND)
        assert evening.phase() is Phase.RESULT
