"""A real browser for the tests that play as a person does."""

import os
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, async_playwright

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


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    """Headless Chromium with a fresh profile; open a context for each player."""
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        await chromium.close()
