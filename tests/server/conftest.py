"""A real server for each test, on loopback, closed when the test is over."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestServer

from tests.server.guests import House, Serve, build_house


@pytest.fixture
async def serve(tmp_path: Path) -> AsyncIterator[Serve]:
    """Makes servers of one's own: ``await serve(limits=…, site=…, client=…, url=…)``; each has a new SQLite file."""
    built: list[tuple[TestServer, House]] = []

    async def build(url: str | None = None, **settings: Any) -> House:
        url = url or f"sqlite+aiosqlite:///{tmp_path / f'{len(built)}.db'}"
        server, house = await build_house(url, **settings)
        built.append((server, house))
        return house

    yield build
    for server, house in built:
        await house.session.close()
        await server.close()


@pytest.fixture
async def house(serve: Serve) -> House:
    """A server with generous limits."""
    return await serve()
