import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request

from slamomatic.server.site import Site


def asked(**headers: str) -> web.Request:
    return make_mocked_request("GET", "/", headers={"Host": "play.example.org", **headers})


@pytest.mark.parametrize(
    ("origin", "ours"),
    [
        ("https://play.example.org", True),
        ("http://play.example.org", True),
        ("https://play.example.org:444", False),
        ("https://evil.example", False),
        ("https://play.example.org.evil.example", False),
        ("null", False),
        ("file://play.example.org", False),
    ],
)
def test_only_pages_of_the_same_host_are_ours(origin: str, ours: bool) -> None:
    assert Site().is_ours(asked(Origin=origin)) is ours


def test_the_public_url_is_ours_whatever_host_the_proxy_names() -> None:
    site = Site(public_url="https://slam.example/game")
    assert site.is_ours(asked(Origin="https://slam.example"))
    assert not site.is_ours(asked(Origin="http://slam.example"))


def test_a_program_names_no_page_and_is_let_in() -> None:
    assert Site().is_ours(asked())


def test_forwarded_addresses_are_believed_only_behind_a_proxy_and_only_its_own() -> None:
    request = asked(**{"X-Forwarded-For": "10.9.9.9, 203.0.113.7"})
    assert Site(trust_proxy=True).address(request) == "203.0.113.7"
    assert Site().address(request) != "203.0.113.7"


@pytest.mark.parametrize(
    ("told", "address"),
    [
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:bbbb::9", "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("no address", "no address"),
    ],
)
def test_a_household_is_one_address(told: str, address: str) -> None:
    assert Site(trust_proxy=True).address(asked(**{"X-Forwarded-For": told})) == address


@pytest.mark.parametrize(
    ("site", "href"),
    [
        (Site(), "/"),
        (Site(base_path="/slam"), "/slam/"),
        (Site(public_url="https://slam.example"), "/"),
        (Site(public_url="https://slam.example/game/"), "/game/"),
        (Site(base_path="/inner", public_url="https://slam.example/game"), "/game/"),
    ],
)
def test_the_client_lives_where_the_browser_sees_it(site: Site, href: str) -> None:
    assert site.base_href == href


@pytest.mark.parametrize(("path", "url"), [("slam", None), ("/slam/", None), ("", "slam.example")])
def test_a_wrong_place_is_refused_with_an_example(path: str, url: str | None) -> None:
    with pytest.raises(ValueError, match="like"):
        Site(base_path=path, public_url=url)
