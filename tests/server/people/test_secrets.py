"""No token, ticket or code is in a log, an address or an error, whatever goes wrong."""

from __future__ import annotations

import logging

import msgspec
import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from slamomatic.server.storage import people as rows
from slamomatic.server.storage.database import Unavailable
from tests.server.people.authenticator import Authenticator
from tests.server.people.test_coming_back import codes_of
from tests.server.people.town import Town


async def test_no_secret_is_in_a_log_or_in_an_error(
    town: Town, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    token, _ = await town.guest("Ann")
    device = await town.add_passkey(token)
    codes = await codes_of(town, token)
    secrets = [token, *codes]
    told: list[str] = []

    async def provoke(method: str, path: str, body: object = None) -> None:
        status, answer = await town.call(method, path, body, token=token)
        assert status >= 400
        told.append(msgspec.json.encode(answer).decode())

    for code in codes[:2]:
        back = await town.fine("POST", "/api/recover", {"code": code})
        secrets.append(back["token"])
        await provoke("POST", "/api/recover", {"code": code})
    answer = await town.answer_of(device)
    secrets += [answer["ticket"], (await town.sign_in(device))["token"]]
    await provoke("POST", "/api/passkeys", {**answer, "label": 7})
    await provoke("POST", "/api/passkeys", {**answer, "ticket": answer["ticket"] + "x"})
    await provoke("POST", "/api/passkeys", await town.answer_of(Authenticator(town.origin, "localhost")))

    async def broken(connection: AsyncConnection, person: str) -> None:
        raise RuntimeError(f"something about {person} broke")

    monkeypatch.setattr(rows, "profile", broken)
    await provoke("GET", "/api/me")
    await provoke("POST", "/api/recover", {"code": codes[2]})
    logged = caplog.text + "".join(told)
    assert "broke" in caplog.text, "it is logged that something broke"
    for secret in secrets:
        assert secret not in logged
        assert secret.rsplit(".", 1)[-1] not in logged


async def test_while_the_database_is_away_one_is_told_to_come_back(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    token, _ = await town.guest("Ann")

    async def away(*_: object) -> None:
        raise Unavailable("the database does not answer")

    monkeypatch.setattr(rows, "person_at", away)
    assert await town.refused("GET", "/api/me", token=token) == (503, "unavailable")
    assert await town.refused("GET", "/api/me/export", token=token) == (503, "unavailable")
