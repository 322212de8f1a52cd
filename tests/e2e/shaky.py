"""A house that falls and is put up again: the real server, killed or stopped, and started anew on what it has kept."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.house import BOT_HASTE, GREETING, NO_TROUBLE


class ShakyHouse:
    """One server after the other, at one address, on one database."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with socket.socket() as door:  # a port nobody has, as long as the house stands
            door.bind(("localhost", 0))
            self._port: int = door.getsockname()[1]
        self._server: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        return f"http://localhost:{self._port}/"

    def open(self) -> None:
        """Start it.

        Raises:
            AssertionError: it did not start.
        """
        slamomatic = Path(sys.executable).with_name("slamomatic")
        options = {
            "--host": "localhost",
            "--port": str(self._port),
            "--data": str(self._folder / "data"),
            "--bot-haste": str(BOT_HASTE),
        }
        command = [str(slamomatic), "serve", *(word for option in options.items() for word in option)]
        settings = {
            name: value for name, value in os.environ.items() if not name.startswith(("SLAMOMATIC_", "DATABASE_"))
        }
        with self._log.open("a") as stderr:
            self._server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True, env=settings)
        assert self._server.stdout is not None
        assert self._server.stdout.readline().startswith(GREETING), self._log.read_text()

    def kill(self) -> None:
        """It is gone between two instructions: ``kill -9``."""
        assert self._server is not None
        self._server.kill()
        self._server.communicate()
        self._server = None

    def stop(self) -> None:
        """It is asked to go, as for a deploy: ``SIGTERM``.

        Raises:
            AssertionError: it did not go well.
        """
        assert self._server is not None
        self._server.terminate()
        self._server.communicate(timeout=20)
        assert self._server.returncode == 0, self._log.read_text()
        self._server = None

    def close(self) -> None:
        """For good.

        Raises:
            AssertionError: it told of trouble while it stood.
        """
        if self._server is not None:
            self.stop()
        trouble = [line for line in self._log.read_text().splitlines() if NO_TROUBLE not in line]
        assert not trouble, trouble

    @property
    def _log(self) -> Path:
        return self._folder / "stderr.txt"


@contextmanager
def shaky_house(folder: Path) -> Iterator[ShakyHouse]:
    """An open one."""
    house = ShakyHouse(folder)
    house.open()
    try:
        yield house
    finally:
        house.close()
