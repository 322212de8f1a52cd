"""An open database of either store."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio

from slamomatic.server.storage.database import Database


@pytest_asyncio.fixture
async def database(store_url: str) -> AsyncIterator[Database]:
    database = await Database.open(store_url)
    yield database
    await database.close()
