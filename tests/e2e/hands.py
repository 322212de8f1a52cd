"""How a person's hand does what he wants: by mouse, by keys alone, or by touch alone.

Each of them uses what is on the screen: a control by its role and name, or the key that is written on it.
"""

from __future__ import annotations

import asyncio
import re
from abc import ABC, abstractmethod
from typing import Protocol

from playwright.async_api import CDPSession, FloatRect, Locator, Page, Position

PRESS_MS = 80
"""How long a quick press lasts; a slam shorter than 30 ms would be a short press (M8)."""
HOVER_SECONDS = 0.5
"""How long a fake hovers; a press of Reach that is let go within 250 ms is a tap instead."""
MOST_STOPS = 80
WAY = """(control) => {
  const { activeElement } = document;
  if (control === activeElement) return null;
  return control.closest("ul.fan")?.contains(activeElement) ? "ArrowRight" : "Tab";
}"""
"""The key that leads nearer to a control; null: it has the focus."""
CONTROL_MS = 1_000
"""A control that was seen is still there so long, or the moment has passed."""


class Hand(Protocol):
    """One way of doing everything there is to do during play."""

    async def slam(self) -> None: ...
    async def fake(self) -> None: ...
    async def draw(self) -> None: ...
    async def say_pass(self) -> None: ...
    async def press(self, control: Locator) -> None: ...


def pad(page: Page) -> Locator:
    return page.get_by_role("button", name="SLAM")


def reach(page: Page) -> Locator:
    return page.get_by_role("button", name=re.compile(r"^(Reach|Fake!)"))


def pile(page: Page) -> Locator:
    return page.get_by_role("button", name=re.compile(r"^Draw, "))


class Pointer(ABC):
    """What points at things on the screen: it does all there is to do by pressing and holding what it sees."""

    def __init__(self, page: Page) -> None:
        self._page = page

    async def slam(self) -> None:
        await self._hold(pad(self._page), PRESS_MS / 1_000)

    async def fake(self) -> None:
        await self._hold(reach(self._page), HOVER_SECONDS)

    async def draw(self) -> None:
        await self.press(pile(self._page))

    async def say_pass(self) -> None:
        await self.press(self._page.get_by_role("button", name="Pass"))

    @abstractmethod
    async def press(self, control: Locator) -> None: ...

    @abstractmethod
    async def _hold(self, control: Locator, seconds: float) -> None: ...


class Mouse(Pointer):
    """A mouse, and nothing else."""

    async def press(self, control: Locator) -> None:
        await control.click(position=await uncovered(control), timeout=CONTROL_MS)

    async def _hold(self, control: Locator, seconds: float) -> None:
        x, y = await middle(control)
        mouse = self._page.mouse
        await mouse.move(x, y)
        await mouse.down()
        await asyncio.sleep(seconds)
        await mouse.up()


class Keys:
    """A keyboard, and nothing else."""

    def __init__(self, page: Page) -> None:
        self._page = page

    async def slam(self) -> None:
        await self._page.keyboard.press("Space", delay=PRESS_MS)

    async def fake(self) -> None:
        await self._page.keyboard.press("f", delay=1_000 * HOVER_SECONDS)

    async def draw(self) -> None:
        await self._page.keyboard.press("d")

    async def say_pass(self) -> None:
        await self._page.keyboard.press("p")

    async def press(self, control: Locator) -> None:
        await self.go_to(control)
        await self._page.keyboard.press("Enter")

    async def go_to(self, control: Locator) -> None:
        """Until it has the focus: by the arrows within a fan of cards, otherwise by Tab."""
        for _ in range(MOST_STOPS):
            way: str | None = await control.evaluate(WAY, timeout=CONTROL_MS)
            if way is None:
                return
            await self._page.keyboard.press(way)
        raise AssertionError(f"{control} cannot be reached by keys")


class Finger(Pointer):
    """A finger on the glass, and nothing else."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self._glass: CDPSession | None = None

    async def press(self, control: Locator) -> None:
        await control.tap(position=await uncovered(control), timeout=CONTROL_MS)

    async def _hold(self, control: Locator, seconds: float) -> None:
        """A touch that lasts: Playwright's own tap is over at once."""
        if self._glass is None:
            self._glass = await self._page.context.new_cdp_session(self._page)
        x, y = await middle(control)
        await self._glass.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        await asyncio.sleep(seconds)
        await self._glass.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


async def middle(control: Locator) -> tuple[float, float]:
    """Where it is pressed if nothing covers it."""
    box = await _box(control)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def uncovered(control: Locator) -> Position:
    """Where a card in a fan is seen: near its left edge, for the next one covers its right."""
    box = await _box(control)
    return {"x": box["width"] / 5, "y": box["height"] / 2}


async def _box(control: Locator) -> FloatRect:
    box = await control.bounding_box(timeout=CONTROL_MS)
    assert box is not None, f"{control} cannot be seen"
    return box
