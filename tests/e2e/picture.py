"""The picture in the README, taken anew from a real race: ``python -m tests.e2e.picture docs/images/race.png``.

Four at a table, some pairs laid, a verdict just in: Green was last. It may take a game or two until it is so.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from playwright.async_api import Error, async_playwright

from tests.e2e.conftest import CHROMIUM, FLAGS
from tests.e2e.house import open_house
from tests.e2e.party import Party
from tests.e2e.people import Person

VERDICT = "(Green) was last"
PAIRS_LAID = 6
HANDS_FALL_SECONDS = 0.45


async def take(path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder, open_house(Path(folder) / "stderr.txt") as house:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            person = await Party(browser, house).arrive("Mara")
            await sit_down(person)
            while not await is_it(person):
                sight = await person.look()
                if sight.page == "result":
                    await person.page.get_by_role("button", name="Rematch").click()
                await person.live_through(sight)
            await asyncio.sleep(HANDS_FALL_SECONDS)
            await person.page.screenshot(path=path)
            await browser.close()


async def sit_down(person: Person) -> None:
    page = person.page
    await person.type_name()
    await page.get_by_role("button", name="Make a table").click()
    for hand, level in ((2, "Sharp"), (3, "Gentle"), (4, "Steady")):
        await person.add_bot(hand, level)
    await person.get_ready()
    await person.see("table")
    await page.get_by_role("button", name="No more hints").click()


async def is_it(person: Person) -> bool:
    """Whether this very moment is the one."""
    laid = person.page.get_by_role("img", name="laid: ")
    try:
        if VERDICT not in await person.page.get_by_test_id("verdict").inner_text():
            return False
        names = [await pairs.get_attribute("aria-label") or "" for pairs in await laid.all()]
    except Error:  # the page was about to show something else
        return False
    return sum(len(name.split(", ")) for name in names) >= PAIRS_LAID


if __name__ == "__main__":
    asyncio.run(take(Path(sys.argv[1])))
