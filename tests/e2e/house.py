"""The real server in a process of its own, as an operator starts it, on a free loopback port."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

BOT_HASTE = 10
"""Bots think so many times as fast as people; their hands, and so every race, are as ever."""
GREETING = "Slam-o-matic is open: "
NO_TROUBLE = "the connection of hand"
"""What a server says of players' connections is no trouble of its own."""


@contextmanager
def open_house(log: Path, tap: Path | None = None) -> Iterator[str]:
    """The address of a running server that keeps what it keeps beside its log.

    ``tap``: what it heard from pages is in this file when it is closed.

    Raises:
        AssertionError: the server did not start, or told of any trouble while it ran.
    """
    slamomatic = Path(sys.executable).with_name("slamomatic")
    door = [str(slamomatic)] if tap is None else [sys.executable, "-m", "tests.e2e.tap", str(tap)]
    data = str(log.with_suffix(".data"))
    command = [*door, "serve", "--host", "localhost", "--port", "0", "--bot-haste", str(BOT_HASTE), "--data", data]
    settings = {name: value for name, value in os.environ.items() if not name.startswith(("SLAMOMATIC_", "DATABASE_"))}
    with (
        log.open("w") as stderr,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True, env=settings) as server,
    ):
        try:
            assert server.stdout is not None
            greeting = server.stdout.readline()  # or the empty end of a server that did not start
            assert greeting.startswith(GREETING), log.read_text()
            yield greeting.removeprefix(GREETING).strip()
        finally:
            server.terminate()
            server.communicate(timeout=20)
    trouble = [line for line in log.read_text().splitlines() if NO_TROUBLE not in line]
    assert not trouble, trouble
    assert server.returncode == 0
