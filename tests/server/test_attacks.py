"""The server as its enemies find it: from outside, over real sockets. docs/security.md says what answers what."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import re
import struct
import sys
from base64 import b64encode
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import aiohttp
import msgspec
import pytest
from yarl import URL

from slamomatic.game import CLASSIC
from slamomatic.game.commands import Draw
from slamomatic.server.limits import Limits, Rate
from slamomatic.table.calls import Seated
from slamomatic.table.protocol import (
    Act,
    AddBot,
    Bye,
    ByeReason,
    Hello,
    Level,
    Moved,
    Pace,
    Phase,
    Presence,
    Ready,
    RefusalCode,
    Refused,
    Remove,
    Rename,
    SetPace,
    Welcome,
)
from tests.server.guests import GENEROUS, PATIENCE_SECONDS, Guest, House, Serve, until_true
from tests.server.listening import Listen, listening
from tests.server.test_rooms import secrets_in, two_who_play

UPGRADE = ("Upgrade: websocket", "Connection: Upgrade")


@pytest.fixture
def listen() -> Iterator[Listen]:
    with listening() as listen:
        yield listen


async def token_of(house: House, name: str = "Ann") -> tuple[str, str]:
    """A new guest's token, and his public id."""
    status, body = await house.call("POST", "/api/me", {"name": name})
    assert status == 201, body
    return body["token"], body["me"]["id"]


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def opens_seat(house: House, code: str, ticket: str) -> bool:
    """Whether this ticket opens a seat at that table."""
    page = await house.dial(code)
    await page.ws.send_str(json.dumps({"type": "Hello", "ticket": ticket}))
    while (message := await page.next()) is not None:
        if isinstance(message, Welcome):
            await page.ws.close()
            return message.seat is not None
    return False


# Stealing a seat.


async def test_no_ticket_but_ones_own_opens_a_seat(house: House) -> None:
    ann, elsewhere = await house.open("Ann"), await house.open("Eve")
    ticket = ann.ticket
    near = [ticket[:at] + ("A" if ticket[at] != "A" else "B") + ticket[at + 1 :] for at in range(0, len(ticket), 5)]
    for guess in (
        elsewhere.ticket, *near, ticket[:-1], ticket + "A", ticket[:16], ticket.swapcase(), ticket[::-1],
        "0" * 32, " " * 32, f" {ticket}", f"{ticket}\n", f"{ticket}\u200b", ann.code * 4, "' OR '1'='1' -- ..",
    ):  # fmt: skip
        assert not await opens_seat(house, ann.code, guess), guess
    assert await opens_seat(house, ann.code, ticket)


@pytest.mark.parametrize("ticket", [None, "", "short", "x" * 65, "x" * 10_000, 1, True, [], {}, 1e400, "\ud800" * 20])
async def test_what_is_no_ticket_opens_no_seat(house: House, ticket: Any) -> None:
    ann = await house.open("Ann")
    page = await house.dial(ann.code)
    await page.ws.send_str(json.dumps({"type": "Hello", "ticket": ticket}))
    first = await page.next()
    assert isinstance(first, Bye) or (isinstance(first, Welcome) and first.seat is None)


async def test_a_ticket_that_was_replaced_opens_nothing(house: House) -> None:
    token, _ = await token_of(house)
    _, seated = await house.call("POST", "/api/tables", {"name": "Ann"}, headers=bearer(token))
    path = f"/api/tables/{seated['code']}/join"
    status, again = await house.call("POST", path, {"name": "Ann"}, headers=bearer(token))
    assert (status, again["seat"]) == (201, seated["seat"])
    assert not await opens_seat(house, seated["code"], seated["ticket"])
    assert await opens_seat(house, seated["code"], again["ticket"])


async def test_a_ticket_of_who_was_sent_away_opens_nothing(house: House) -> None:
    ann = await house.open("Ann")
    bob = await house.join(ann.code, "Bob")
    host, page = await house.sit(ann), await house.sit(bob)
    await host.say(Remove(bob.seat))
    assert await page.hear_out() is not None
    assert not await opens_seat(house, ann.code, bob.ticket)


async def test_nobody_sits_down_as_somebody_else(house: House) -> None:
    token, person = await token_of(house, "Ann")
    _, seated = await house.call("POST", "/api/tables", {"name": "Ann"}, headers=bearer(token))
    eves, eve = await token_of(house, "Eve")
    body, _, signature = token.partition(".")
    other, _, others = eves.partition(".")
    forged = [
        person, f"{person}.{signature}", f"{body}.{others}", f"{other}.{signature}", f"{body}.", f".{signature}",
        body, f"{token}.", f"{token}.{signature}", token.swapcase(), "a" * 5000, "null", "..",
    ]  # fmt: skip
    path = f"/api/tables/{seated['code']}/join"
    for claim in forged:
        status, answer = await house.call("POST", path, {"name": "Ann"}, headers=bearer(claim))
        assert (status, answer["code"]) == (401, "no-person"), claim
    status, answer = await house.call("POST", path, {"name": "Ann"}, headers=bearer(eves))
    assert (status, answer["seat"]) == (201, 2), "Eve gets a hand of her own"
    assert house.room(seated["code"]).table.record.seats[2].person == eve
    status, answer = await house.call("POST", path, {"name": "Ann"})
    assert (status, answer["seat"]) == (201, 3), "a name is nobody's proof"


async def test_what_one_says_for_another_seat_is_done_for_ones_own_or_not_at_all(house: House) -> None:
    seated, ann, bob = await two_who_play(house)
    room = house.room(seated.code)
    before = room.table.record.state
    turn = room.table.state.turn
    thief = bob if turn == 1 else ann
    for command in ({"type": "Draw"}, {"type": "Pass"}, {"type": "Take", "loser": thief.seat, "position": 0}):
        await thief.ws.send_str(json.dumps({"type": "Act", "command": {"seat": turn, **command}}))
        await thief.hear(Refused)
    assert room.table.record.state == before


# Reading a hand.


async def everything_outside_can_see(house: House, seated: Seated, token: str) -> list[Any]:
    """Whatever the calls tell of a table and its games to who is not in it."""
    code, last = seated.code, house.room(seated.code).table.table_view(0).last_game
    paths = [f"/api/tables/{code}", "/api/tables", "/api/me/games", "/api/me/tally", "/api/me/export", "/healthz"]
    paths += [f"/api/games/{code}", f"/api/games/{code}-1", f"/api/games/{last}", f"/api/games/{last}/record"]
    seen = []
    for path in paths:
        async with house.session.get(house.url(path), headers=bearer(token)) as answer:
            seen.append(await answer.json(content_type=None))
    return seen


async def test_nobody_is_shown_a_card_that_is_not_his(house: House) -> None:
    seated, ann, bob = await two_who_play(house)
    since, turn = ann.seq, house.room(seated.code).table.state.turn
    await (ann if turn == 1 else bob).say(Act(Draw(turn)))
    for page in (ann, bob):
        await page.hear(Moved)
    token, _ = await token_of(house, "Eve")
    eve = await house.dial(seated.code)
    await eve.say(Hello(None, since))  # a watcher who says that he was here before
    again = await house.dial(seated.code)
    await again.say(Hello(seated.ticket, since))  # and a player who wants a move once more
    missed = (await again.hear(Welcome)).missed
    assert missed
    cards = [event["card"] for event in msgspec.to_builtins(missed[0].events) if event["type"] == "CardDrawn"]
    assert [card is not None for card in cards] == [turn == 1]
    for guest, seat in ((ann, 1), (again, 1), (bob, 2)):
        views = [view for data in guest.bytes if (view := json.loads(data).get("view")) is not None]
        assert views
        for player in [player for view in views for player in view["players"]]:
            assert (player["hand"] is not None) is (player["seat"] == seat)
    told = [json.loads(data) for data in eve.bytes] + await everything_outside_can_see(house, seated, token)
    assert [secret for message in told for secret in secrets_in(message)] == []


async def test_a_watcher_sees_nothing_before_it_can_help_nobody(house: House) -> None:
    seated, ann, _ = await two_who_play(house)
    eve = await house.dial(seated.code)
    await eve.say(Hello())
    first = await eve.next()
    assert type(first).__name__ == "Delayed"
    assert ann.view is not None
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(eve.ws.receive(), 1)


async def test_a_finished_game_is_for_those_who_played_it(house: House) -> None:
    token, _ = await token_of(house, "Ann")
    eves, _ = await token_of(house, "Eve")
    wish = {"name": "Ann", "edition": msgspec.to_builtins(CLASSIC), "bots": ["gentle"]}
    _, body = await house.call("POST", "/api/tables", wish, headers=bearer(token))
    seated = msgspec.convert(body, Seated)
    room = house.room(seated.code)
    page = await house.sit(seated)
    await page.say(Ready(True))
    await until_true(lambda: room.table.phase is Phase.PLAYING)
    for path in ("/api/games/{id}", "/api/games/{id}/record"):
        for who in ({}, bearer(eves)):
            async with house.session.get(house.url(path.format(id="no-such-game")), headers=who) as none:
                nothing = await none.json()
            async with house.session.get(house.url(path.format(id=f"{seated.code}-1")), headers=who) as hidden:
                assert (hidden.status, await hidden.json()) == (none.status, nothing)
    await page.ws.close()


# Bringing it down with bytes: no call answers 500, and nothing an outsider does gets into the log.


def post(path: str, body: bytes, *headers: str, length: int | None = None) -> bytes:
    head = [f"POST {path} HTTP/1.1", "Host: x", f"Content-Length: {len(body) if length is None else length}", *headers]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def get(path: str, *headers: str) -> bytes:
    return "\r\n".join((f"GET {path} HTTP/1.1", "Host: x", *headers)).encode("latin-1") + b"\r\n\r\n"


CALLS = (
    "/api/tables", "/api/quick", "/api/tables/K7WPXQ/join", "/api/me", "/api/recover", "/api/passkeys",
    "/api/passkeys/options", "/api/me/passkeys", "/api/me/codes", "/api/me/signout", "/api/reports",
    "/api/games/x/share",
)  # fmt: skip
BODIES = {
    "nothing": b"",
    "no JSON": b"slam!",
    "half of it": b'{"name":',
    "a list": b"[]",
    "null": b"null",
    "NaN": b'{"name":NaN}',
    "not UTF-8": b'{"name":"\xff\xfe"}',
    "UTF-16": '{"name":"Ann"}'.encode("utf-16"),
    "half a character": b'{"name":"\\ud800"}',
    "a NUL": b'{"name":"a\\u0000b"}',
    "deep": b'{"name":' + b"[" * 16_000,
    "wide": b"[" + b"0," * 8_000 + b"0]",
    "10 to the 400": b'{"hand":1' + b"0" * 400 + b"}",
    "many names": b"{" + b",".join(b'"%d":0' % number for number in range(1500)) + b"}",
    "twice": b'{"name":"Ann","name":"Bob"}',
    "a prototype": b'{"__proto__":{"name":"Ann"}}',
    "SQL": b"""{"name":"x'); DROP TABLE--","code":"' OR 1=1 --"}""",
    "a credential": b'{"ticket":"a.b.c","credential":{"id":"\\u0000","response":{}}}',
}


async def test_no_body_breaks_a_call(house: House, listen: Listen) -> None:
    token, _ = await token_of(house)
    said = listen("warning")
    for what, body in BODIES.items():
        for method, path in (*(("POST", path) for path in CALLS), ("PATCH", "/api/me"), ("PUT", "/api/me")):
            async with house.session.request(method, house.url(path), data=body, headers=bearer(token)) as answer:
                assert answer.status < 500, (what, method, path, await answer.text())
    assert said.text == ""


WAYS = {
    "a body that cannot be unpacked": post("/api/me", b"no gzip", "Content-Encoding: gzip"),
    "a bomb": post("/api/me", gzip.compress(b"0" * 2**24), "Content-Encoding: gzip"),
    "a way of packing nobody knows": post("/api/me", b"x", "Content-Encoding: slam"),
    "a broken chunk": b"POST /api/me HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
    "too much": post("/api/me", b"[" * 100_000),
    "a form": post("/api/me", b"a=b", "Content-Type: application/x-www-form-urlencoded"),
    "an expectation": post("/api/me", b"{}", "Expect: slams"),
    "an origin that is none": get("/api/editions", "Origin: http://[::1"),
    "an origin with a port that is none": get("/api/editions", "Origin: http://x:99999999"),
    "a token of other letters": get("/api/me", "Authorization: Bearer \xff\xfe.\xff"),
    "a scheme of its own": get("/api/me", "Authorization: Slam me"),
    "no scheme": get("/api/me", "Authorization:"),
    "a code with a NUL": get("/api/tables/%00"),
    "a code that is no UTF-8": get("/api/tables/%ff%fe"),
    "half a character": get("/api/tables/%ed%a0%80"),
    "a long code": get("/api/tables/" + "a" * 7000),
    "a game with a NUL": get("/api/games/%00/record"),
    "an edition with a NUL": get("/api/leaderboard/%00"),
    "a time that is none": get("/api/me/games?before=1e9999"),
    "a socket that is none": get("/ws/K7WPXQ"),
    "a socket of another age": get("/ws/K7WPXQ", *UPGRADE, "Sec-WebSocket-Version: 8"),
    "a socket without a key": get("/ws/K7WPXQ", *UPGRADE, "Sec-WebSocket-Version: 13"),
    "a path upwards": get("/../../../../etc/passwd"),
    "a path upwards in disguise": get("/assets/..%2f..%2f..%2f..%2fetc%2fpasswd"),
    "a drive": get("/C:%5cWindows%5cwin.ini"),
    "another scheme": get("http://evil.example/api/editions"),
    "a tunnel": b"CONNECT evil.example:80 HTTP/1.1\r\nHost: x\r\n\r\n",
    "a star": b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
    "ranges": get("/", "Range: bytes=" + "0-," * 500),
    "a thousand headers": get("/", *(f"X-{number}: x" for number in range(1000))),
    "a header in a path": get("/api/%0d%0aSet-Cookie:%20a=b"),
}  # fmt: skip


async def test_no_request_breaks_the_server_or_fills_its_log(house: House, listen: Listen) -> None:
    said = listen("warning")
    broken = []
    for what, request in WAYS.items():
        answer = await ask(house, request)
        head = answer.partition(b"\r\n\r\n")[0]
        assert head.startswith(b"HTTP/1."), (what, answer[:200])
        assert b"root:" not in answer, what
        assert b"Set-Cookie" not in head, what
        if head.split()[1] >= b"500":
            broken.append(what)
    assert broken == []
    assert said.text == ""
    assert (await house.call("GET", "/healthz"))[0] == 200


async def test_who_hangs_up_in_the_middle_fills_no_log(tmp_path: Path) -> None:
    halves = (
        post("/api/me", b"{", length=100),
        b"POST /api/me HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{",
        b"GET /healthz HTTP/1.1\r\nHost",
        b"",
    )
    async with killable(tmp_path, stderr=asyncio.subprocess.PIPE) as (url, process):
        for half in halves:
            _, writer = await asyncio.open_connection("localhost", URL(url).port)
            writer.write(half)
            await asyncio.sleep(0.05)  # it is being read
            writer.close()
        async with aiohttp.ClientSession() as session, session.get(f"{url}healthz") as answer:
            assert answer.status == 200
        process.terminate()
        assert process.stderr is not None
        assert await process.stderr.read() == b""


async def ask(house: House, request: bytes, seconds: float = 0.5) -> bytes:
    """Send these bytes; what has come back once it has been quiet for so long, or the server has hung up."""
    reader, writer = await asyncio.open_connection("127.0.0.1", house.server.port)
    answer = b""
    try:
        writer.write(request)
        await writer.drain()
        while data := await asyncio.wait_for(reader.read(65_536), PATIENCE_SECONDS if not answer else seconds):
            answer += data
            head, _, body = answer.partition(b"\r\n\r\n")
            length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
            if length is not None and len(body) >= int(length[1]):
                break
    except (TimeoutError, ConnectionError):
        pass
    finally:
        writer.close()
    return answer


# And with frames.


def frame(kind: int, payload: bytes, *, fin: bool = True, rsv: int = 0, length: int | None = None) -> bytes:
    """A masked frame, right or wrong."""
    size = len(payload) if length is None else length
    head = bytes([fin << 7 | rsv << 4 | kind])
    if size < 126:
        head += bytes([0x80 | size])
    elif size < 2**16:
        head += b"\xfe" + struct.pack(">H", size)
    else:
        head += b"\xff" + struct.pack(">Q", size)
    mask = os.urandom(4)
    return head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))


FRAMES = {
    "a reserved bit": frame(1, b"{}", rsv=4),
    "packed": frame(1, b"\xaa\x56\x2a\xa9", rsv=4),
    "a kind of its own": frame(11, b""),
    "an end without a beginning": frame(0, b"x"),
    "a long ping": frame(9, b"x" * 200),
    "half a ping": frame(9, b"x", fin=False),
    "8 exbibytes": frame(1, b"x", length=2**63 - 1),
    "16 exbibytes": frame(1, b"x", length=2**64 - 1),
    "in two halves, too much": frame(1, b" " * 9000, fin=False) + frame(0, b" " * 9000),
    "in a thousand pieces": frame(1, b"", fin=False) + frame(0, b"", fin=False) * 1000 + frame(0, b"{}"),
    "one in another": frame(1, b"a", fin=False) + frame(1, b"b"),
    "half a frame": b"\x81",
    "an end of one byte": frame(8, b"x"),
    "an end nobody knows": frame(8, struct.pack(">H", 999)),
    "last words that are no UTF-8": frame(8, struct.pack(">H", 1000) + b"\xff\xff"),
    "pongs nobody asked for": frame(10, b"whatever") * 200,
    "pings": frame(9, b"p" * 125) * 500,
    "more than anyone could mean": frame(1, b'{"type":"Reach"}') * 1000,
    "noise": os.urandom(2000),
}


async def test_no_frame_breaks_a_table_or_fills_the_log(serve: Serve, listen: Listen) -> None:
    said = listen("warning")
    house = await serve(limits=msgspec.structs.replace(GENEROUS, messages=Rate(120, 60)))
    ann = await house.open("Ann")
    hello = frame(1, msgspec.json.encode(Hello(ann.ticket)))
    for bytes_ in FRAMES.values():
        for first in (b"", hello):
            reader, writer = await asyncio.open_connection("127.0.0.1", house.server.port)
            key = f"Sec-WebSocket-Key: {b64encode(os.urandom(16)).decode()}"
            writer.write(get(f"/ws/{ann.code}", *UPGRADE, "Sec-WebSocket-Version: 13", key))
            assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
            writer.write(first + bytes_)
            try:
                async with asyncio.timeout(0.05):
                    while await reader.read(65_536):
                        pass
            except (TimeoutError, ConnectionError):
                pass
            writer.transport.abort()
    page = await house.sit(ann)
    await page.say(AddBot(Level.GENTLE))
    await page.hear_table(lambda table: len(table.seats) == 2)
    assert said.text == ""


# Flooding.


async def test_frames_that_make_no_message_are_counted_too(serve: Serve) -> None:
    """Pieces of a message that never ends, with nothing in them: no message ever comes of them, but work does."""
    house = await serve(limits=msgspec.structs.replace(GENEROUS, incoming=Rate(100_000, 1)))
    ann = await house.open("Ann")
    reader, writer = await asyncio.open_connection("127.0.0.1", house.server.port)
    key = f"Sec-WebSocket-Key: {b64encode(os.urandom(16)).decode()}"
    writer.write(get(f"/ws/{ann.code}", *UPGRADE, "Sec-WebSocket-Version: 13", key))
    assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
    empty = frame(0, b"", fin=False)
    writer.write(frame(1, msgspec.json.encode(Hello(ann.ticket))) + frame(1, b"", fin=False))
    sent = 0
    heard = b""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while b"far too much at once" not in heard:
            writer.write(empty * 1_000)
            sent += 1_000 * len(empty)
            with suppress(TimeoutError):
                async with asyncio.timeout(0.01):
                    heard += await reader.read(65_536)
        assert sent < 2_000_000
        with suppress(ConnectionError):
            while await reader.read(65_536):
                pass
    writer.transport.abort()
    page = await house.sit(ann)
    await page.say(AddBot(Level.GENTLE))
    await page.hear_table(lambda table: len(table.seats) == 2)


@pytest.mark.parametrize("what", ["pace", "name"])
async def test_who_changes_his_mind_all_day_does_not_fill_the_disk(serve: Serve, what: str) -> None:
    """Every change round the game is written down, and a name is judged: they have a rate, slower than that of play.

    Of as many as a socket may say at once, by far not all are done.
    """
    house = await serve(limits=Limits())
    ann = await house.open("Ann")
    page = await house.sit(ann)
    before = len(await house.entries(ann.code))
    for number in range(Limits().messages.burst - 10):
        if what == "pace":
            await page.say(SetPace((Pace.RELAXED, Pace.NORMAL)[number % 2]))
        else:
            await page.say(Rename(1, f"Ann {number}"))
    await page.say(Act(Draw(1)))
    while (await page.hear(Refused)).code is not RefusalCode.NOT_NOW:
        pass
    assert len(await house.entries(ann.code)) - before < Limits().messages.burst // 2


COSTS: tuple[tuple[str, str, str, Any], ...] = (
    ("calls", "GET", "/api/tables", None),
    ("calls", "GET", "/api/me", None),
    ("calls", "GET", "/api/leaderboard/classic", None),
    ("openings", "POST", "/api/tables", {"name": "Ann"}),
    ("openings", "POST", "/api/quick", {"name": "Ann"}),
    ("newcomers", "POST", "/api/me", {}),
    ("proofs", "POST", "/api/recover", {"code": "K7WPX"}),
    ("proofs", "POST", "/api/passkeys", {"ticket": "a", "credential": {}}),
    ("misses", "GET", "/api/tables/K7WPXQ", None),
    ("misses", "POST", "/api/tables/K7WPXQ/join", {"name": "Ann"}),
)


async def test_whatever_costs_has_its_rate(serve: Serve) -> None:
    for limit, method, path, body in COSTS:
        house = await serve(limits=msgspec.structs.replace(GENEROUS, **{limit: Rate(2, 0.0)}))
        statuses = [(await house.call(method, path, body))[0] for _ in range(4)]
        assert 429 not in statuses[:2], (path, statuses)
        assert statuses[2:] == [429] * 2, (path, statuses)


async def test_what_one_person_may_change_has_its_rate(serve: Serve) -> None:
    house = await serve(limits=msgspec.structs.replace(GENEROUS, changes=Rate(3, 0.0), reports=Rate(3, 0.0)))
    for method, path, body in (
        ("PATCH", "/api/me", {"avatar": 1}),
        ("POST", "/api/me/codes", None),
        ("GET", "/api/me/export", None),
        ("POST", "/api/reports", {"code": "K7WPXQ", "seat": 1}),
    ):
        token, _ = await token_of(house)
        statuses = []
        for _ in range(5):
            async with house.session.request(method, house.url(path), json=body, headers=bearer(token)) as answer:
                statuses.append(answer.status)
        assert statuses[3:] == [429, 429], (path, statuses)


async def test_sockets_that_come_and_go_leave_nothing_behind(house: House) -> None:
    ann = await house.open("Ann")
    page = await house.sit(ann)
    for number in range(60):
        other = await house.dial(ann.code)
        if number % 3:
            await other.say(Hello())
        other.ws._response.connection.transport.abort()  # type: ignore[union-attr]
    room = house.room(ann.code)
    await until_true(lambda: not room.table.watchers)
    status, health = await house.call("GET", "/healthz")
    await until_true(lambda: len(list(room.sockets())) == 1)
    assert status == 200
    assert health["tables"] == 1
    await page.ws.close()


async def test_a_table_full_of_ghosts_sleeps_and_costs_nothing(serve: Serve) -> None:
    house = await serve(limits=msgspec.structs.replace(GENEROUS, empty_us=1, tables=10_000, tables_per_opener=10_000))
    for _ in range(20):
        await house.open("Ann", bots=["gentle", "steady", "sharp"], listed=True)
    await until_true(lambda: len(house.rooms) == 0)
    assert (await house.call("GET", "/api/tables"))[1]["tables"] == []


async def test_what_a_store_cannot_keep_breaks_nothing_on_either(store_url: str, serve: Serve, listen: Listen) -> None:
    """PostgreSQL keeps no NUL in a text, and half a character is none."""
    house = await serve(store_url)
    token, _ = await token_of(house)
    ann = await house.open("Ann", listed=True)
    said = listen("warning")
    broken = []
    for odd in ("\0", "a\0b", "\ud800", "'; DROP TABLE people; --", "\u202e", "%", "_", "\\"):
        quoted = quote(odd, errors="surrogatepass", safe="")
        calls: list[tuple[str, str, dict[str, Any] | None]] = [
            ("GET", f"/api/{path}{quoted}{rest}", None)
            for path, rest in (
                ("tables/", ""),
                ("games/", ""),
                ("games/", "/record"),
                ("leaderboard/", ""),
                ("me/games?before=", ""),
            )
        ]
        calls += [
            ("POST", "/api/tables", {"name": f"A{odd}"}),
            ("POST", f"/api/tables/{quoted}/join", {"name": "Ann"}),
            ("POST", f"/api/tables/{ann.code}/join", {"name": f"A{odd}"}),
            ("PATCH", "/api/me", {"name": f"A{odd}"}),
            ("POST", "/api/recover", {"code": odd}),
            ("POST", "/api/reports", {"code": ann.code, "seat": 1, "reason": odd}),
            ("POST", "/api/reports", {"code": odd, "seat": 1}),
            ("POST", "/api/passkeys", {"ticket": odd, "credential": {"id": odd}, "label": odd}),
            ("DELETE", f"/api/me/passkeys/{quoted}", None),
        ]
        for method, path, body in calls:
            url = URL(house.url("/") + path[1:], encoded=True)
            async with house.session.request(method, url, json=body, headers=bearer(token)) as answer:
                if answer.status >= 500:
                    broken.append((method, path, body))
    assert broken == []
    assert said.text == ""
    assert (await house.call("GET", "/api/me", headers=bearer(token)))[0] == 200


# Other pages, other hosts.


ORIGINS = ("https://evil.example", "null", "http://127.0.0.1.evil.example", "http://", "//", "x", "http://[::1")


EVERY_CALL = (
    ("POST", "/api/tables"), ("POST", "/api/me"), ("POST", "/api/quick"), ("POST", "/api/recover"), ("GET", "/api/me"),
    ("DELETE", "/api/me"), ("GET", "/api/me/export"), ("POST", "/api/reports"), ("GET", "/api/lobby"),
    ("POST", "/api/games/x/share"), ("POST", "/api/passkeys/options"),
)  # fmt: skip


async def test_a_page_of_another_site_gets_no_answer(house: House) -> None:
    for method, path in EVERY_CALL:
        for origin in ORIGINS:
            body = {"name": "Ann"} if method == "POST" else None
            status, answer = await house.call(method, path, body, headers={"Origin": origin})
            assert (status, answer["code"]) == (403, "bad-message"), (path, origin)


async def test_no_page_of_another_site_is_ever_allowed_to_read_or_to_be_us(house: House) -> None:
    for method, path in (("OPTIONS", "/api/me"), ("GET", "/api/editions"), ("GET", "/")):
        async with house.session.request(method, house.url(path)) as answer:
            assert not [name for name in answer.headers if name.lower().startswith("access-control-")]
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
            assert "Set-Cookie" not in answer.headers


# Losing data: a server killed at any instant. test_kills.py does it under play, hundreds of times.


async def test_who_was_answered_is_kept_though_the_server_is_killed_that_instant(tmp_path: Path) -> None:
    async with killable(tmp_path) as (url, process), aiohttp.ClientSession() as session:
        async with session.post(f"{url}api/me", json={"name": "Ann"}) as answer:
            token = (await answer.json())["token"]
        async with session.post(f"{url}api/tables", json={"name": "Ann"}, headers=bearer(token)) as answer:
            seated = await answer.json()
        process.kill()
        await process.wait()
    async with killable(tmp_path) as (url, process), aiohttp.ClientSession() as session:
        async with session.get(f"{url}api/me", headers=bearer(token)) as answer:
            assert (await answer.json())["name"] == "Ann"
        page = Guest(await session.ws_connect(f"{url}ws/{seated['code']}"))
        await page.say(Hello(seated["ticket"]))
        welcome = await page.hear(Welcome)
        assert welcome.seat == seated["seat"]
        assert welcome.table.seats[0].presence is Presence.HERE
        process.terminate()
        bye = await page.hear_out()
        assert bye is not None
        assert bye.reason is ByeReason.RESTART


class killable:  # noqa: N801 - reads as what it is
    """A server as a process of its own, on the data of this folder."""

    def __init__(self, data: Path, stderr: int | None = None) -> None:
        self._data = data
        self._stderr = stderr

    async def __aenter__(self) -> tuple[str, asyncio.subprocess.Process]:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", "from slamomatic.cli import main; main()", "serve", "--port", "0", "--data",
            str(self._data), "--name", "one", stdout=asyncio.subprocess.PIPE, stderr=self._stderr,
            env={name: value for name, value in os.environ.items() if name != "DATABASE_URL"},
        )  # fmt: skip
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE_SECONDS):
            line = (await self._process.stdout.readline()).decode()
        return line.split()[-1], self._process

    async def __aexit__(self, *_: object) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()
