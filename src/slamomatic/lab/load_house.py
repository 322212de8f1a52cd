"""The server under measurement: the one everybody runs, in a process of its own, looked at from outside.

Laws of this room:
- it is started by its own command and told what it is told by its own options: nothing in it knows of a measurement but
  the file of verdicts it is asked to write;
- where the system allows, it has one core, and the players have the others;
- whatever happens, it is stopped, and nothing of it stays.
"""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec

from slamomatic.lab.load_postgres import postgres

SERVE = (sys.executable, "-c", "from slamomatic.cli import main; main()", "serve")
STOP_SECONDS = 30.0
ENDLESS = {"burst": 10**9, "per_second": 10**9}
NO_LIMITS = {
    "tables": 10**6,
    "tables_per_opener": 10**6,
    "sockets_per_address": 10**6,
    "calls": ENDLESS,
    "openings": ENDLESS,
    "misses": ENDLESS,
    "asides": ENDLESS,
    "names": ENDLESS,
    "messages": ENDLESS,
}
"""All players come from one address here, and some act faster than people; whatever else is limited stays so."""


class NoServer(RuntimeError):
    """It does not run; the message says why."""


class Sent(NamedTuple):
    """A verdict as the server traced it; in microseconds of the machine's steady clock."""

    due_us: int
    """From when on the unit would give it, by its own rules, whatever had arrived."""
    touched_us: int
    """When the last touch of its race arrived, by the server's stamp; 0: nobody touched."""
    sent_us: int
    """When its bytes had been handed to the connections."""


class House:
    """A running server."""

    def __init__(self, url: str, process: subprocess.Popen[bytes], trace: Path | None = None) -> None:
        self.url = url
        self._process = process
        self._trace = trace

    def rss_kib(self) -> int | None:
        """What it holds in memory, the process that writes for it included; None: this system does not say."""
        try:
            pages = sum(int((process / "statm").read_text().split()[1]) for process in self._processes())
        except OSError:
            return None
        return pages * os.sysconf("SC_PAGE_SIZE") // 1024

    def cpu_seconds(self) -> float | None:
        """What it has used of its core, the process that writes for it included; None: this system does not say."""
        try:
            stats = [(process / "stat").read_text() for process in self._processes()]
        except OSError:
            return None
        used = (stat.rpartition(")")[2].split()[11:13] for stat in stats)
        return sum(int(user) + int(system) for user, system in used) / os.sysconf("SC_CLK_TCK")

    def _processes(self) -> list[Path]:
        """The server, and what it has started.

        Raises:
            OSError: this system does not say.
        """
        pid = self._process.pid
        started = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [Path(f"/proc/{one}") for one in (pid, *started)]

    def verdicts(self) -> dict[tuple[str, int], Sent]:
        """Every verdict it has sent so far, by the table's code and the move's number."""
        if self._trace is None or not self._trace.exists():
            return {}
        with self._trace.open(newline="") as lines:
            return {
                (row["code"], int(row["seq"])): Sent(int(row["due_us"]), int(row["touched_us"]), int(row["sent_us"]))
                for row in csv.DictReader(lines)
                if row["sent_us"] is not None  # the last line may still be on its way
            }


@contextmanager
def house(store: str, folder: Path, core: int | None) -> Iterator[House]:
    """A server that keeps everything in this store: ``sqlite`` or ``postgres`` in the folder, or at a URL.

    Raises:
        NoServer: it does not start.
        NoPostgres: there is none here.
    """
    trace, limits = folder / "verdicts.csv", folder / "limits.json"
    limits.write_bytes(msgspec.json.encode(NO_LIMITS))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SLAMOMATIC_")}
    environment.pop("DATABASE_URL", None)
    environment["SLAMOMATIC_TRACE_VERDICTS"] = str(trace)
    words = ["--host", "127.0.0.1", "--port", "0", "--limits", str(limits)]
    with ExitStack() as stack:
        if store == "sqlite":
            words += ["--data", str(folder / "data")]
        elif store == "postgres":
            database = folder / "postgres"
            database.mkdir()
            environment["DATABASE_URL"] = stack.enter_context(postgres(database))
        else:
            environment["DATABASE_URL"] = store  # not on the command line, where everybody could read it
        process = stack.enter_context(running([*SERVE, *words], environment, core))
        yield House(opened(process), process, trace)


@contextmanager
def running(
    words: Sequence[str], environment: dict[str, str] | None, core: int | None
) -> Iterator[subprocess.Popen[bytes]]:
    """This program on that core, until it is needed no more."""
    with confined(None if core is None else {core}):  # where it starts, it stays
        process = subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    with process:
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()


def opened(process: subprocess.Popen[bytes]) -> str:
    """The address a server says it has opened at.

    Raises:
        NoServer: it says nothing, and has ended.
    """
    assert process.stdout is not None
    for line in process.stdout:
        if (url := re.search(r"http://\S+", line.decode())) is not None:
            return url[0]
    raise NoServer("the server ended before it was open: what it said of that stands above")


@contextmanager
def confined(cores: set[int] | None) -> Iterator[None]:
    """This process on these cores for a while; None, or where the system has no such call: wherever it is."""
    if cores is None or not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def cores() -> tuple[int | None, set[int] | None]:
    """One for a server, and the others for its players; None: there is but one here, or the system does not say."""
    all_here = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    return (all_here[0], set(all_here[1:])) if len(all_here) > 1 else (None, None)


@contextmanager
def many_files() -> Iterator[None]:
    """As many open sockets as the system lets this process, and what it starts, have."""
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
