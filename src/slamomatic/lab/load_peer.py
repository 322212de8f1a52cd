"""The peer: a bare Node loop on the `ws` package, fed with the moves of a game of ours."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

from slamomatic.lab.load_house import NoServer, opened, running
from slamomatic.lab.load_players import HANDS
from slamomatic.table.calls import Seated

FILES = ("package.json", "package-lock.json", "server.mjs")
INSTALL = ("ci", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--loglevel=error")
INSTALL_SECONDS = 120


class NoPeer(RuntimeError):
    """It cannot be had here; the message says why."""


@contextmanager
def ws_loop(copies: Sequence[tuple[int, int, bytes]], folder: Path, core: int | None) -> Iterator[str]:
    """The address of the loop, which tells these moves in a circle: each one's number, whose copy, and its bytes.

    Raises:
        NoPeer: Node, npm or the package is not to be had.
    """
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise NoPeer("Node is not installed")
    shipped = files("slamomatic.lab").joinpath("data", "ws_loop")
    for name in FILES:
        (folder / name).write_bytes(shipped.joinpath(name).read_bytes())
    moves = folder / "moves.json"
    moves.write_text(json.dumps(_moves(copies)))
    try:
        subprocess.run(
            [npm, *INSTALL],
            cwd=folder,
            check=True,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=INSTALL_SECONDS,
        )
    except (OSError, subprocess.SubprocessError) as error:
        said = (getattr(error, "stderr", None) or b"").decode(errors="replace").strip()
        raise NoPeer(f"npm cannot install the ws package: {said.splitlines()[0] if said else error}") from None
    with running([node, str(folder / "server.mjs"), str(moves)], None, core) as process:
        try:
            url = opened(process)
        except NoServer:
            raise NoPeer("the Node loop does not start") from None
        yield url


def seats(tables: int) -> list[list[Seated]]:
    """So many tables in the loop, which lets anyone sit down anywhere."""
    return [
        [Seated(f"T{table}", seat, "a ticket nobody asks for") for seat in range(1, HANDS + 1)]
        for table in range(tables)
    ]


def _moves(copies: Sequence[tuple[int, int, bytes]]) -> list[list[object]]:
    """Those of them that all four were told, and that wait for a move of somebody."""
    told: defaultdict[int, dict[int, bytes]] = defaultdict(dict)
    for seq, seat, data in copies:
        told[seq][seat] = data
    moves = [[json.loads(data) for data in views.values()] for views in told.values() if len(views) == HANDS]
    return [views for views in moves if any(view["view"]["legal"] for view in views)]
