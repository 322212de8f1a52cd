"""What the server tells whoever runs it: one event a line, and no secret in any.

Laws of this room:
- everything that is logged, by us or by a library, takes the same way out: :func:`configure` sets it up once;
- a secret is dropped twice over: by the name it goes by, and by what it looks like wherever it stands, in the text of
  an exception too. What is neither text nor a number is told by its type alone;
- the code of a table is the key to it: only a mark of it is told, the same for as long as the process lives;
- nobody outside writes lines of his own: control characters are escaped, and text is cut where it is long;
- what strangers bring about at will is no error of ours, and fills no disk: of a request that is none one hears only
  when debugging.
"""

from __future__ import annotations

import hashlib
import logging
import re
import secrets
import sys
from collections.abc import Iterator, Mapping
from enum import Enum
from http import HTTPStatus
from pathlib import PurePath
from typing import Any, TextIO, cast

import structlog
from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.typedefs import Handler
from structlog.contextvars import bound_contextvars, merge_contextvars
from structlog.processors import ExceptionRenderer, JSONRenderer, TimeStamper
from structlog.stdlib import ProcessorFormatter, add_log_level, add_logger_name
from structlog.tracebacks import Stack, extract
from structlog.typing import EventDict, ExcInfo, Processor, WrappedLogger

from slamomatic.server.clock import now_us
from slamomatic.server.codes import ALPHABET, CODE_LENGTH
from slamomatic.server.people.codes import GROUP, GROUPS

LEVELS = ("debug", "info", "warning", "error")
FORMATS = ("auto", "json", "text")
"""``auto``: lines to read on a terminal, JSON everywhere else."""

SECRET = "‹secret›"
MAX_TEXT = 2_000
"""So much of one text is told."""
MAX_FRAMES = 30

_KEYS = frozenset(
    (
        "authorization", "body", "card", "cards", "cookie", "credential", "credentials", "data", "hand", "hands", "key",
        "keys", "message", "password", "payload", "pile", "query", "recovery", "secret", "secrets", "state", "ticket",
        "tickets", "token", "tokens", "view",
    )
)  # fmt: skip
"""A value that goes by a name with one of these words in it is not told, whatever it is."""
_CODE_KEYS = frozenset(("code", "table"))

_MARK_KEY = secrets.token_bytes(16)
"""Codes are short: without a key of this process's own, whoever reads a mark could try them all."""

_RUN = re.compile(r"(?<![\w-])[\w-]{16,}(?![\w-])", re.ASCII)
_WORDS = re.compile(r"[a-z0-9_-]*|[A-Z0-9_-]*|_*(?:[A-Z]+[a-z]{2,}|[A-Z]{2,}$)+", re.ASCII)
_HEX = re.compile(r"(?=.*[0-9])[0-9a-f-]{24,}")
_SHAPES: tuple[tuple[re.Pattern[str], str], ...] = (
    # A message, or any other object as text: what comes after it may be more of it.
    (re.compile(r"[\[{]\s*\\*[\"'{].*", re.DOTALL), "{…}"),
    # What SQLAlchemy quotes of a statement that failed.
    (re.compile(r"\[parameters: .*", re.DOTALL), "[parameters: …]"),
    (re.compile(r"\b(authorization|cookie)\b[\"']?\s*[:=].*", re.IGNORECASE), rf"\1: {SECRET}"),
    (re.compile(r"\bbearer\s+\S+", re.IGNORECASE), f"Bearer {SECRET}"),
    # name=value, as a struct is printed, or name: value.
    (
        re.compile(
            r"\b((?:\w*_)?(?:tickets?|tokens?|secrets?|passwords?|credentials?|recovery|hands?|pile|cards?)(?:_\w*)?)"
            r"(?:[\"']?=|[\"']?: *)(?:\([^)]*\)?|\"[^\"]*\"?|'[^']*'?|[^\s,)]+)",
            re.IGNORECASE,
        ),
        rf"\1={SECRET}",
    ),
    (re.compile(r"://[^\s/]*@"), f"://{SECRET}@"),
    (re.compile(r"(/[^\s?\"'<>]*)\?[^\s\"'<>]+"), r"\1?…"),
    # A recovery code, however it was typed.
    (
        re.compile(
            rf"(?<![A-Za-z0-9])(?:[{ALPHABET}][ -]?){{{GROUPS * GROUP - 1}}}[{ALPHABET}](?![A-Za-z0-9])", re.IGNORECASE
        ),
        SECRET,
    ),
)
_CODE = re.compile(rf"(?<![A-Za-z0-9])[{ALPHABET}]{{{CODE_LENGTH}}}(?![A-Za-z0-9])", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")

log = logging.getLogger(__name__)


def configure(level: str, form: str = "auto", stream: TextIO | None = None) -> None:
    """Send everything that is logged to ``stream`` (standard error), from this level up.

    The level is that of our own rooms; libraries are heard from ``warning`` up, for some of them tell what they carry.
    May be called again: what was set up before is replaced.
    """
    stream = stream or sys.stderr
    if form == "auto":
        form = "text" if stream.isatty() else "json"
    stamp = TimeStamper(fmt="iso", utc=True, key="time")
    first: list[Processor] = [stamp, add_log_level, add_logger_name, merge_contextvars]
    lines: list[Processor] = (
        [JSONRenderer(ensure_ascii=False)]
        if form == "json"
        else [_exceptions_as_lines, structlog.dev.ConsoleRenderer(colors=stream.isatty(), timestamp_key="time")]
    )
    formatter = ProcessorFormatter(
        foreign_pre_chain=[*first, structlog.stdlib.ExtraAdder()],
        pass_foreign_args=True,
        use_get_message=False,
        processors=[
            ProcessorFormatter.remove_processors_meta,
            ExceptionRenderer(_exception),
            discreet,
            *lines,
        ],
    )
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *first,
            structlog.dev.set_exc_info,
            ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter)
    handler.addFilter(_is_ours_to_tell)
    threshold = getattr(logging, level.upper())
    root = logging.getLogger()
    for older in root.handlers[:]:
        root.removeHandler(older)
    root.addHandler(handler)
    root.setLevel(max(threshold, logging.WARNING))
    logging.getLogger("slamomatic").setLevel(threshold)
    logging.captureWarnings(True)


def mark(code: str) -> str:
    """What a table is called in the log: the same until the server is started anew, and no way back to its code."""
    return (
        "#" + hashlib.blake2s(code.strip().upper().encode(errors="replace"), key=_MARK_KEY, digest_size=4).hexdigest()
    )


@web.middleware
async def context(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Whatever is logged while a request is worked on says which one; the outermost of the middlewares."""
    resource = request.match_info.route.resource
    about = {"request": secrets.token_hex(4), "route": f"{request.method} {resource.canonical if resource else '?'}"}
    if "code" in request.match_info:
        about["table"] = request.match_info["code"]  # only its mark is told, as of all codes
    with bound_contextvars(**about):
        began_us = now_us()
        status = HTTPStatus.INTERNAL_SERVER_ERROR.value
        try:
            response = await handler(request)
            status = response.status
        except web.HTTPException as error:
            status = error.status
            raise
        finally:
            log.info("answered", extra={"status": status, "ms": round((now_us() - began_us) / 1000, 1)})
    return response


def discreet(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """The event without its secrets; what a library wanted filled into its text is filled in."""
    args = event.pop("positional_args", None)
    if args:
        event["event"] = _filled(event["event"], args)
    return {_clean(name): _told(name, value) for name, value in event.items()}


def _filled(text: object, args: object) -> str:
    """A text with its arguments, each made discreet before: afterwards nobody could tell them from the text."""
    by_name = args[0] if isinstance(args, tuple) and len(args) == 1 and isinstance(args[0], Mapping) else args
    told: Any
    if isinstance(by_name, Mapping):
        told = {name: _fitting(name, value) for name, value in by_name.items()}
    else:
        told = tuple(_fitting("", value) for value in cast(tuple[object, ...], by_name))
    try:
        return cast(str, str(text) % told)
    except (TypeError, ValueError, KeyError):
        return f"{text} {told}"


def _fitting(name: str, value: object) -> object:
    """The same kind of thing where a text may want a number of it."""
    return value if isinstance(value, bool | int | float) and not _words(name) & _KEYS else _told(name, value)


def _told(name: object, value: object) -> Any:
    """What is told of the value that goes by this name."""
    words = _words(name)
    match value:
        case None | bool():
            return value
        case str() if words & _CODE_KEYS:
            return mark(value)
        case _ if words & _KEYS:
            return SECRET
        case Enum() | PurePath() | BaseException():
            return _clean(str(value))
        case int() | float():
            return value
        case str():
            return _clean(value)
        case Mapping():
            return {_clean(str(key)): _told(key, part) for key, part in value.items()}
        case list() | tuple() | set() | frozenset():
            return [_told("", part) for part in value]
        case _:
            return f"‹{type(value).__name__}›"


def _words(name: object) -> set[str]:
    return set(re.split(r"[^a-z]+", str(name).lower()))


def _clean(text: str) -> str:
    """A text without what looks like a secret, on one line."""
    if len(text) > MAX_TEXT:  # cut between words: half a secret looks like none
        text = f"{text[:MAX_TEXT].rpartition(' ')[0]} …"
    for shape, instead in _SHAPES:
        text = shape.sub(instead, text)
    text = _RUN.sub(lambda run: run[0] if _is_name(run[0]) else SECRET, text)
    text = _CODE.sub(lambda code: mark(code[0]), text)
    return _CONTROL.sub(lambda character: ascii(character[0])[1:-1], text)


def _is_name(run: str) -> bool:
    """Whether a long run of letters and figures is what programmers call things, and not drawn by lot."""
    return _WORDS.fullmatch(run) is not None and _HEX.fullmatch(run) is None


def _exception(exc_info: ExcInfo) -> list[dict[str, Any]]:
    """An exception as one thing: itself and what it came of, each with where it was, and no value of any variable."""
    return [_link(stack) for stack in extract(*exc_info).stacks]


def _link(stack: Stack) -> dict[str, Any]:
    frames = stack.frames[-MAX_FRAMES:]
    link: dict[str, Any] = {
        "type": stack.exc_type,
        "text": " ".join((stack.exc_value, *stack.exc_notes)),
        "at": [f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in frames],
    }
    if stack.exceptions:
        link["of"] = [_link(part) for trace in stack.exceptions[:MAX_FRAMES] for part in trace.stacks]
    return link


def _exceptions_as_lines(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """For a terminal: the same, one under another, all of it indented: none can pass for an event."""
    links = event.get("exception")
    if isinstance(links, list):
        event["exception"] = "\n".join(_link_as_lines(links, "  "))
    return event


def _link_as_lines(links: list[dict[str, Any]], indent: str) -> Iterator[str]:
    for link in links:
        yield f"{indent}{link['type']}: {link['text']}"
        yield from (f"{indent}  {place}" for place in link["at"])
        yield from _link_as_lines(link.get("of", []), indent + "    ")


def _is_ours_to_tell(record: logging.LogRecord) -> bool:
    """Not what aiohttp calls an error, and tells with a traceback, when a stranger has sent what is no request."""
    error = record.exc_info[1] if record.exc_info else None
    if record.name != "aiohttp.server" or not isinstance(error, HttpProcessingError | web.RequestPayloadError):
        return True
    log.debug("not a request", extra={"why": type(error).__name__})
    return False
