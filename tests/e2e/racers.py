"""Players at real pages who touch when a plan says, and whose pages write down when they truly did.

What they are told they read off the wire, as it reaches their browser; what they do they do by keys.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from playwright.async_api import WebSocket, expect

from slamomatic.game.commands import Draw, Pass, Take
from slamomatic.game.editions import CLASSIC
from slamomatic.game.view import View
from slamomatic.table.protocol import (
    ClientMessage,
    Cue,
    CueKind,
    Moved,
    Phase,
    ServerMessage,
    Shown,
    TableChanged,
    Welcome,
)
from tests.e2e.hands import Keys
from tests.e2e.pageless import HANDS, Player, Slammer, open_table
from tests.e2e.party import Party, Screen
from tests.e2e.people import Person
from tests.e2e.races import Listener, Plan, Race, races

_HERE = Path(__file__).parent
TRUTH, BUSY = ((_HERE / f"{name}.js").read_text() for name in ("truth", "busy"))
SMALL = Screen(360, 640, still=True)
"""Little to paint: many pages share one machine here, and one that starves is a page that hangs."""
KEYS = {Draw: "d", Pass: "p", Take: "Enter"}
"""What answers what is asked; a card to take has the focus already."""
AGAIN_SECONDS = 1.0
"""If nothing has come of a key by then, it is pressed again."""

_client_messages: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
_server_messages: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)


class Racer:
    """Someone at a page."""

    def __init__(self, person: Person, plan: Plan, deeds: asyncio.TaskGroup) -> None:
        self.seat = 0
        self.page = person.page
        self._person = person
        self._plan = plan
        self._deeds = deeds
        self._begun: list[asyncio.Task[None]] = []
        self._is_gone = False
        self._contact = ""
        self._view: View | None = None
        self.page.on("websocket", self._listen)

    async def sit_down(self) -> None:
        """Take the lowest free hand, and be ready."""
        await self._person.type_name()
        await self.page.get_by_role("button", name="Join the table").click()
        await self._person.get_ready()
        await expect(self.page.get_by_role("button", name="Not yet")).to_be_visible()

    async def truth(self) -> dict[str, float]:
        """When the hand came down, from showing the contact on; in ms, by the contact's cue."""
        return msgspec.convert(await self.page.evaluate("truth"), dict[str, float])

    async def leave(self) -> None:
        """Drop everything and close the page."""
        self._is_gone = True
        for deed in self._begun:
            deed.cancel()
        await self.page.close()

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._hear)
        socket.on("framesent", self._overhear)

    def _hear(self, frame: str | bytes) -> None:
        if self._is_gone:
            return
        match _server_messages.decode(frame):
            case Welcome(seat=int(seat), view=view):
                self.seat = seat
                if view is not None and view.ended is None:
                    self._asked(view)
            case Cue(cue=cue, kind=CueKind.CONTACT):
                self._contact = cue
            case Moved(view=view):
                self._asked(view)
            case TableChanged(table=table) if table.phase is Phase.RESULT and self._view is not None:
                self._view = None
                self._begin(self.page.get_by_role("button", name="Rematch").click())
            case _:
                pass

    def _overhear(self, frame: str | bytes) -> None:
        said = _client_messages.decode(frame)
        if isinstance(said, Shown) and said.cue == self._contact and self._holds_a_card() and not self._is_gone:
            self._begin(self._race(said.cue))

    def _asked(self, view: View) -> None:
        self._view = view
        self._begin(self._answer(view))

    async def _answer(self, view: View) -> None:
        """What is asked of him, and no more: he never slams by himself."""
        for command in view.legal:
            if (key := KEYS.get(type(command))) is not None:
                while self._view is view:
                    await self.page.keyboard.press(key)
                    await asyncio.sleep(AGAIN_SECONDS)
                return

    async def _race(self, cue: str) -> None:
        await asyncio.sleep(self._plan.touch_ms(cue, self.seat) / 1_000)
        await self.page.keyboard.press(" ")

    def _begin(self, deed: Coroutine[Any, Any, None]) -> None:
        self._begun.append(self._deeds.create_task(deed))

    def _holds_a_card(self) -> bool:
        assert self._view is not None
        return any(player.seat == self.seat and player.cards for player in self._view.players)


@dataclass(frozen=True)
class Evening:
    """A table at which everyone is ready to race."""

    racers: list[Racer]
    listener: Listener
    """Who hears what the house tells of each slam."""

    async def races(self) -> list[Race]:
        """Those so far in which every page raced."""
        truths = {racer.seat: await racer.truth() for racer in self.racers}
        return races(self.listener.told, truths)


@asynccontextmanager
async def racing(
    party: Party, names: Sequence[str], at: Sequence[str], chance: Random, busy_ms: int = 0
) -> AsyncIterator[Evening]:
    """Pages with these names, each reached at an address of its own; and, on sockets, somebody who slams, game after
    game, and honest players at the hands that are left. ``busy_ms``: so long is a page busy at each contact."""
    async with open_table(party.home, CLASSIC) as table, asyncio.TaskGroup() as deeds:
        plan = Plan(range(2, HANDS + 1), chance)
        racers = [
            await _invite(party, name, f"{address}t/{table.code}", plan, deeds, busy_ms)
            for name, address in zip(names, at, strict=True)
        ]
        for name in ("Dan", "Eva", "Flo")[len(racers) :]:
            await table.seat(Player, await table.join(name), plan)
        slammer = await table.seat(Slammer, table.opened, plan)
        yield Evening(racers, slammer.listener)
        table.leave()
        for racer in racers:
            await racer.leave()


async def _invite(party: Party, name: str, at: str, plan: Plan, deeds: asyncio.TaskGroup, busy_ms: int) -> Racer:
    """Someone comes to this address with a browser of his own, and sits down.

    What is added to his page is there before he does: it reaches a socket by the first thing that is sent over it.
    """
    person = await party.arrive(name, at=at, screen=SMALL, hand=Keys)
    await person.page.emulate_media(reduced_motion="reduce")
    await person.page.evaluate(TRUTH)
    if busy_ms:
        await person.page.evaluate(BUSY, busy_ms)
    racer = Racer(person, plan, deeds)
    await racer.sit_down()
    return racer
