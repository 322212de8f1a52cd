"""Sockets: who may open one, what may be said on it, and how it ends."""

from __future__ import annotations

import asyncio
import os
import socket as sockets
from base64 import b64encode

import aiohttp
import msgspec
import pytest
from aiohttp import WSCloseCode

from slamomatic.server.clock import now_us
from slamomatic.server.limits import Rate
from slamomatic.server.sockets import Pong
from slamomatic.table.protocol import (
    MAX_MESSAGE_BYTES,
    AddBot,
    ByeReason,
    Hello,
    Leave,
    Level,
    Presence,
    Ready,
    RefusalCode,
    Refused,
    Remove,
    Rename,
    Sit,
    Welcome,
)
from tests.server.guests import GENEROUS, PATIENCE_SECONDS, House, Serve, until_true

# Who one is.


async def test_a_ticket_opens_its_seat_and_no_ticket_watches(house: House) -> None:
    seated = await house.open("Ann")
    ann = await house.sit(seated)
    watcher = await house.watch(seated.code)
    assert ann.seat == 1
    assert watcher.seat is None
    table = await ann.hear_table(lambda table: table.watchers == 1)
    assert table.seats[0].presence is Presence.HERE


@pytest.mark.parametrize("first", ["ready", "not json", "wrong ticket", "binary"])
async def test_who_does_not_say_hello_is_sent_away(house: House, first: str) -> None:
    seated = await house.open()
    page = await house.dial(seated.code)
    match first:
        case "ready":
            await page.say(Ready(True))
        case "not json":
            await page.ws.send_str("slam!")
        case "wrong ticket":
            await page.say(Hello("another-table-s-ticket"))
        case _:
            await page.ws.send_bytes(b"\x00")
    bye = await page.hear_out()
    assert bye is not None
    assert bye.reason is ByeReason.REFUSED
    assert page.ws.close_code == WSCloseCode.POLICY_VIOLATION
    assert house.room(seated.code).table.table_view(now_us()).seats[0].presence is Presence.AWAY


async def test_who_says_nothing_is_sent_away(serve: Serve) -> None:
    house = await serve(limits=msgspec.structs.replace(GENEROUS, hello_us=50_000))
    page = await house.dial((await house.open()).code)
    bye = await page.hear_out()
    assert bye is not None
    assert "Hello" in bye.text


async def test_the_newest_tab_plays_and_the_older_is_told(house: House) -> None:
    seated = await house.open()
    older = await house.sit(seated)
    newer = await house.sit(seated)
    bye = await older.hear_out()
    assert bye is not None
    assert bye.reason is ByeReason.NEWER_TAB
    await newer.say(Rename(1, "Anna"))
    table = await newer.hear_table(lambda table: table.seats[0].name == "Anna")
    assert table.seats[0].presence is Presence.HERE, "the older tab's end takes nothing from the newer one"


async def test_who_comes_back_is_welcomed_to_the_same_seat(house: House) -> None:
    seated = await house.open()
    first = await house.sit(seated)
    watcher = await house.watch(seated.code)
    await first.ws.close()
    await watcher.hear_table(lambda table: table.seats[0].presence is Presence.AWAY)
    assert (await house.sit(seated)).seat == 1


async def test_a_table_that_is_not_there_says_so_in_a_bye(house: House) -> None:
    page = await house.dial("NOSUCH")
    bye = await page.hear_out()
    assert bye is not None
    assert bye.reason is ByeReason.CLOSED
    assert "no table" in bye.text


@pytest.mark.parametrize("origin", ["https://evil.example", "null"])
async def test_pages_of_other_sites_get_no_socket(house: House, origin: str) -> None:
    seated = await house.open()
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await house.dial(seated.code, origin=origin)
    assert refused.value.status == 403


async def test_our_own_page_gets_its_socket(house: House) -> None:
    seated = await house.open()
    page = await house.dial(seated.code, origin=house.url("").rstrip("/"))
    await page.say(Hello(seated.ticket))
    assert (await page.hear(Welcome)).seat == 1


async def test_each_address_may_open_so_many_sockets(serve: Serve) -> None:
    house = await serve(limits=msgspec.structs.replace(GENEROUS, sockets_per_address=2))
    seated = await house.open()
    first, second = await house.sit(seated), await house.watch(seated.code)
    with pytest.raises(aiohttp.WSServerHandshakeError):
        await house.dial(seated.code)
    await first.ws.close()
    await second.ws.close()
    assert (await house.sit(seated)).seat == 1


async def test_so_many_may_watch_a_table(serve: Serve) -> None:
    house = await serve(limits=msgspec.structs.replace(GENEROUS, watchers_per_table=1))
    seated = await house.open()
    watcher = await house.watch(seated.code)
    another = await house.dial(seated.code)
    await another.say(Hello())
    bye = await another.hear_out()
    assert bye is not None
    assert "too many" in bye.text
    assert not watcher.ws.closed


# What is said.


async def test_a_bad_message_is_refused_and_the_socket_stays(house: House) -> None:
    ann = await house.sit(await house.open())
    for bad in ("", "null", '{"type":"Sit","hand":9}', '{"type":"Slam"}', "[" * 10_000, '{"type":"Sit"'):
        await ann.ws.send_str(bad)
        assert (await ann.hear(Refused)).code is RefusalCode.BAD_MESSAGE
    await ann.ws.send_bytes(b'{"type":"Leave"}')
    assert "binary" in (await ann.hear(Refused)).text
    await ann.say(Hello())
    assert (await ann.hear(Refused)).code is RefusalCode.NOT_NOW
    await ann.say(AddBot(Level.GENTLE))
    assert len((await ann.hear_table(lambda table: len(table.seats) > 1)).seats) == 2


async def test_text_that_is_not_utf8_is_refused_and_the_socket_stays(house: House) -> None:
    ann = await house.sit(await house.open())
    await ann.ws.send_frame(b'{"type":"\xff"}', aiohttp.WSMsgType.TEXT)
    assert (await ann.hear(Refused)).code is RefusalCode.BAD_MESSAGE


async def test_a_message_may_be_16_kib_and_no_more(house: House) -> None:
    ann = await house.sit(await house.open())
    await ann.ws.send_str(" " * MAX_MESSAGE_BYTES)
    assert (await ann.hear(Refused)).code is RefusalCode.BAD_MESSAGE
    await ann.ws.send_str(" " * (MAX_MESSAGE_BYTES + 1))
    await ann.hear_out()
    assert ann.ws.close_code == WSCloseCode.MESSAGE_TOO_BIG


async def test_watchers_are_told_they_only_watch(house: House) -> None:
    seated = await house.open()
    watcher = await house.watch(seated.code)
    await watcher.say(Ready(True))
    refused = await watcher.hear(Refused)
    assert refused.code is RefusalCode.NO_SEAT


async def test_a_seat_that_moves_keeps_its_socket(house: House) -> None:
    ann = await house.sit(await house.open("Ann"))
    await ann.say(Sit(3))
    await ann.say(Rename(3, "Anna"))
    table = await ann.hear_table(lambda table: table.seats[0].name == "Anna")
    assert [seat.seat for seat in table.seats] == [3]


async def test_who_leaves_or_is_removed_hears_a_bye_and_frees_the_seat(house: House) -> None:
    seated = await house.open("Ann")
    ann, bob = await house.sit(seated), await house.sit(await house.join(seated.code, "Bob"))
    cas = await house.sit(await house.join(seated.code, "Cas"))
    await bob.say(Leave())
    left = await bob.hear_out()
    await ann.say(Remove(3))
    removed = await cas.hear_out()
    assert left is not None
    assert left.reason is ByeReason.LEFT
    assert removed is not None
    assert removed.reason is ByeReason.REMOVED
    assert [seat.name for seat in house.room(seated.code).table.table_view(now_us()).seats] == ["Ann"]
    assert (await house.join(seated.code, "Dot")).seat == 2


async def test_who_talks_too_fast_is_asked_to_slow_down_and_then_sent_away(serve: Serve) -> None:
    limits = msgspec.structs.replace(GENEROUS, messages=Rate(10, 0.001), patience=Rate(5, 0.001))
    house = await serve(limits=limits)
    ann = await house.sit(await house.open())
    for _ in range(16):
        await ann.say(Ready(False))
    refusals = [await ann.hear(Refused) for _ in range(5)]
    assert {refusal.code for refusal in refusals} == {RefusalCode.TOO_FAST}
    bye = await ann.hear_out()
    assert bye is not None
    assert bye.reason is ByeReason.REFUSED


async def test_pings_are_answered_with_what_they_brought(house: House) -> None:
    seated = await house.open()
    page = await house.dial(seated.code, autoping=False)
    await page.say(Hello(seated.ticket))
    await page.ws.ping(b"are you there?")
    while (frame := await page.ws.receive()).type is not aiohttp.WSMsgType.PONG:
        assert frame.type in (aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.PING)
    assert bytes(frame.data) == b"are you there?"


# Signs of life.


async def test_a_connection_is_measured_by_pings_no_page_can_foresee(house: House) -> None:
    seated = await house.open()
    ann = await house.sit(seated)
    await ann.ws.pong(b"12345678")  # an answer to nothing measures nothing
    reader = asyncio.create_task(ann.hear_out())
    room = house.room(seated.code)
    await until_true(lambda: room.table.table_view(now_us()).seats[0].rtt_ms is not None)
    rtt_ms = room.table.table_view(now_us()).seats[0].rtt_ms
    assert rtt_ms is not None
    assert 0 <= rtt_ms < 1000
    reader.cancel()


async def test_a_pong_tells_when_its_ping_was_sent_by_our_own_record(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated = await house.open()
    room = house.room(seated.code)
    heard: list[tuple[int, int, int]] = []
    monkeypatch.setattr(room, "arrive", _noting(room.arrive, heard))
    begun_us = now_us()
    ann = await house.sit(seated)
    reader = asyncio.create_task(ann.hear_out())
    await until_true(lambda: bool(heard))
    at_us, sent_us, known_us = heard[0]
    assert begun_us <= sent_us <= at_us <= known_us
    reader.cancel()


async def test_who_gives_no_sign_of_life_is_pinged_and_then_away(serve: Serve) -> None:
    house = await serve()
    seated = await house.open()
    page = await house.dial(seated.code, autoping=False)
    await page.say(Hello(seated.ticket))
    await page.hear(Welcome)
    room = house.room(seated.code)
    now = now_us()
    await house.rooms.sweep(now + GENEROUS.dead_us - 1_000_000)
    assert room.seats
    await house.rooms.sweep(now + GENEROUS.dead_us + 1_000_000)
    await until_true(lambda: not room.seats)
    assert room.table.table_view(now_us()).seats[0].presence is Presence.AWAY


async def test_the_answer_to_a_ping_answers_the_earlier_ones_too(serve: Serve) -> None:
    house = await serve()
    seated = await house.open()
    page = await house.dial(seated.code, autoping=False)
    await page.say(Hello(seated.ticket))
    await page.hear(Welcome)
    socket = house.room(seated.code).seats[seated.seat]
    socket.ping()
    socket.ping()
    async with asyncio.timeout(PATIENCE_SECONDS):
        payloads: list[bytes] = []
        while len(payloads) < 3:  # the table's own first probe, and these two
            frame = await page.ws.receive()
            if frame.type is aiohttp.WSMsgType.PING:
                payloads.append(bytes(frame.data))
    assert socket.waits_for_pong_us(now_us()) > 0
    await page.ws.pong(payloads[-1])
    await until_true(lambda: socket.waits_for_pong_us(now_us()) == 0)


async def test_who_talks_but_answers_no_ping_is_given_up_too(serve: Serve) -> None:
    house = await serve()
    seated = await house.open()
    page = await house.dial(seated.code, autoping=False)
    await page.say(Hello(seated.ticket))
    await page.hear(Welcome)
    room = house.room(seated.code)
    socket = room.seats[seated.seat]
    pinged_us = now_us()
    socket.ping()
    await until_true(lambda: socket.waits_for_pong_us(now_us()) > 0)
    socket.heard_us = pinged_us + GENEROUS.dead_us  # he goes on talking
    await house.rooms.sweep(pinged_us + GENEROUS.dead_us - 1_000_000)
    assert room.seats
    await house.rooms.sweep(now_us() + GENEROUS.dead_us + 1_000_000)
    await until_true(lambda: not room.seats)


async def test_a_silent_watcher_is_pinged_by_the_server_itself(house: House) -> None:
    watcher = await house.dial((await house.open()).code, autoping=False)
    await watcher.say(Hello())
    await watcher.hear(Welcome)
    await house.rooms.sweep(now_us() + GENEROUS.probe_us + 1_000_000)
    while (frame := await watcher.ws.receive()).type is not aiohttp.WSMsgType.PING:
        assert frame.type is aiohttp.WSMsgType.TEXT
    assert len(frame.data) == 8


async def test_a_slow_reader_is_cut_off_and_nobody_else_waits(serve: Serve) -> None:
    house = await serve(limits=msgspec.structs.replace(GENEROUS, outbox_bytes=65_536, farewell_us=100_000))
    seated = await house.open("Ann")
    ann, quick = await house.sit(seated), await house.watch(seated.code)
    slow = await _who_never_reads(house, seated.code)
    room = house.room(seated.code)
    await until_true(lambda: len(room.gallery) == 2)
    renamed = 0
    while len(room.gallery) == 2:
        assert renamed < 20_000, "a reader that never reads was never cut off"
        for _ in range(20):
            renamed += 1
            await ann.say(Rename(1, f"Ann {renamed}"))
        for reader in (ann, quick):
            await reader.hear_table(lambda table: table.seats[0].name == f"Ann {renamed}")  # noqa: B023 - heard at once
    await until_true(lambda: _is_hung_up(slow))
    assert not quick.ws.closed
    slow.close()


async def test_who_hangs_up_during_the_handshake_is_no_error(house: House, caplog: pytest.LogCaptureFixture) -> None:
    seated = await house.open()
    for _ in range(50):
        _, line = await asyncio.open_connection(house.server.host, house.server.port)
        line.write(_handshake(house, seated.code))
        line.transport.abort()
    await house.sit(seated)
    assert not caplog.records


async def _who_never_reads(house: House, code: str) -> sockets.socket:
    """A watcher by hand: a handshake, a hello, and then not one byte is read."""
    loop = asyncio.get_running_loop()
    line = sockets.socket(sockets.AF_INET, sockets.SOCK_STREAM)
    line.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    line.setblocking(False)
    await loop.sock_connect(line, (house.server.host, house.server.port))
    await loop.sock_sendall(line, _handshake(house, code))
    hello = msgspec.json.encode(Hello())
    mask = os.urandom(4)
    masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(hello))
    await loop.sock_sendall(line, bytes([0x81, 0x80 | len(hello)]) + mask + masked)
    return line


def _handshake(house: House, code: str) -> bytes:
    key = b64encode(os.urandom(16)).decode()
    return (
        f"GET /ws/{code} HTTP/1.1\r\nHost: {house.server.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()


def _is_hung_up(line: sockets.socket) -> bool:
    """Whether the far end has gone; reads away what had still come."""
    try:
        while line.recv(65_536):
            pass
    except BlockingIOError:
        return False
    except ConnectionError:
        return True
    return True


def _noting(arrive: object, heard: list[tuple[int, int, int]]) -> object:
    assert callable(arrive)

    def noting(socket: object, at_us: int, news: object) -> None:
        if isinstance(news, Pong):
            heard.append((at_us, news.sent_us, now_us()))
        arrive(socket, at_us, news)

    return noting
