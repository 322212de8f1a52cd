"""The server as hosts run it: below a path, behind a proxy that alone knows who asks."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest

from slamomatic.server.limits import Rate
from slamomatic.server.site import Site
from slamomatic.table.protocol import Hello, TableChanged, Welcome
from tests.server.guests import GENEROUS, PATIENCE_SECONDS, Guest, House, Serve
from tests.server.proxy import Proxy

PUBLIC = "https://play.example.org/slam"
ORIGIN = "https://play.example.org"


def port(house: House) -> int:
    assert house.server.port is not None
    return house.server.port


async def call(url: str, method: str = "POST", **headers: str) -> tuple[int, Any]:
    """Status and JSON of a call on a connection of its own."""
    body = {"name": "Ann"} if method == "POST" else None
    async with aiohttp.ClientSession() as session, session.request(method, url, json=body, headers=headers) as answer:
        return answer.status, await answer.json()


@pytest.fixture
def client(tmp_path: Path) -> Path:
    folder = tmp_path / "client"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text('<html><head><script src="assets/a.js"></script></head></html>')
    (folder / "assets" / "a.js").write_text("play()")
    return folder


KEEPS = Site(base_path="/slam", public_url=PUBLIC, trust_proxy=True)
"""The proxy passes the path on as it is."""
STRIPS = Site(public_url=PUBLIC, trust_proxy=True)
"""The proxy takes ``/slam`` off."""


@pytest.mark.parametrize(("site", "prefix"), [(KEEPS, ""), (STRIPS, "/slam")], ids=["path kept", "path taken off"])
async def test_everything_works_below_a_path(serve: Serve, client: Path, site: Site, prefix: str) -> None:
    house = await serve(site=site, client=client)
    async with Proxy(port(house), prefix=prefix) as proxy, aiohttp.ClientSession() as session:
        for path in ("/slam/", "/slam/anything/below"):
            async with session.get(proxy.url + path) as page:
                assert '<base href="/slam/">' in await page.text()
        async with session.get(f"{proxy.url}/slam/assets/a.js") as file:
            assert await file.text() == "play()"
        status, seated = await call(f"{proxy.url}/slam/api/tables", Origin=ORIGIN)
        assert status == 201
        page_ = Guest(await session.ws_connect(f"{proxy.url}/slam/ws/{seated['code']}", origin=ORIGIN))
        await page_.say(Hello(seated["ticket"]))
        assert (await page_.hear(Welcome)).seat == 1
        await page_.ws.close()
        async with session.get(f"{proxy.url}/elsewhere/healthz") as elsewhere:
            assert "status" not in await elsewhere.text()


async def test_pings_go_all_the_way_and_the_round_trip_is_that_of_the_player(serve: Serve) -> None:
    house = await serve(site=KEEPS)
    async with Proxy(port(house)) as proxy, aiohttp.ClientSession() as session:
        _, seated = await call(f"{proxy.url}/slam/api/tables")
        page = Guest(await session.ws_connect(f"{proxy.url}/slam/ws/{seated['code']}"))
        await page.say(Hello(seated["ticket"]))
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (await page.hear(TableChanged)).table.seats[0].rtt_ms is None:
                pass
        await page.ws.close()


async def test_the_bare_path_leads_to_the_page(serve: Serve) -> None:
    house = await serve(site=KEEPS)
    async with (
        Proxy(port(house)) as proxy,
        aiohttp.ClientSession() as session,
        session.get(f"{proxy.url}/slam", allow_redirects=False) as answer,
    ):
        assert answer.status == 302
        assert answer.headers["Location"] == "/slam/", "relative: the proxy's own name and scheme stay"


# Who asks.

ONE_EACH = msgspec.structs.replace(GENEROUS, openings=Rate(1, 0.0))


async def test_behind_a_proxy_each_asker_has_limits_of_his_own(serve: Serve) -> None:
    house = await serve(site=KEEPS, limits=ONE_EACH)
    async with Proxy(port(house), asker="203.0.113.1") as proxy:
        url = f"{proxy.url}/slam/api/tables"
        assert [(await call(url))[0] for _ in range(2)] == [201, 429]
        proxy.asker = "203.0.113.2"
        assert (await call(url))[0] == 201


@pytest.mark.parametrize("adds_a_line", [False, True], ids=["at the end of the line", "in a line of its own"])
async def test_what_an_asker_claims_of_himself_gets_him_nothing(serve: Serve, adds_a_line: bool) -> None:
    house = await serve(site=KEEPS, limits=ONE_EACH)
    async with Proxy(port(house), asker="203.0.113.1", adds_a_line=adds_a_line) as proxy:
        url = f"{proxy.url}/slam/api/tables"
        claims = [f"198.51.100.{number}" for number in range(3)]
        assert [(await call(url, **{"X-Forwarded-For": claim}))[0] for claim in claims] == [201, 429, 429]


async def test_without_a_proxy_nobody_is_believed(serve: Serve) -> None:
    house = await serve(limits=ONE_EACH)
    url = house.url("/api/tables")
    claims = [f"198.51.100.{number}" for number in range(3)]
    assert [(await call(url, **{"X-Forwarded-For": claim}))[0] for claim in claims] == [201, 429, 429]


@pytest.mark.parametrize("header", ["Forwarded", "X-Real-IP", "X-Client-IP", "CF-Connecting-IP", "True-Client-IP"])
async def test_no_other_header_names_the_asker(serve: Serve, header: str) -> None:
    house = await serve(site=KEEPS, limits=ONE_EACH)
    async with Proxy(port(house)) as proxy:
        url = f"{proxy.url}/slam/api/tables"
        assert [(await call(url, **{header: f"198.51.100.{number}"}))[0] for number in range(2)] == [201, 429]


# Which page asks.


@pytest.mark.parametrize("public", ["https://play.example.org:443/slam", "HTTPS://Play.Example.org/slam"])
async def test_the_public_address_may_be_written_as_one_likes(serve: Serve, public: str) -> None:
    house = await serve(site=Site(base_path="/slam", public_url=public))
    assert (await call(house.url("/api/tables"), Origin=ORIGIN))[0] == 201


@pytest.mark.parametrize(
    ("origin", "ours"),
    [(ORIGIN, True), ("http://play.example.org", False), ("https://play.example.org.evil.example", False),
     ("https://evil.example", False), ("null", False)],
)  # fmt: skip
@pytest.mark.parametrize("host", [None, "127.0.0.1:8000", "inner.example"])
async def test_pages_of_the_public_address_are_ours_and_no_others(
    serve: Serve, origin: str, ours: bool, host: str | None
) -> None:
    house = await serve(site=KEEPS)
    _, seated = await call(house.url("/api/tables"))
    async with Proxy(port(house), host=host) as proxy, aiohttp.ClientSession() as session:
        status, _ = await call(f"{proxy.url}/slam/api/tables", Origin=origin)
        assert status == (201 if ours else 403)
        url = f"{proxy.url}/slam/ws/{seated['code']}"
        if ours:
            await (await session.ws_connect(url, origin=origin)).close()
        else:
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                await session.ws_connect(url, origin=origin)
            assert refused.value.status == 403
