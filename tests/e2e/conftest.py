"""A real browser and the real server, for the tests that play as people do."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator, Generator, Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, async_playwright

from tests.e2e.house import open_house
from tests.e2e.party import Party

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
# No sandbox: a CI runs as root. The rest keeps the browser from any talk of its own.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
FAILURES = Path(__file__).parent / "failures"

_failed = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember a failed test, so that its party keeps the evidence."""
    report = yield
    if report.failed:
        item.stash[_failed] = True
    return report


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    """Headless Chromium with a fresh profile; open a context for each player."""
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        await chromium.close()


@pytest.fixture(scope="session")
def house(web_dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the real server, with the built client."""
    with open_house(tmp_path_factory.mktemp("house") / "stderr.txt") as address:
        yield address


def _evidence(name: str) -> Path:
    folder = FAILURES / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture
async def party(browser: Browser, house: str, request: pytest.FixtureRequest) -> AsyncIterator[Party]:
    """Guests in browsers of their own; none of them may have met any trouble."""
    gathering = Party(browser, house)
    shutil.rmtree(FAILURES / request.node.name, ignore_errors=True)
    yield gathering
    trouble = list(gathering.trouble)
    if request.node.stash.get(_failed, False) or trouble:
        await gathering.keep_evidence(_evidence(request.node.name))
    await gathering.leave()
    assert trouble == []
