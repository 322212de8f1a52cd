"""The front pages: a guest's first evening and what is kept of it, an account without a password, the live lobby."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.e2e.access import check_access
from tests.e2e.party import DESK, PHONE, Party, Screen
from tests.e2e.people import Person
from tests.e2e.test_phone import check_width

pytestmark = pytest.mark.e2e

FILL_MS = 30_000
"""A quick match waits for people so long, and a little more."""
GAME_SECONDS = 200
KEPT_SECONDS = 10
NARROW = Screen(320, 640, touch=True)
PAGES = {"me": "Your profile", "ladder": "The ladder", "rules": "The rules"}


async def open_page(party: Party, person: Person, name: str) -> Page:
    await person.page.goto(f"{party.home}{name}")
    await expect(person.page.get_by_role("heading", name=PAGES[name], level=1)).to_be_visible()
    return person.page


def read(saved: Path) -> str:
    """What a browser has put among one's downloads."""
    return saved.read_text()


async def become_guest(party: Party, name: str, screen: Screen = DESK) -> Person:
    """Someone who has typed his name, and is known by it."""
    person = await party.arrive(name, screen=screen)
    await person.type_name()
    await person.page.get_by_label("Your name").press("Tab")
    async with asyncio.timeout(KEPT_SECONDS):
        while await person.page.evaluate("localStorage.getItem('slamomatic.token')") is None:  # noqa: ASYNC110 - no event
            await asyncio.sleep(0.05)
    page = await open_page(party, person, "me")
    await expect(page.get_by_text("You are a guest on this device")).to_be_visible()
    return person


# A guest's first evening.


async def test_a_guest_plays_a_quick_match_filled_by_bots_and_finds_it_in_his_profile(party: Party) -> None:
    person = await party.arrive("Quentin")
    page = person.page
    await person.type_name()
    await page.get_by_role("button", name="Quick match").click()
    await expect(page.get_by_text("bots take the free")).to_be_visible()
    await expect(page.get_by_label("Opponents").get_by_role("article")).to_have_count(3, timeout=FILL_MS)
    async with asyncio.timeout(GAME_SECONDS):
        await person.play_to_the_end()

    await open_page(party, person, "me")
    await expect(page.get_by_label("Your name")).to_have_value("Quentin")
    wins = page.get_by_role("row", name=re.compile(r"^Classic [01] of 1"))
    await expect(wins).to_be_visible()
    await expect(page.get_by_role("img", name="Your reaction times")).to_be_visible()
    await check_access(page)
    await page.get_by_role("link", name=re.compile(r"Classic.*\(bot\)", re.DOTALL)).click()
    await expect(page).to_have_url(re.compile(r"/g/[\w-]+$"))
    await expect(page.get_by_text("Quentin").first).to_be_visible()
    await page.go_back()
    await expect(page.get_by_role("heading", name="Your profile")).to_be_visible()


async def test_a_nameless_guest_keeps_the_name_and_the_face_he_was_given(party: Party) -> None:
    person = await party.arrive("Nobody")
    page = person.page
    await page.get_by_role("button", name="Make a table").click()
    await person.see("waiting")
    await page.goto(party.home)
    field = page.get_by_label("Your name")
    await expect(field).not_to_have_value("")
    given = await field.input_value()
    await open_page(party, person, "me")
    await page.get_by_role("button", name="Another face").click()
    await page.get_by_role("button", name="Face 5").click()
    await expect(page.get_by_text("Your face is changed.")).to_be_visible()
    face = await page.get_by_role("button", name="Face 5").locator("svg").inner_html()
    await page.reload()
    await expect(page.get_by_label("Your name")).to_have_value(given)
    assert await page.locator("main svg.avatar").first.inner_html() == face


async def test_a_name_nobody_should_read_is_refused_where_it_was_typed(party: Party) -> None:
    person = await become_guest(party, "Polly")
    with party.expecting("400"):
        await person.page.get_by_label("Your name").fill("Fuckface")
        await person.page.get_by_role("button", name="Save").click()
        await expect(person.page.get_by_role("alert")).to_be_visible()
    await person.page.reload()
    await expect(person.page.get_by_label("Your name")).to_have_value("Polly")


async def test_who_cannot_store_anything_still_sits_where_he_sat_down(party: Party) -> None:
    person = await party.arrive("Private")
    page = person.page
    await page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })")
    await page.reload()
    await person.type_name()
    await page.get_by_role("button", name="Play now").click()
    assert (await person.see("table")).hand


# An account.


async def plug_in_authenticator(page: Page) -> None:
    """The browser's own: it holds passkeys, and its owner always says yes."""
    devtools = await page.context.new_cdp_session(page)
    await devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    await devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})


async def test_a_passkey_brings_one_back_after_signing_out(party: Party) -> None:
    person = await become_guest(party, "Petra")
    page = person.page
    await plug_in_authenticator(page)
    await page.get_by_label("Name of this device").fill("My laptop")
    await page.get_by_role("button", name="Add a passkey").click()
    await expect(page.get_by_role("heading", name="Your account")).to_be_visible()
    await expect(page.get_by_text("My laptop")).to_be_visible()
    await check_access(page)

    await page.get_by_role("button", name="Sign out", exact=True).click()
    await expect(page.get_by_text("Nobody knows you here yet")).to_be_visible()
    await expect(page.get_by_label("Your name")).to_have_value("")
    await page.get_by_role("button", name="Sign in with a passkey").click()
    await expect(page.get_by_label("Your name")).to_have_value("Petra")
    await expect(page.get_by_text("You have an account")).to_be_visible()

    await expect(page.get_by_text("The last way in")).to_be_visible()
    await page.get_by_role("button", name="Make recovery codes").click()
    await page.get_by_role("dialog").get_by_role("button", name="Close").click()
    await page.get_by_role("button", name="Remove My laptop").click()
    await page.get_by_role("button", name="Really remove My laptop").click()
    await expect(page.get_by_text("My laptop")).to_have_count(0)


async def test_a_code_on_paper_brings_one_to_another_device_and_works_once(party: Party) -> None:
    person = await become_guest(party, "Rico")
    page = person.page
    await page.get_by_role("button", name="Make recovery codes").click()
    sheet = page.get_by_role("dialog", name="Your recovery codes")
    await expect(sheet.locator("code")).to_have_count(10)
    codes = await sheet.locator("code").all_inner_texts()
    assert len(set(codes)) == 10
    await check_access(page)
    async with page.expect_download() as saved:
        await sheet.get_by_role("button", name="Save").click()
    kept = read(await (await saved.value).path())
    assert all(code in kept for code in codes)
    await sheet.get_by_role("button", name="Close").click()
    await expect(page.get_by_text("10 codes are left")).to_be_visible()

    other = await party.arrive("Rico elsewhere", screen=PHONE)
    await open_page(party, other, "me")
    await other.page.get_by_label("Or with a recovery code").fill(codes[3].lower())
    await other.page.get_by_role("button", name="Use it").tap()
    await expect(other.page.get_by_label("Your name")).to_have_value("Rico")
    await expect(other.page.get_by_text("9 codes are left")).to_be_visible()

    third = await party.arrive("Thief")
    await open_page(party, third, "me")
    await third.page.get_by_label("Or with a recovery code").fill(codes[3])
    with party.expecting("/api/recover"), party.expecting("Failed to load resource"):
        await third.page.get_by_role("button", name="Use it").click()
        await expect(third.page.get_by_role("alert")).to_be_visible()
    await expect(third.page.get_by_text("Nobody knows you here yet")).to_be_visible()


async def test_who_leaves_takes_his_data_along_and_is_gone(party: Party) -> None:
    person = await become_guest(party, "Vera")
    page = person.page
    async with page.expect_download() as saved:
        await page.get_by_role("button", name="Download my data").click()
    assert "Vera" in json.dumps(json.loads(read(await (await saved.value).path())))
    await page.get_by_role("button", name="Delete me").click()
    await check_access(page)
    await page.get_by_label("if you mean it").fill("delete")
    await page.get_by_role("button", name="Delete for good").click()
    await expect(page.get_by_label("Your name")).to_have_value("")
    await page.reload()
    await expect(page.get_by_label("Your name")).to_have_value("")


# The lobby.


async def test_the_lobby_tells_who_is_there_as_they_come_and_go(party: Party) -> None:
    guest = await party.arrive("Lola")
    asked: list[str] = []
    guest.page.on("request", lambda request: asked.append(request.url))
    host = await party.arrive("Hugo Lobby")
    await host.type_name()
    await host.page.get_by_role("button", name="Make a table").click()
    await host.page.get_by_role("radio", name="Open to all").check()

    lobby = guest.page.get_by_test_id("lobby")
    row = lobby.get_by_role("listitem").filter(has_text="Hugo Lobby")
    await expect(row).to_contain_text("1 at the table, 3 free")
    await check_access(guest.page)
    await host.add_bot(2, "Gentle")
    await expect(row).to_contain_text("2 at the table, 2 free")
    await host.page.get_by_role("radio", name="By link only").check()
    await expect(row).to_have_count(0)
    await host.page.get_by_role("radio", name="Open to all").check()

    await expect(row).to_have_count(1)
    assert not [url for url in asked if url.endswith("/api/tables")]  # it was told; it did not have to ask

    await row.get_by_role("link", name="Join Hugo Lobby’s table").click()
    await guest.type_name()
    await guest.page.get_by_role("button", name="Join the table").click()
    await expect(host.page.get_by_text("Lola", exact=True)).to_be_visible()


# Everybody's pages.


@pytest.mark.parametrize("screen", [DESK, PHONE, NARROW], ids=["desk", "phone", "narrow"])
async def test_every_front_page_fits_its_screen_and_can_be_used_by_all(party: Party, screen: Screen) -> None:
    person = await become_guest(party, "W" * 20, screen)
    for name in PAGES:
        page = await open_page(party, person, name)
        await expect(page.get_by_text("One moment")).to_have_count(0)
        await check_width(person)
        await check_access(page)
    await person.page.goto(party.home)
    await check_width(person)


async def test_the_pages_lead_to_each_other_and_the_browser_leads_back(party: Party) -> None:
    person = await party.arrive("Walter")
    page = person.page
    await page.get_by_role("link", name="Ladder").click()
    await expect(page.get_by_role("heading", name="The ladder")).to_be_focused()
    await page.get_by_role("link", name="Modern").click()
    await expect(page).to_have_url(re.compile("/ladder/modern$"))
    await page.get_by_role("link", name="Rules").click()
    await expect(page.get_by_role("heading", name="How to play in 60 seconds")).to_be_visible()
    await page.go_back()
    await expect(page.get_by_role("heading", name="The ladder")).to_be_visible()
    await page.get_by_role("link", name="Slam-o-matic").click()
    await expect(page.get_by_role("button", name="Play now")).to_be_visible()
