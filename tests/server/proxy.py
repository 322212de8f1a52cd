"""A small reverse proxy, as hosts have one in front: it names the asker, and then only carries bytes.

What Caddy and nginx do, as far as the server can tell: the head of a request is rewritten, all after it passes as it
is, so a socket's pings and pongs go all the way.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from types import TracebackType

MAX_HEAD = 64 * 1024


class Proxy:
    """Listens on loopback for as long as the ``async with`` lasts."""

    def __init__(
        self,
        port: int,
        *,
        prefix: str = "",
        host: str | None = None,
        asker: str | None = None,
        adds_a_line: bool = False,
    ) -> None:
        """To the server at this port.

        ``prefix``: taken off every path on the way. ``host``: what the server is told its host is; None: what the asker
        said. ``asker``: from where everyone seems to come; None: from where he does. ``adds_a_line``: who asks is told
        in a header line of its own, as HAProxy does, and not at the end of the one that was there.
        """
        self._port = port
        self._prefix = prefix
        self._host = host
        self.asker = asker
        self._adds_a_line = adds_a_line

    async def __aenter__(self) -> Proxy:
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", 0, limit=MAX_HEAD)
        self.port = int(self._server.sockets[0].getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    async def __aexit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        self._server.close()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            there, back = await asyncio.open_connection("127.0.0.1", self._port)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()
            return
        asker = self.asker or str(writer.get_extra_info("peername")[0])
        back.write(self._rewritten(head.decode("latin-1"), asker).encode("latin-1"))
        await asyncio.gather(_pump(reader, back), _pump(there, writer))

    def _rewritten(self, head: str, asker: str) -> str:
        line, *headers = head.removesuffix("\r\n\r\n").split("\r\n")
        method, path, version = line.split(" ")
        if path.startswith(f"{self._prefix}/"):
            path = path.removeprefix(self._prefix)
        kept, forwarded, upgrades = [], [], False
        for header in headers:
            name, _, value = header.partition(":")
            match name.lower():
                case "x-forwarded-for":
                    forwarded.append(value.strip())
                case "host" if self._host is not None:
                    kept.append(f"Host: {self._host}")
                case "connection":
                    upgrades = "upgrade" in value.lower()
                case _:
                    kept.append(header)
        if self._adds_a_line:
            kept += [f"X-Forwarded-For: {told}" for told in (*forwarded, asker)]
        else:
            kept.append("X-Forwarded-For: " + ", ".join((*forwarded, asker)))
        kept.append("Connection: " + ("Upgrade" if upgrades else "close"))
        return "\r\n".join((f"{method} {path} {version}", *kept)) + "\r\n\r\n"


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await source.read(MAX_HEAD):
            sink.write(data)
            await sink.drain()
    sink.close()
