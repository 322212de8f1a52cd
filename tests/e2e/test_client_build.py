from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from playwright.async_api import Browser, expect

pytestmark = pytest.mark.e2e


async def test_the_built_client_starts_under_any_base_path(browser: Browser, web_dist: Path) -> None:
    app = web.Application()
    app.router.add_static("/some/where/", web_dist)
    async with TestServer(app) as server:
        page = await browser.new_page()
        crashes: list[str] = []
        missing: list[str] = []
        page.on("pageerror", lambda error: crashes.append(str(error)))
        page.on("response", lambda r: missing.append(r.url) if r.status >= 400 else None)
        await page.goto(str(server.make_url("/some/where/index.html")))
        await expect(page.locator("#app > *").first).to_be_visible()
        assert not crashes
        assert not [url for url in missing if "/assets/" in url]
