"""People at a real server, over real sockets on loopback."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import aiohttp
from aiohttp import web
from aiohttp.test_utils import TestServer
from sqlalchemy import select

from slamomatic.server.app import SERVER
from slamomatic.server.limits import Limits, Rate
from slamomatic.server.people.people import People
from slamomatic.server.storage.database import Database
from tests.server.people.authenticator import Authenticator

GENEROUS = Limits(
    calls=Rate(10**6, 10**6), newcomers=Rate(10**6, 10**6), proofs=Rate(10**6, 10**6), changes=Rate(10**6, 10**6)
)


class Town:
    """One server, and all who ask it for something."""

    def __init__(self, server: TestServer, session: aiohttp.ClientSession, app: web.Application, db: Database) -> None:
        self.server = server
        self.session = session
        self.people: People = app[SERVER].people
        self.database = db
        self.origin = f"http://localhost:{server.port}"

    async def call(
        self, method: str, path: str, body: Any = None, *, token: str | None = None, **headers: str
    ) -> tuple[int, Any]:
        """Status and JSON of one call; as the browser's page of this server, but for what is said otherwise."""
        told = {"Origin": self.origin, **headers}
        if token is not None:
            told["Authorization"] = f"Bearer {token}"
        data = {"data": body} if isinstance(body, bytes) else {"json": body}
        async with self.session.request(method, self.origin + path, headers=told, **data) as answer:
            empty = answer.status == HTTPStatus.NO_CONTENT
            return answer.status, None if empty else await answer.json()

    async def fine(self, method: str, path: str, body: Any = None, *, token: str | None = None) -> Any:
        """The answer to a call that has to succeed."""
        status, answer = await self.call(method, path, body, token=token)
        assert status in (200, 201, 204), answer
        return answer

    async def refused(
        self, method: str, path: str, body: Any = None, *, token: str | None = None, **headers: str
    ) -> tuple[int, str]:
        """Status and code of a call that has to fail, with a sentence for people."""
        status, answer = await self.call(method, path, body, token=token, **headers)
        assert status >= 400, answer
        assert set(answer) == {"code", "text"}
        assert len(answer["text"]) > 20
        return status, answer["code"]

    async def guest(self, name: str | None = "Ann") -> tuple[str, str]:
        """Somebody new: his token and his id."""
        body = {} if name is None else {"name": name}
        told = await self.fine("POST", "/api/me", body)
        return told["token"], told["me"]["id"]

    async def add_passkey(self, token: str, label: str = "", **settings: Any) -> Authenticator:
        """A new passkey of whoever has this token."""
        device = Authenticator(self.origin, **settings)
        asked = await self.fine("POST", "/api/me/passkeys/options", token=token)
        answer = {"ticket": asked["ticket"], "credential": device.create(asked["options"]), "label": label}
        await self.fine("POST", "/api/me/passkeys", answer, token=token)
        return device

    async def sign_in(self, device: Authenticator, *, token: str | None = None) -> Any:
        """Come back by a passkey; a guest sends his token along."""
        return await self.fine("POST", "/api/passkeys", await self.answer_of(device), token=token)

    async def answer_of(self, device: Authenticator, **lies: Any) -> dict[str, Any]:
        """A fresh answer that would sign in."""
        asked = await self.fine("POST", "/api/passkeys/options")
        return {"ticket": asked["ticket"], "credential": device.get(asked["options"], **lies)}

    async def rows(self, table: Any, *where: Any) -> list[Any]:
        """What the database has in a table."""
        async with self.database.read() as connection:
            return list((await connection.execute(select(table).where(*where))).mappings().all())
