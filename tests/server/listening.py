"""What a server's log says, for a test to read."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import structlog

from slamomatic.server import logs


class Said:
    """What came out of the log."""

    def __init__(self) -> None:
        self.stream = io.StringIO()

    @property
    def text(self) -> str:
        return self.stream.getvalue()

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.text.splitlines()]


Listen = Callable[..., Said]


@contextmanager
def listening() -> Iterator[Listen]:
    """Sets the log up as the server does, as often as one likes, and leaves everything as it was."""
    root, ours = logging.getLogger(), logging.getLogger("slamomatic")
    handlers, level, our_level = root.handlers[:], root.level, ours.level

    def begin(level: str = "debug", form: str = "json") -> Said:
        said = Said()
        logs.configure(level, form, said.stream)
        return said

    try:
        yield begin
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        ours.setLevel(our_level)
        logging.captureWarnings(False)
        structlog.reset_defaults()
