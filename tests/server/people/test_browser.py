"""Passkeys in a real browser, with the authenticator Chromium brings for tests: what we ask is what browsers answer."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from playwright.async_api import Page, async_playwright

from tests.e2e.conftest import CHROMIUM, FLAGS
from tests.server.people.town import Town

pytestmark = pytest.mark.e2e

PHONE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}

SCRIPT = """
async ({ path, token, adds, label }) => {
  const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
  const post = async (where, body) => {
    const answer = await fetch(where, { method: "POST", headers, body: body && JSON.stringify(body) });
    return { status: answer.status, told: await answer.json() };
  };
  const asked = await post(`${path}/options`);
  if (asked.status !== 200) return asked;
  const { ticket, options } = asked.told;
  try {
    const credential = adds
      ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
      : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
    return await post(path, { ticket, credential: credential.toJSON(), ...(label && { label }) });
  } catch (error) {
    return { status: 0, told: error.name };
  }
}
"""
"""Both halves of a ceremony, as the web client does them."""


@pytest.fixture
async def page(town: Town) -> AsyncIterator[Page]:
    """A page of the server, on a device with an authenticator."""
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = await chromium.new_page()
        devtools = await page.context.new_cdp_session(page)
        await devtools.send("WebAuthn.enable")
        await devtools.send("WebAuthn.addVirtualAuthenticator", {"options": PHONE})
        await page.goto(town.origin)
        yield page
        await chromium.close()


async def hold(page: Page, **wish: Any) -> tuple[int, Any]:
    answer = await page.evaluate(SCRIPT, {"token": None, "adds": False, "label": "", **wish})
    return answer["status"], answer["told"]


async def test_a_browser_adds_a_passkey_and_comes_back_by_it(town: Town, page: Page) -> None:
    token, person = await town.guest("Ann")
    status, me = await hold(page, path="api/me/passkeys", token=token, adds=True, label="My phone")
    assert (status, me["has_account"], me["passkeys"][0]["label"]) == (200, True, "My phone")
    guest_token, guest = await town.guest("Someone")
    status, back = await hold(page, path="api/passkeys")
    assert (status, back["me"]["id"]) == (200, person)
    status, back = await hold(page, path="api/passkeys", token=guest_token)
    assert (status, back["me"]["id"]) == (200, person)
    assert await town.refused("GET", "/api/me", token=guest_token) == (401, "no-person"), f"{guest} is {person} now"
    assert (await town.fine("GET", "/api/me", token=back["token"]))["name"] == "Ann"


async def test_a_browser_does_not_add_a_passkey_twice(town: Town, page: Page) -> None:
    token, _ = await town.guest("Ann")
    assert (await hold(page, path="api/me/passkeys", token=token, adds=True))[0] == 200
    assert await hold(page, path="api/me/passkeys", token=token, adds=True) == (0, "InvalidStateError")
    assert len((await town.fine("GET", "/api/me", token=token))["passkeys"]) == 1


async def test_a_removed_passkey_is_not_known_any_more(town: Town, page: Page) -> None:
    token, _ = await town.guest("Ann")
    _, me = await hold(page, path="api/me/passkeys", token=token, adds=True)
    await town.fine("POST", "/api/me/codes", token=token)
    await town.fine("DELETE", f"/api/me/passkeys/{me['passkeys'][0]['id']}", token=token)
    status, told = await hold(page, path="api/passkeys")
    assert (status, told["code"]) == (400, "bad-ticket")


async def test_at_an_address_of_numbers_the_page_is_told_why_not(town: Town, page: Page) -> None:
    await page.goto(f"http://127.0.0.1:{town.server.port}")
    status, told = await hold(page, path="api/passkeys")
    assert (status, told["code"]) == (409, "not-now")
