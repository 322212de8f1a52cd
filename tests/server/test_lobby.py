"""The lobby, live; and the quick match that finds, or makes, the table to sit down at."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import msgspec

from slamomatic.server import lobby
from slamomatic.table.calls import ListedTables, Seated
from slamomatic.table.protocol import LockSeats, RefusalCode, SetListed, TableChanged
from tests.server.guests import GENEROUS, PATIENCE_SECONDS, House, Serve


class Stream:
    """One page's stream of the open tables."""

    def __init__(self, answer: aiohttp.ClientResponse) -> None:
        self._answer = answer

    async def next(self) -> list[str]:
        """The codes in the next event; what only says that the stream lives is passed over."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                line = await self._answer.content.readline()
                assert line, "the stream has ended"
                if line.startswith(b"data: "):
                    return [row.code for row in msgspec.json.decode(line[6:], type=ListedTables).tables]

    async def until(self, codes: set[str]) -> None:
        while set(await self.next()) != codes:
            pass


@asynccontextmanager
async def stream(house: House) -> AsyncIterator[Stream]:
    async with house.session.get(house.url("/api/lobby")) as answer:
        assert answer.status == 200
        assert answer.content_type == "text/event-stream"
        yield Stream(answer)


async def quick(house: House, name: str, edition: str = "classic") -> Seated:
    status, body = await house.call("POST", "/api/quick", {"name": name, "edition": edition})
    assert status == 201, body
    return msgspec.convert(body, Seated)


async def test_a_page_is_told_the_open_tables_at_once_and_every_change(house: House) -> None:
    first = await house.open("Ann", listed=True)
    async with stream(house) as told:
        assert await told.next() == [first.code]
        second = await house.open("Bea", listed=True)
        await told.until({first.code, second.code})
        ann = await house.sit(first)
        await ann.say(SetListed(listed=False))
        await told.until({second.code})


async def test_nothing_is_said_twice(house: House) -> None:
    async with stream(house) as told:
        assert await told.next() == []
        await asyncio.sleep(3 * lobby.LOOK_SECONDS)
        shown = await house.open("Ann", listed=True)
        assert await told.next() == [shown.code]


async def test_private_tables_are_in_no_lobby(house: House) -> None:
    await house.open("Ann")
    async with stream(house) as told:
        assert await told.next() == []


async def test_one_address_has_so_many_streams_and_gets_them_back(serve: Serve) -> None:
    house = await serve(limits=msgspec.structs.replace(GENEROUS, lobbies_per_address=1))
    async with stream(house) as told:
        await told.next()
        status, body = await house.call("GET", "/api/lobby")
        assert (status, body["code"]) == (409, RefusalCode.FULL)
        await house.open("Ann", listed=True)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (await _status(house)) != 200:
            await house.open("Bea", listed=True)  # the server finds out that the page has gone as it writes
            await asyncio.sleep(lobby.LOOK_SECONDS)


async def _status(house: House) -> int:
    async with house.session.get(house.url("/api/lobby")) as answer:
        return answer.status


async def test_streams_end_when_the_server_stops(house: House) -> None:
    async with stream(house) as told:
        await told.next()
        async with asyncio.timeout(PATIENCE_SECONDS):
            await house.server.close()


async def test_a_quick_match_seats_strangers_together_and_by_edition(house: House) -> None:
    first = await quick(house, "Ann")
    ann = await house.sit(first)
    assert (await quick(house, "Bob")).code == first.code
    assert (await quick(house, "Cid", "modern")).code != first.code
    await ann.ws.close()


async def test_a_quick_match_goes_to_no_table_where_nobody_waits(house: House) -> None:
    left = await quick(house, "Ann")
    assert (await quick(house, "Bob")).code != left.code


async def test_a_quick_match_joins_a_listed_table_of_friends_unless_it_is_locked(house: House) -> None:
    listed = await house.open("Ann", listed=True)
    ann = await house.sit(listed)
    assert (await quick(house, "Bob")).code == listed.code
    await ann.say(LockSeats(locked=True))
    await ann.hear_table(lambda table: table.locked)
    assert (await quick(house, "Cid")).code != listed.code


async def test_a_quick_match_tells_when_bots_will_fill_it(house: House) -> None:
    ann = await house.sit(await quick(house, "Ann"))
    table = (await ann.hear(TableChanged)).table
    assert table.fills_ms is not None
    assert 0 < table.fills_ms <= 20_000
