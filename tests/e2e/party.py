"""Guests with browsers of their own, and what went wrong in them.

Laws of this room:
- each guest has a context of his own: no cookie, no storage, no cache is shared;
- an error in a console, a refusal by the security policy, a missing file, a crash: all of it is trouble, and a party
  with trouble has failed;
- a failed party leaves everyone's last sight, diary and trace behind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, Response

from tests.e2e.hands import Finger, Hand, Mouse
from tests.e2e.people import Person
from tests.e2e.wire import Wire


@dataclass(frozen=True)
class Screen:
    """What someone sits in front of."""

    width: int
    height: int
    touch: bool = False
    still: bool = False
    """Its owner has asked for as little movement as can be."""


DESK = Screen(1280, 800)
PHONE = Screen(390, 844, touch=True)
SMALL_PHONE = Screen(360, 740, touch=True)


class Party:
    """All guests of one test."""

    def __init__(self, browser: Browser, home: str) -> None:
        self.home = home
        self.trouble: list[str] = []
        self.guests: list[Person] = []
        self._browser = browser
        self._contexts: list[BrowserContext] = []

    async def arrive(
        self, name: str, *, at: str | None = None, screen: Screen = DESK, hand: Callable[[Page], Hand] | None = None
    ) -> Person:
        """Someone opens this address, or the home page, in a fresh browser."""
        context = await self._browser.new_context(
            viewport={"width": screen.width, "height": screen.height},
            has_touch=screen.touch,
            is_mobile=screen.touch,
            reduced_motion="reduce" if screen.still else "no-preference",
            permissions=["clipboard-read", "clipboard-write"],
        )
        self._contexts.append(context)
        await context.tracing.start()
        person = self._seat_at(await context.new_page(), name, hand or (Finger if screen.touch else Mouse))
        await person.page.goto(at or self.home)
        return person

    async def open_another_tab(self, person: Person) -> Person:
        """The same browser, one tab more, at the same address."""
        twin = self._seat_at(await person.page.context.new_page(), f"{person.name} again", type(person.hand))
        await twin.page.goto(person.page.url)
        return twin

    @contextmanager
    def expecting(self, trouble: str) -> Iterator[None]:
        """Trouble of this kind is meant to be, for a while."""
        before = list(self.trouble)
        yield
        self.trouble[len(before) :] = [met for met in self.trouble[len(before) :] if trouble not in met]

    async def leave(self) -> None:
        """Everyone closes the browser."""
        for context in self._contexts:
            await context.close()

    async def keep_evidence(self, folder: Path) -> None:
        """Everything there is to see and read, into this folder, for who looks for the fault."""
        (folder / "trouble.txt").write_text("\n".join(self.trouble))
        for guest in self.guests:
            if not guest.page.is_closed():
                await guest.page.screenshot(path=folder / f"{guest.name}.png")
            (folder / f"{guest.name}.txt").write_text("\n".join(guest.diary))
            (folder / f"{guest.name}.received.txt").write_text("\n".join(guest.wire.received))
        for number, context in enumerate(self._contexts):
            await context.tracing.stop(path=folder / f"trace-{number}.zip")

    def _seat_at(self, page: Page, name: str, hand: Callable[[Page], Any]) -> Person:
        person = Person(page, name, hand(page), Wire(page), Random(name))
        self.guests.append(person)

        def tell(what: str) -> None:
            self.trouble.append(f"{name}: {what}")

        def console(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning"):
                tell(f"console {message.type}: {message.text}")

        def response(answer: Response) -> None:
            if answer.status >= 400:
                tell(f"{answer.status} for {answer.url}")

        page.on("console", console)
        page.on("response", response)
        page.on("pageerror", lambda error: tell(f"error in the page: {error}"))
        page.on("crash", lambda _: tell("the page crashed"))
        return person
