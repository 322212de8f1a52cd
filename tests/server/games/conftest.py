"""A database of either store, a hand in it, and a whole server on it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import aiohttp
import pytest
from aiohttp.test_utils import TestServer
from msgspec.structs import replace

from slamomatic.bots import bot
from slamomatic.server.app import create_app
from slamomatic.server.limits import Rate
from slamomatic.server.storage.database import Database
from tests.server.games.made import Keeper
from tests.server.people.town import GENEROUS, Town

ENDLESS = Rate(10**6, 10**6)

Build = Callable[..., Awaitable[Town]]


@pytest.fixture
async def keeper(store_url: str) -> AsyncIterator[Keeper]:
    """Keeps games in an empty database."""
    database = await Database.open(store_url)
    yield Keeper(database)
    await database.close()


@pytest.fixture
async def build(store_url: str) -> AsyncIterator[Build]:
    """Makes servers on one database: ``await build(limits=…)``."""
    built: list[Town] = []

    async def build(**settings: Any) -> Town:
        database = await Database.open(store_url)
        limits = replace(GENEROUS, reports=ENDLESS, openings=ENDLESS)
        app = create_app(bot, database=database, **{"client": None, "limits": limits} | settings)
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
