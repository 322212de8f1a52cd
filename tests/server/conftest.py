"""A real server for each test, on loopback, closed when the test is over."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.server.guests import House, Serve, build_house


@pytest.fixture
async def serve() -> AsyncIterator[Serve]:
    """Makes servers of one's own: ``await serve(limits=…, site=…, client=…)``."""
    built = []

    async def build(**settings: Any) -> House:
        server, house = await build_house(**settings)
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
