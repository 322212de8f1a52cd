"""A finished game can be looked at again, move by move, by those who played it, and by everyone they let."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from slamomatic.game.notation import read
from tests.e2e.access import check_access
from tests.e2e.count import read_count
from tests.e2e.party import PHONE, Party, Screen
from tests.e2e.people import Person

pytestmark = pytest.mark.e2e

GAME_SECONDS = 200
FILM_MS = 20_000
SCREENS = {
    "Paul at the phone": PHONE,
    "Tina at a tiny phone": Screen(320, 568, touch=True),
    "Tom at a tablet": Screen(820, 1180, touch=True),
    "Stella who wants it still": Screen(1280, 800, still=True),
}


async def play_a_short_game(party: Party) -> Person:
    """With few cards, against a bot, to its end; the player, before the result."""
    person = await party.arrive("Rosa")
    page = person.page
    await person.type_name()
    await page.get_by_role("button", name="Make a table").click()
    await page.get_by_role("button", name="House rules…").click()
    few = page.get_by_role("group", name="Numbers from 1 to").get_by_role("radio", name="4", exact=True)
    await few.check()
    await page.get_by_role("button", name="Play by these").click()
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await person.add_bot(2, "Gentle")
    await person.get_ready()
    async with asyncio.timeout(GAME_SECONDS):
        await person.play_to_the_end()
    return person


async def look_again(person: Person) -> str:
    """From the result to its replay: the address of it."""
    await person.page.get_by_role("link", name="Watch the replay").click()
    await expect(person.page.get_by_test_id("replay")).to_be_visible()
    return person.page.url.split("#")[0]


async def at(page: Page) -> tuple[int, int]:
    """Which move is on the screen, of how many."""
    words = await page.get_by_role("slider", name="Move", exact=True).get_attribute("aria-valuetext")
    assert words is not None
    found = re.match(r"Move (\d+) of (\d+): ", words)
    assert found, words
    return int(found[1]), int(found[2])


async def open_hands(page: Page) -> dict[str, int]:
    """How many cards lie open before each player, and how many his plate tells of."""
    hands: dict[str, int] = {}
    for seat in await page.get_by_role("region", name="The table").get_by_role("article").all():
        name = await seat.get_attribute("aria-label")
        label = await seat.get_by_role("list").first.get_attribute("aria-label")
        assert name is not None
        assert label is not None
        shown = await seat.get_by_role("list").first.locator("svg.card").count()
        assert f": {shown}" in label
        assert await seat.get_by_text(re.compile(rf"· {shown} cards?$")).count() == 1
        assert await seat.get_by_role("img", name="face-down").count() == 0
        hands[name] = shown
    return hands


async def test_a_game_is_seen_again_move_by_move_with_all_hands_open(party: Party) -> None:
    person = await play_a_short_game(party)
    page = person.page
    count = await read_count(page)
    address = await look_again(person)
    assert await at(page) == (1, (await at(page))[1])
    assert set((await open_hands(page)).values()) == {4}
    await check_access(page)

    keyboard = page.keyboard
    moves = (await at(page))[1]
    assert await page.get_by_role("list", name="Moves").get_by_role("button").count() == moves
    await keyboard.press("ArrowRight")
    assert (await at(page))[0] == 2
    assert page.url == f"{address}#2"
    await keyboard.press("ArrowLeft")
    assert (await at(page))[0] == 1
    await page.get_by_role("button", name="A move on").click()
    await page.get_by_role("list", name="Moves").get_by_role("button").nth(4).click()
    assert (await at(page))[0] == 5
    await open_hands(page)
    await keyboard.press("End")
    assert (await at(page))[0] == moves
    end = page.get_by_role("region", name="What happened")
    for player in count.players:
        await expect(end.get_by_label(f"{player.name}: {player.total} points")).to_be_visible()
    await page.get_by_role("button", name="How it was counted").click()
    await check_access(page)
    for player in count.players:
        counted = page.get_by_role("dialog").get_by_label(f"{player.name}: {player.total} points")
        await expect(counted).to_be_visible()
    await keyboard.press("Escape")
    await keyboard.press("Home")
    assert (await at(page))[0] == 1


async def test_each_race_is_seen_in_slow_motion_hands_coming_down_in_their_order(party: Party) -> None:
    person = await play_a_short_game(party)
    await look_again(person)
    page = person.page
    unit = page.get_by_role("img", name="The Slam-o-matic")
    moment = page.get_by_role("slider", name="Moment of the race")
    while True:
        await page.keyboard.press("]")
        if await page.get_by_role("img", name="Time from contact to touch").count():
            break
    # It runs by itself, and tells its verdict last.
    await expect(unit).to_have_attribute("aria-label", re.compile("ready"))
    await page.get_by_label("Speed").select_option("4")
    await expect(unit).to_have_attribute("aria-label", re.compile("is down"), timeout=FILM_MS)
    await expect(unit).not_to_have_attribute("aria-label", re.compile("ready"), timeout=FILM_MS)
    await check_access(page)

    # By hand: at the beginning nobody is there; then one after the other, as the times say.
    await moment.focus()
    await page.keyboard.press("Home")
    await expect(unit).not_to_have_attribute("aria-label", re.compile("is down"))
    down: list[int] = []
    times: list[float] = []
    step = page.get_by_role("button", name="To the next touch")
    while await step.is_enabled():
        await step.click()
        label = await unit.get_attribute("aria-label") or ""
        down.append(len(re.findall("is down", label)))
        times.append(float(await moment.input_value()))
    assert times == sorted(times)
    assert down == sorted(down)
    assert down[-1] >= 2


async def test_a_game_is_private_until_one_who_played_shares_it_and_the_link_leads_to_the_move(party: Party) -> None:
    person = await play_a_short_game(party)
    address = await look_again(person)
    page = person.page
    stranger = await party.arrive("Stan", at=party.home)
    with party.expecting("404 for"), party.expecting("status of 404"):
        await stranger.page.goto(address)
        await expect(stranger.page.get_by_role("heading", name="No such game")).to_be_visible()

    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowRight")
    await page.get_by_role("button", name="Share").click()
    await check_access(page)
    await page.get_by_role("button", name="Make it public").click()
    await expect(page.get_by_role("button", name="Copied!")).to_be_visible()
    link = str(await page.evaluate("navigator.clipboard.readText()"))
    assert link == f"{address}#3"
    await stranger.page.goto("about:blank")
    await stranger.page.goto(link)
    await expect(stranger.page.get_by_test_id("replay")).to_be_visible()
    assert (await at(stranger.page))[0] == 3
    assert await at(stranger.page) == await at(page)


async def test_the_record_is_downloaded_and_can_be_read(party: Party, tmp_path: Path) -> None:
    person = await play_a_short_game(party)
    await look_again(person)
    async with person.page.expect_download() as coming:
        await person.page.get_by_role("button", name="Record").click()
    download = await coming.value
    file = tmp_path / download.suggested_filename
    await download.save_as(file)
    record = read(file.read_text())
    record.replay()
    assert "Rosa" in record.names


async def test_a_replay_fits_every_screen_and_stands_still_for_who_wants_that(party: Party) -> None:
    person = await play_a_short_game(party)
    address = await look_again(person)
    await person.page.get_by_role("button", name="Share").click()
    await person.page.get_by_role("button", name="Make it public").click()
    await expect(person.page.get_by_role("dialog")).to_have_count(0)
    for name, screen in SCREENS.items():
        viewer = await party.arrive(name, at=address, screen=screen)
        page = viewer.page
        await expect(page.get_by_test_id("replay")).to_be_visible()
        moves = (await at(page))[1]
        for move in range(1, moves + 1):
            assert (await at(page))[0] == move
            wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, f"{name} scrolls sideways by {wide} px at move {move}"
            if screen.still and await page.get_by_role("slider", name="Moment of the race").count():
                await expect(page.get_by_role("button", name="Run the race")).to_be_visible()
            if move < moves:
                await page.get_by_role("button", name="A move on").click()
        await check_access(page)


async def test_a_game_that_cannot_be_had_says_why_and_what_to_do(party: Party) -> None:
    person = await party.arrive("Nina")
    page = person.page
    with party.expecting("404 for"), party.expecting("status of 404"):
        await page.goto(f"{party.home}g/nosuchgameatall")
        await expect(page.get_by_role("heading", name="No such game")).to_be_visible()
    await page.route("**/api/games/*", lambda route: route.abort())
    with party.expecting("net::ERR_FAILED"):
        await page.reload()
        await expect(page.get_by_role("heading", name="The server cannot be reached")).to_be_visible()
        await page.get_by_role("button", name="Try again").click()
        await expect(page.get_by_role("button", name="Try again")).to_be_visible()
    await check_access(page)
