"""Every page can be used by whoever cannot see it, or sees it differently."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import expect

from tests.e2e.access import check_access
from tests.e2e.party import DESK, PHONE, Party, Screen

pytestmark = pytest.mark.e2e

PATIENCE_SECONDS = 60


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
async def test_axe_finds_nothing_serious_on_the_way_into_a_game(party: Party, screen: Screen) -> None:
    person = await party.arrive("Axel", screen=screen)
    page = person.page
    close = page.get_by_role("dialog").get_by_role("button", name="Close")
    await page.get_by_text("Choose opponents and edition").click()
    await check_access(page)
    await page.get_by_role("button", name="Make a table").click()
    await person.see("waiting")
    await check_access(page)
    for sheet in ("Settings", "All the rules", "House rules…"):
        await page.get_by_role("button", name=sheet).click()
        await check_access(page)
        await close.click()
        await expect(page.get_by_role("dialog")).to_have_count(0)
    for hand in (2, 3, 4):
        await person.add_bot(hand, "Gentle")
    await person.get_ready()
    await person.see("table")
    await check_access(page)

    person.fakes = 1  # so that a question comes soon: whose card to take
    asked = drawn = False
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not (asked and drawn):
            sight = await person.look()
            if sight.answers and not asked:
                asked = True
                await check_access(page)
            if sight.offers("Draw") and not drawn:
                drawn = True
                await check_access(page)
            await person.live_through(sight)
