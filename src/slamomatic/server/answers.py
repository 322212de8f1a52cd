"""How a call is answered: with its body as JSON that nobody keeps."""

from __future__ import annotations

from http import HTTPStatus

from aiohttp import web

from slamomatic.server import wire


def answer(body: object, status: HTTPStatus = HTTPStatus.OK) -> web.Response:
    """The body of a call, on its way."""
    headers = {"Cache-Control": "no-store"}
    return web.Response(body=wire.write(body), status=status, content_type="application/json", headers=headers)
