"""People at a table: they read the page, and do what it says one may do, at a person's speed."""

from __future__ import annotations

import asyncio
from random import Random
from time import monotonic

from playwright.async_api import Error, Locator, Page, expect

from tests.e2e.eyes import Sight, look_at
from tests.e2e.hands import Hand
from tests.e2e.wire import Wire

BLINK_SECONDS = 0.03
"""From one look at the page to the next."""
A_MOMENT_SECONDS = 0.12
"""After having done something one waits to see what comes of it."""


FAKES, SLIPS, CANNOT_WAIT = 0.25, 0.05, 0.08
"""How often people fake, slam without a pair, and touch at a mere reach."""


class Person:
    """Someone at one page, who plays by what he sees. Now and then he fakes, errs, or cannot wait."""

    fakes = FAKES

    def __init__(self, page: Page, name: str, hand: Hand, wire: Wire, chance: Random) -> None:
        self.page = page
        self.name = name
        self.hand = hand
        self.wire = wire
        """What his browser was sent, and sent."""
        self.diary: list[str] = []
        """What he saw and did, for who has to find out what went wrong."""
        self._chance = chance
        self._began = monotonic()
        self._reach_answered = ""

    # Before the game.

    async def type_name(self) -> None:
        """Into the field that asks for it."""
        field = self.page.get_by_label("Your name")
        await field.fill("")
        await field.press_sequentially(self.name)

    async def add_bot(self, hand: int, level: str) -> None:
        await self.page.get_by_role("radio", name=level).check()
        await self.page.get_by_role("button", name=f"Add bot: {level}, at hand {hand}").click()
        await expect(self.page.get_by_role("button", name="Remove")).to_have_count(hand - 1)

    async def copy_link(self) -> str:
        """The link to the table, as it is in the clipboard after pressing the button."""
        await self.page.get_by_role("button", name="Copy link").click()
        await expect(self.page.get_by_role("button", name="Copied!")).to_be_visible()
        return str(await self.page.evaluate("navigator.clipboard.readText()"))

    async def get_ready(self) -> None:
        await self.page.get_by_role("button", name="I am ready").click()

    # In play.

    async def look(self) -> Sight:
        return await look_at(self.page)

    async def see(self, page: str) -> Sight:
        """Wait until this page is there."""
        while (sight := await self.look()).page != page:  # noqa: ASYNC110 - a person sees; nobody tells
            await asyncio.sleep(BLINK_SECONDS)
        return sight

    async def play_to_the_end(self) -> None:
        """Until the result is on the screen."""
        while (sight := await self.look()).page != "result":
            await self.live_through(sight)

    async def live_through(self, sight: Sight) -> None:
        """Do what there is to do at this sight, and wait for the next."""
        try:
            done = await self._do(sight)
        except Error as missed:  # what was to be pressed is gone: the clock, or a race, was faster
            done = f"missed it: {missed.message.splitlines()[0]}"
        if done:
            self.note(f"{sight.prompt!r} {' '.join(sight.hand)}: {done}{sight.notice and ' ! ' + sight.notice}")
        await asyncio.sleep(A_MOMENT_SECONDS if done else BLINK_SECONDS)

    def note(self, line: str) -> None:
        self.diary.append(f"{monotonic() - self._began:7.2f} {line}")

    async def _do(self, sight: Sight) -> str | None:
        """One act, in words; None: there is nothing to do but watch."""
        if sight.prompt == "SLAM!":
            await asyncio.sleep(max(0.02, self._chance.gauss(0.17, 0.06)))
            await self.hand.slam()
            return "touches"
        if sight.prompt.endswith("reaching…"):
            return await self._wait_for_contact(sight.prompt)
        self._reach_answered = ""
        if sight.answers:
            return await self._answer(sight.answers)
        if sight.offers("Draw"):
            await self.hand.draw()
            return "draws"
        return await self._free_turn(sight)

    async def _free_turn(self, sight: Sight) -> str | None:
        """Slam, fake or pass."""
        has_pair = _has_pair(sight.hand)
        if sight.offers("Reach"):
            if has_pair:
                await self.hand.slam()
                return "slams"
            if self._chance.random() < self.fakes and not sight.offers("Reach must land"):
                await self.hand.fake()
                return "fakes"
            if self._chance.random() < SLIPS:
                await self.hand.slam()
                return "slams by mistake"
        if sight.offers("Pass") and not has_pair:
            await self.hand.say_pass()
            return "passes"
        return None

    async def _wait_for_contact(self, prompt: str) -> str | None:
        """Most can wait for the hand to land."""
        if self._reach_answered == prompt:
            return None
        self._reach_answered = prompt
        if self._chance.random() > CANNOT_WAIT:
            return None
        await self.hand.slam()
        return "cannot wait"

    async def _answer(self, answers: tuple[str, ...]) -> str:
        at = self._chance.choice([at for at, answer in enumerate(answers) if answer != "From someone else"])
        await self.hand.press(self.question().get_by_role("button").nth(at))
        return f"chooses {answers[at]!r} of {len(answers)}"

    def question(self) -> Locator:
        """Where one's cards lie, or a question about cards is asked."""
        return self.page.get_by_role("region", name="Your hand")


def _has_pair(cards: tuple[str, ...]) -> bool:
    """Two alike, or the wild joker with any number."""
    numbers = [card for card in cards if not card.endswith("Joker")]
    return len(set(numbers)) < len(numbers) or ("Smiling Joker" in cards and len(numbers) > 0)
