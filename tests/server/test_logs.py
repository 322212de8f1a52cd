"""The log: one event a line, everything in it by one way, and no secret, however hard someone tries."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import re
import secrets
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import structlog
from aiohttp import web
from hypothesis import given, settings
from hypothesis import strategies as st

from slamomatic.server import codes, logs
from slamomatic.server.people.codes import new_codes
from slamomatic.server.people.tokens import Keyring, new_id
from slamomatic.table.protocol import Hello
from tests.server.guests import Serve
from tests.server.listening import Listen, Said, listening

TICKET = "8TBhYvroaqtonghFZfTu54VF_DhnvW84"
CODE = "K7WPXQ"


@pytest.fixture
def listen() -> Iterator[Listen]:
    """Sets the log up as the server does, for this test alone."""
    with listening() as listen:
        yield listen


log = logging.getLogger("slamomatic.server.room")


# What comes out, and where.


def test_every_event_is_one_line_of_json_with_its_time_level_and_place(listen: Listen) -> None:
    said = listen()
    log.warning("a sweep broke off after %d tables", 3)
    (event,) = said.events
    assert event["event"] == "a sweep broke off after 3 tables"
    assert (event["level"], event["logger"]) == ("warning", "slamomatic.server.room")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", event["time"])


def test_people_at_a_terminal_get_lines_to_read_and_everyone_else_json(
    listen: Listen, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = listen(form="auto")
    log.warning("hello")
    assert json.loads(said.text)["event"] == "hello"
    said = Said()
    monkeypatch.setattr(said.stream, "isatty", lambda: True)
    logs.configure("info", "auto", said.stream)
    log.warning("hello")
    assert "hello" in said.text
    assert not said.text.startswith("{")


def test_libraries_and_python_itself_take_the_same_way_out(listen: Listen) -> None:
    said = listen()
    logging.getLogger("asyncio").error("ticket=%s", TICKET)
    structlog.get_logger("slamomatic.somewhere").info("told", table=CODE, places=4)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn("this is old", DeprecationWarning, stacklevel=1)
    asyncios, structured, warned = said.events
    assert asyncios["logger"] == "asyncio"
    assert TICKET not in asyncios["event"]
    assert structured["table"] == logs.mark(CODE)
    assert structured["places"] == 4
    assert "this is old" in warned["event"]


def test_libraries_do_not_tell_what_they_carry_whatever_the_level(listen: Listen) -> None:
    said = listen("debug")
    logging.getLogger("aiosqlite").debug("executing %r", "INSERT …")
    logging.getLogger("sqlalchemy.engine.Engine").info("[raw sql] %r", ("Ann",))
    assert said.text == ""
    log.debug("ours is told")
    assert len(said.events) == 1


def test_the_level_holds(listen: Listen) -> None:
    said = listen("error")
    log.warning("no")
    logging.getLogger("aiohttp.server").warning("no")
    log.error("yes")
    assert [event["event"] for event in said.events] == ["yes"]


def test_setting_it_up_again_replaces_what_was(listen: Listen) -> None:
    first, second = listen(), listen()
    log.warning("once")
    assert first.text == ""
    assert len(second.events) == 1


# Exceptions.


def broken() -> None:
    try:
        raise ValueError(f"no seat for {TICKET}")
    except ValueError as error:
        error.add_note(f"at table {CODE}")
        raise KeyError("seat") from error


def test_an_exception_is_one_event_with_where_it_was_and_what_it_came_of(listen: Listen) -> None:
    said = listen()
    try:
        broken()
    except KeyError:
        log.exception("a table broke")
    (event,) = said.events
    outer, inner = event["exception"]
    assert (outer["type"], outer["text"]) == ("KeyError", "'seat'")
    assert inner["type"] == "ValueError"
    assert outer["at"][-1].endswith(" in broken")
    assert TICKET not in said.text
    assert CODE not in said.text


def test_a_group_of_exceptions_tells_each(listen: Listen) -> None:
    said = listen()
    try:
        raise ExceptionGroup("several", [ValueError("one"), ExceptionGroup("more", [OSError("two")])])
    except ExceptionGroup:
        log.exception("it broke")
    (event,) = said.events
    assert event["exception"][0]["of"][0]["text"] == "one"
    assert event["exception"][0]["of"][1]["of"][0]["text"] == "two"


def test_on_a_terminal_an_exception_cannot_pass_for_an_event(listen: Listen) -> None:
    said = listen(form="text")
    try:
        raise ValueError("x\n2030-01-01T00:00:00Z [info] all is well\x1b[2J")
    except ValueError:
        log.exception("it broke")
    first, *rest = said.text.splitlines()
    assert "it broke" in first
    assert rest
    assert all(line.startswith("  ") for line in rest)
    assert "\x1b" not in said.text


# Secrets.


def leaks(secret: str) -> list[Callable[[], None]]:
    """Every way someone careless could bring this into the log."""

    def as_exception() -> None:
        try:
            raise RuntimeError(f"cannot read {secret} there")
        except RuntimeError:
            log.exception("it broke")

    def as_cause() -> None:
        try:
            try:
                raise ValueError(secret)
            except ValueError as error:
                raise OSError("while reading") from error
        except OSError:
            log.exception("it broke")

    def as_local() -> None:
        held = secret
        try:
            raise ValueError(len(held))
        except ValueError:
            log.exception("it broke")

    return [
        lambda: log.warning("got %s", secret),
        lambda: log.warning("got %r", secret),
        lambda: log.warning(f"got {secret}"),
        lambda: log.warning("got %(what)s", {"what": secret}),
        lambda: log.warning("got", extra={"thing": secret}),
        lambda: log.warning("got", extra={"thing": {"inner": [secret]}}),
        lambda: log.warning("got %s", [secret]),
        lambda: log.warning("got %s", ValueError(secret)),
        lambda: structlog.get_logger("slamomatic").warning("got", thing=secret),
        lambda: structlog.get_logger("slamomatic").warning("got %s", secret),
        as_exception,
        as_cause,
        as_local,
    ]


_keys = Keyring(secrets.token_bytes(32))

SECRETS: dict[str, Callable[[], str]] = {
    "ticket": codes.new_ticket,
    "token": lambda: _keys.token(new_id()),
    "signature of a token": lambda: _keys.token(new_id()).rpartition(".")[2],
    "hexadecimal key": lambda: secrets.token_hex(32),
    "table code": codes.new_code,
    "recovery code": lambda: new_codes()[0],
    "recovery code in small letters": lambda: str.lower(new_codes()[0]),
    "recovery code without hyphens": lambda: str.replace(new_codes()[0], "-", ""),
}


@pytest.mark.parametrize("form", ["json", "text"])
@pytest.mark.parametrize("kind", SECRETS)
def test_no_secret_leaves_by_what_it_looks_like(listen: Listen, kind: str, form: str) -> None:
    for number in range(len(leaks(""))):
        for _ in range(20):
            secret = SECRETS[kind]()
            said = listen(form=form)
            leaks(secret)[number]()
            assert said.text
            assert secret not in said.text, said.text


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("GET /api/me?token=abc broke", "abc"),
        ("GET /ws/x?abc broke", "abc"),
        ("https://play.example.org/slam/?join=me", "join"),
        ("Authorization: Basic QW5uOnB3", "QW5uOnB3"),
        ("headers {'authorization': 'x y'}", "x y"),
        ("Bearer abc.def", "abc.def"),
        ("Cookie: a=b; c=d", "c=d"),
        ("cannot reach postgresql+asyncpg://slam:pa55@db/slam", "pa55"),
        ("Hello(ticket='short', since=None)", "short"),
        ('{"type":"Hello","ticket":"short"}', "short"),
        ("Invalid message b'{\"type\":\"Say\",\"emote\":\"wow\"}'", "wow"),
        ('[{"cards":[3,3]}]', "3,3"),
        ("Player(seat=1, hand=(2, 4, 6), laid=())", "2, 4"),
        ("State(pile=(7, 7), turn=1)", "7, 7"),
        ("recovery_code=abc", "abc"),
        ("token: 'a b c'", "a b c"),
        ("[SQL: UPDATE people SET name=?] [parameters: ('Ann', 3)]", "Ann"),
    ],
)  # fmt: skip
def test_what_carries_a_secret_is_known_by_its_shape(listen: Listen, text: str, secret: str) -> None:
    said = listen()
    log.warning("%s", text)
    log.warning(text.replace("%", "%%"))
    try:
        raise ValueError(text)
    except ValueError:
        log.exception("it broke")
    assert secret not in said.text


@pytest.mark.parametrize(
    "name",
    ["token", "Authorization", "ticket", "guest_ticket", "recovery_codes", "body", "message_body", "set-cookie",
     "hand", "password", "secret_key", "query", "credential", "payload"],
)  # fmt: skip
@pytest.mark.parametrize("value", ["abc", 123, b"abc", ["abc"], {"a": "abc"}, Hello("abc" * 6)])
def test_what_goes_by_a_secret_name_is_not_told_whatever_it_is(listen: Listen, name: str, value: object) -> None:
    said = listen()
    structlog.get_logger("slamomatic").warning("got", **{name: value})
    structlog.get_logger("slamomatic").warning("got", headers={name: value})
    log.warning("got %(" + name + ")s", {name: value})
    assert len(said.events) == 3
    assert "abc" not in said.text
    assert "123" not in re.sub(r'"time": "[^"]*"', "", said.text)


def test_messages_and_bytes_are_told_by_their_type_alone(listen: Listen) -> None:
    said = listen()
    log.warning("got %s and %s", Hello("a-ticket-of-sixteen"), b"abc")
    log.warning("got", extra={"thing": Hello("a-ticket-of-sixteen")})
    assert said.events[0]["event"] == "got ‹Hello› and ‹bytes›"
    assert said.events[1]["thing"] == "‹Hello›"


def test_a_table_is_told_by_a_mark_that_is_always_the_same_and_no_way_back(listen: Listen) -> None:
    said = listen()
    log.warning("table %s broke", CODE)
    log.warning("it broke", extra={"code": CODE.lower()})
    first, second = said.events
    assert first["event"] == f"table {logs.mark(CODE)} broke"
    assert second["code"] == logs.mark(CODE)
    assert len({logs.mark(codes.new_code()) for _ in range(1000)}) > 990


def test_what_is_no_secret_stays_readable(listen: Listen) -> None:
    said = listen()
    texts = [
        "GET /api/tables/{code}/join broke",
        "a socket of table broke: ConnectionResetError",
        "slamomatic.server.storage.database: SQLAlchemyOperationalError in test_a_long_name_of_a_function_17",
        "the database cannot be reached: try again in a moment (3 of 10)",
        "/usr/lib/python3.11/site-packages/slamomatic/server/static/index.html",
        "took 346 ms; 1,250 tables; p99.9 = 4.2",
    ]
    for text in texts:
        log.warning(text)
    assert [event["event"] for event in said.events] == texts


@settings(max_examples=300, deadline=None)
@given(st.text(), st.sampled_from(["json", "text"]))
def test_nobody_outside_writes_lines_of_his_own(text: str, form: str) -> None:
    stream = io.StringIO()
    handler = _handler(stream, form)
    record = logging.LogRecord("slamomatic", logging.WARNING, __file__, 1, "got %s", (text,), None)
    handler.handle(record)
    lines = stream.getvalue().split("\n")
    assert len(lines) == 2, "one event, one line"
    assert lines[1] == ""
    assert re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202e]", lines[0]) is None
    assert len(lines[0]) < 10 * logs.MAX_TEXT


def _handler(stream: io.StringIO, form: str) -> logging.Handler:
    """A handler as the server's, with nothing else set up: for hundreds of examples."""
    with listening():
        logs.configure("debug", form, stream)
        return logging.getLogger().handlers[0]


def test_half_a_secret_at_the_end_of_a_long_text_is_not_told_either(listen: Listen) -> None:
    for before in range(logs.MAX_TEXT - 40, logs.MAX_TEXT + 5):
        said = listen()
        log.warning("%s", "x" * (before - 20) + " " * 20 + TICKET + " and more")
        assert TICKET[:6] not in said.text


# Requests.


async def test_what_is_logged_in_a_request_says_which_without_its_code(listen: Listen) -> None:
    said = listen()

    async def handler(request: web.Request) -> web.StreamResponse:
        log.warning("looked at")
        return web.Response()

    async with served(handler) as port:
        await ask(port, f"GET /api/tables/{CODE}?secret=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        await ask(port, b"GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    looked, answered, missed = said.events
    assert looked["route"] == answered["route"] == "GET /api/tables/{code}"
    assert looked["request"] == answered["request"] != missed["request"]
    assert looked["table"] == logs.mark(CODE)
    assert answered["status"] == 200
    assert answered["ms"] >= 0
    assert missed["status"] == 404
    assert CODE not in said.text
    assert "secret" not in said.text


BAD_REQUESTS = {
    "an over-long URL": b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "no HTTP at all": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 50 + b"\r\n\r\n",
    "an over-long header": b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 20_000 + b"\r\n\r\n",
    "a header without a name": b"GET / HTTP/1.1\r\n: x\r\n\r\n",
    "a request cut off by another": b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGE\x00T / HTTP/1.1\r\n\r\n",
    "a wrong length": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
    "two lengths": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
    "a version of its own": b"GET / HTTP/9\r\n\r\n",
    "a line of its own": b"GET / HTTP/1.1\r\nHost: x\r\nX: a\rb\r\n\r\n",
}


@pytest.mark.parametrize("request_", BAD_REQUESTS.values(), ids=BAD_REQUESTS.keys())
async def test_a_request_that_is_none_is_no_error_of_ours(listen: Listen, request_: bytes) -> None:
    said = listen("warning")

    async def handler(request: web.Request) -> web.StreamResponse:
        return web.Response()

    async with served(handler) as port:
        answer = await ask(port, request_)
    assert b"HTTP/1.1 400 " in answer or b"HTTP/1.0 400 " in answer
    assert said.text == ""


async def test_when_debugging_one_hears_of_it_in_a_line(listen: Listen) -> None:
    said = listen("debug")

    async def handler(request: web.Request) -> web.StreamResponse:
        return web.Response()

    async with served(handler) as port:
        await ask(port, BAD_REQUESTS["an over-long URL"])
    told = [event for event in said.events if event["event"] == "not a request"]
    assert [event["why"] for event in told] == ["LineTooLong"]
    assert "exception" not in said.text


async def test_an_error_of_ours_in_a_request_is_told_all_the_same(listen: Listen) -> None:
    said = listen("warning")

    async def handler(request: web.Request) -> web.StreamResponse:
        raise ValueError("ours")

    async with served(handler) as port:
        assert b" 500 " in await ask(port, b"GET /api/tables/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    (event,) = said.events
    assert event["exception"][0]["text"] == "ours"


async def test_the_server_itself_says_nothing_at_the_level_it_starts_with(listen: Listen, serve: Serve) -> None:
    said = listen("warning")
    house = await serve()
    for request in BAD_REQUESTS.values():
        await ask(house.server.port or 0, request)
    assert (await house.call("POST", "/api/tables", {"name": "Ann"}))[0] == 201
    assert said.text == ""


def test_the_command_line_offers_what_there_is() -> None:
    for level in logs.LEVELS:
        assert isinstance(getattr(logging, level.upper()), int)
    for form in logs.FORMATS:
        stream = io.StringIO()
        assert _handler(stream, form).formatter is not None


class served:  # noqa: N801 - reads as a verb
    """A small application with the request context of the server, on a port of loopback."""

    def __init__(self, handler: Callable[[web.Request], Any]) -> None:
        app = web.Application(middlewares=[logs.context])
        app.router.add_get("/api/tables/{code}", handler)
        self._runner = web.AppRunner(app, access_log=None)

    async def __aenter__(self) -> int:
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        return int(self._runner.addresses[0][1])

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()


async def ask(port: int, request: bytes) -> bytes:
    """Send these bytes; what comes back until the server hangs up."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    try:
        async with asyncio.timeout(10):
            return await reader.read()
    except ConnectionError:
        return b""
    finally:
        writer.close()
