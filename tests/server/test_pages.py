"""What a browser gets that asks for the client."""

from __future__ import annotations

from pathlib import Path

import pytest

from slamomatic.server.site import Site
from tests.server.guests import House, Serve


@pytest.fixture
def client(tmp_path: Path) -> Path:
    """A built client, small enough to read."""
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text('<html><head><script src="./assets/app-1a2b.js"></script></head></html>')
    (tmp_path / "assets" / "app-1a2b.js").write_text("// slam\n" * 500)
    (tmp_path / "card.svg").write_text("<svg/>")
    (tmp_path.parent / "secret.txt").write_text("not for anyone")
    return tmp_path


async def get(house: House, path: str, **headers: str) -> tuple[int, str, dict[str, str]]:
    async with house.session.get(house.url(path), headers=headers, allow_redirects=False) as answer:
        return answer.status, await answer.text(), {name.lower(): value for name, value in answer.headers.items()}


@pytest.mark.parametrize("path", ["/", "/t/ABCDEF", "/about/anything", "/index.html"])
async def test_every_route_of_the_client_gets_the_page_and_the_page_is_asked_for_anew(
    serve: Serve, client: Path, path: str
) -> None:
    house = await serve(client=client)
    status, text, headers = await get(house, path)
    assert status == 200
    assert '<head>\n    <base href="/"><script' in text
    assert headers["cache-control"] == "no-cache"
    assert headers["content-type"] == "text/html; charset=utf-8"


async def test_hashed_files_are_cached_for_ever_and_come_gzipped_to_who_takes_it(serve: Serve, client: Path) -> None:
    house = await serve(client=client)
    status, text, headers = await get(house, "/assets/app-1a2b.js", **{"Accept-Encoding": "gzip"})
    assert (status, text) == (200, "// slam\n" * 500)
    assert headers["content-encoding"] == "gzip"
    assert int(headers["content-length"]) < 500
    assert headers["cache-control"] == "public, max-age=31536000, immutable"
    _, text, headers = await get(house, "/assets/app-1a2b.js", **{"Accept-Encoding": "identity"})
    assert text == "// slam\n" * 500
    assert "content-encoding" not in headers


async def test_a_file_that_has_not_changed_is_not_sent_again(serve: Serve, client: Path) -> None:
    house = await serve(client=client)
    _, _, headers = await get(house, "/card.svg")
    assert headers["content-type"] == "image/svg+xml; charset=utf-8"
    assert headers["cache-control"] == "no-cache"
    status, text, _ = await get(house, "/card.svg", **{"If-None-Match": headers["etag"]})
    assert (status, text) == (304, "")


@pytest.mark.parametrize("path", ["/missing.js", "/../secret.txt", "/%2e%2e/secret.txt", "/x/..%2f..%2fsecret.txt"])
async def test_no_path_leads_out_of_the_client(serve: Serve, client: Path, path: str) -> None:
    house = await serve(client=client)
    status, text, _ = await get(house, path)
    assert status == 404
    assert "not for anyone" not in text


async def test_everything_lives_below_the_base_path_and_nothing_beside_it(serve: Serve, client: Path) -> None:
    house = await serve(client=client, site=Site(base_path="/some/where"))
    _, text, _ = await get(house, "/t/ABCDEF")
    assert '<base href="/some/where/">' in text
    assert (await get(house, "/assets/app-1a2b.js"))[0] == 200
    assert (await house.call("GET", "/healthz"))[0] == 200
    ann = await house.open()
    page = await house.sit(ann)
    assert page.seat == 1
    status, _, headers = await get(house, "")
    assert (status, headers["location"]) == (302, "/some/where/")
    async with house.session.get(house.server.make_url("/healthz")) as beside:
        assert beside.status == 404


async def test_behind_a_proxy_that_takes_the_path_away_the_page_still_knows_it(serve: Serve, client: Path) -> None:
    house = await serve(client=client, site=Site(public_url="https://play.example.org/slam"))
    _, text, _ = await get(house, "/t/ABCDEF")
    assert '<base href="/slam/">' in text


async def test_without_a_built_client_the_page_says_what_to_do(house: House) -> None:
    status, text, _ = await get(house, "/")
    assert status == 200
    assert "<code>make web</code>" in text


@pytest.mark.parametrize("path", ["/", "/healthz", "/api/tables", "/api/nothing", "/missing.js"])
async def test_every_answer_bears_the_security_headers(house: House, path: str) -> None:
    _, _, headers = await get(house, path)
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "script-src" not in policy, "scripts come from ourselves alone, as everything"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-embedder-policy"] == "require-corp"
    assert "camera=()" in headers["permissions-policy"]
    assert "aiohttp" not in headers["server"]
