"""How the world reaches this server: by which path, from which pages, and who is asking."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit

import msgspec
from aiohttp import web

_BASE_PATH = re.compile(r"(/[A-Za-z0-9._~-]+)+")


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """Where the server stands.

    Raises:
        ValueError: the base path or the public URL is no such thing; the message says what one looks like.
    """

    base_path: str = ""
    """The path in front of every route, as this server sees it: empty, or ``/slam``."""
    public_url: str | None = None
    """The address people type, when a proxy stands in front."""
    trust_proxy: bool = False
    """Whether ``X-Forwarded-For`` is believed; only behind a proxy that sets it."""

    def __post_init__(self) -> None:
        if self.base_path and not _BASE_PATH.fullmatch(self.base_path):
            raise ValueError(f"the base path is {self.base_path!r}: it is empty, or like /slam")
        if self.public_url is not None:
            try:
                _origin(self.public_url)
            except ValueError:
                text = f"the public URL is {self.public_url!r}: it is like https://play.example.org/slam"
                raise ValueError(text) from None

    @property
    def base_href(self) -> str:
        """The path the client's relative addresses begin with, as the browser sees it; ends with a slash."""
        path = self.base_path if self.public_url is None else urlsplit(self.public_url).path
        return path.rstrip("/") + "/"

    def is_ours(self, request: web.Request) -> bool:
        """Whether the page that asks is one of ours: of the public URL, or of the very host it asks.

        Programs name no page: they may, for nobody's cookies are here.
        """
        origin = request.headers.get("Origin")
        if origin is None:
            return True
        try:
            asking = _origin(origin)
            if self.public_url is not None and asking == _origin(self.public_url):
                return True
            return asking == _origin(f"{asking[0]}://{request.host}")
        except ValueError:  # no browser says that
            return False

    def address(self, request: web.Request) -> str:
        """Who is asking: an IPv4 address, or the /64 an IPv6 address is from, for a household has a whole one."""
        told = request.remote or ""
        if self.trust_proxy:
            # The very last one is what our own proxy saw; those before it, in lines of their own too, the asker claims.
            told = ",".join(request.headers.getall("X-Forwarded-For", [told])).rsplit(",", 1)[-1].strip()
        try:
            address = ipaddress.ip_address(told)
        except ValueError:
            return told
        if isinstance(address, ipaddress.IPv6Address):
            if address.ipv4_mapped is not None:
                return str(address.ipv4_mapped)
            return str(ipaddress.ip_network((address, 64), strict=False))
        return str(address)


def _origin(url: str) -> tuple[str, str, int]:
    """Scheme, host and port of an address, as browsers tell origins apart.

    Raises:
        ValueError: it is no address of a page.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"{url!r} is no address of a page")
    return parts.scheme, parts.hostname, parts.port or (443 if parts.scheme == "https" else 80)
