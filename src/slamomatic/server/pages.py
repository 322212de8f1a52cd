"""The built web client: read once, served from memory, whatever path the browser is at.

Laws of this room:
- only what was there at the start is ever served: no path leads anywhere else;
- a file with a hash in its name never changes and is cached for ever; the page itself is asked for anew each time;
- the page learns from its ``<base>`` where it lives, so the same build works below any path.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from html import escape
from importlib.resources import files
from pathlib import Path

import msgspec
from aiohttp import hdrs, web

FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
HASHED = "assets/"
"""The folder whose files bear the hash of their content in their name."""
SMALLEST_GZIP = 1024

HEADERS = {
    # Scripts and styles come as our own files alone; what the client draws by numbers it sets from script.
    "Content-Security-Policy": (
        "default-src 'self'; style-src 'self'; img-src 'self' data:; "
        "font-src 'self' data:; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
    ),
    "Server": "slamomatic",
    "X-Content-Type-Options": "nosniff",
    # A table's address is its key: no other site is told it.
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    # Isolated from other sites, a page is given finer clocks.
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""On every answer of this server."""

_NO_CLIENT = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Slam-o-matic</title></head>
<body>
<h1>The server runs, but no web client is built</h1>
<p>In the checkout, run <code>make web</code>, then start the server again. Programs can play already:
see <code>docs/protocol.md</code>.</p>
</body>
</html>
"""


class Page(msgspec.Struct, frozen=True):
    """One file, ready to be sent."""

    content_type: str
    cache: str
    body: bytes
    gzipped: bytes | None
    """None where it would not be smaller."""
    etag: str


class Pages:
    """The client's files by their path."""

    def __init__(self, folder: Path | None, base_href: str) -> None:
        """``folder``: a built client; None: there is none, and a page says what to do."""
        self._pages: dict[str, Page] = {}
        if folder is not None:
            for file in sorted(folder.rglob("*")):
                if file.is_file():
                    path = file.relative_to(folder).as_posix()
                    self._pages[path] = _page(path, file.read_bytes())
        index = self._pages.get("index.html")
        html = _NO_CLIENT if index is None else _at_home(index.body.decode(), base_href)
        self._pages["index.html"] = _page("index.html", html.encode())

    async def serve(self, request: web.Request) -> web.Response:
        """The file at this path, or for the client's own routes the page itself."""
        path = request.match_info["path"]
        page = self._pages.get(path)
        if page is None:
            if "." in path.rsplit("/", 1)[-1]:
                raise web.HTTPNotFound(text="there is no such file")
            page = self._pages["index.html"]
        headers = {
            hdrs.CONTENT_TYPE: page.content_type,
            hdrs.CACHE_CONTROL: page.cache,
            hdrs.ETAG: page.etag,
            hdrs.VARY: hdrs.ACCEPT_ENCODING,
        }
        if page.etag in request.headers.get(hdrs.IF_NONE_MATCH, ""):
            return web.Response(status=304, headers=headers)
        if page.gzipped is not None and "gzip" in request.headers.get(hdrs.ACCEPT_ENCODING, ""):
            headers[hdrs.CONTENT_ENCODING] = "gzip"
            return web.Response(body=page.gzipped, headers=headers)
        return web.Response(body=page.body, headers=headers)


def built_client() -> Path | None:
    """Where the built client is: in the package, else in the checkout; None if nowhere."""
    package = Path(str(files("slamomatic.server")))
    for folder in (package / "static", package.parents[2] / "web" / "dist"):
        if (folder / "index.html").is_file():
            return folder
    return None


async def guard(_: web.Request, response: web.StreamResponse) -> None:
    """Put the security headers on an answer, just before it goes out."""
    response.headers.update(HEADERS)


def _page(path: str, body: bytes) -> Page:
    kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
    is_text = kind.startswith("text/") or kind.endswith(("javascript", "json", "+xml"))
    gzipped = gzip.compress(body, mtime=0) if is_text and len(body) >= SMALLEST_GZIP else None
    return Page(
        content_type=f"{kind}; charset=utf-8" if is_text else kind,
        cache=FOR_EVER if path.startswith(HASHED) else ASK_AGAIN,
        body=body,
        gzipped=gzipped,
        etag=f'"{hashlib.sha256(body).hexdigest()[:32]}"',
    )


def _at_home(html: str, base_href: str) -> str:
    """The page with its base: before anything in it that has an address."""
    return html.replace("<head>", f'<head>\n    <base href="{escape(base_href)}">', 1)
