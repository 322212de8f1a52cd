"""A real server on each store for every test here."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import aiohttp
import pytest
from aiohttp.test_utils import TestServer

from slamomatic.bots import bot
from slamomatic.server.app import create_app
from slamomatic.server.storage.database import Database
from tests.server.people.town import GENEROUS, Town

Build = Callable[..., Awaitable[Town]]


@pytest.fixture
async def build(store_url: str) -> AsyncIterator[Build]:
    """Makes servers on one database: ``await build(limits=…, site=…, name=…)``."""
    built: list[Town] = []

    async def build(**settings: Any) -> Town:
        database = await Database.open(store_url)
        settings = {"client": None, "limits": GENEROUS, "name": f"server {len(built)}", **settings}
        app = create_app(bot, database=database, **settings)
        server = TestServer(app)
        await server.start_server()
        built.append(Town(server, aiohttp.ClientSession(), app, database))
        return built[-1]

    yield build
    for town in built:
        await town.session.close()
        await town.server.close()


@pytest.fixture
async def town(build: Build) -> Town:
    """A server with generous limits."""
    return await build()
