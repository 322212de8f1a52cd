"""How much one core of a server carries: tables of people at human pace, and moves as fast as it can.

Laws of this room:
- the real server, real sockets, a real store; nothing is measured through a shortcut;
- a server that is late to read is late: what it adds to a verdict counts from the moment the last touch lies at its
  socket, by the player's clock, not from when it came to read it. Both processes share the machine's steady clock. Only
  where the unit itself waits for a later moment (a fake, a hand that never came) it counts from that;
- how busy the players' own core was stands beside the figures: players who are late themselves would spoil them;
- the peer is run in turns with ours, by the same players on the same cores.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from math import ceil
from pathlib import Path
from statistics import mean, median
from time import perf_counter, process_time

import msgspec

from slamomatic.lab.load_crowd import Crowd
from slamomatic.lab.load_house import House, NoServer, Sent, confined, cores, house, many_files
from slamomatic.lab.load_lines import Broken
from slamomatic.lab.load_peer import NoPeer, seats, ws_loop
from slamomatic.lab.load_players import HANDS, SECOND, Person, Player, Verdict
from slamomatic.lab.load_postgres import NoPostgres
from slamomatic.table.protocol import Pace

__all__ = ["Broken", "Load", "NoPostgres", "NoServer", "load"]

BEGIN_US = 5 * SECOND
"""The games begin one after the other within this time, or within that of the run if it is shorter."""
WARM_UP = 2
"""So many times as long passes from then on before anything is measured."""
FAST_TABLES = 128
"""Tables in the saturating run: enough that some move is always waiting for the server, while others are committed."""
ROUNDS = 3
LONGEST_ROUND_US = 4 * SECOND
"""While the peer has its turn ours are not read; a server gives up who is silent for ten."""
STORES = ("sqlite", "postgres")
SYNCS = 50
BLOCK = 4096


class Percentiles(msgspec.Struct, frozen=True):
    """In milliseconds: half, 99 of 100 and 999 of 1,000 are no longer than this."""

    p50: float
    p99: float
    p999: float


class Paced(msgspec.Struct, frozen=True, kw_only=True):
    """Tables of people."""

    verdicts: int
    verdicts_per_second: float
    moves_at_pace_per_second: float
    """Moves besides: draws, takes, pairs laid, passes."""
    pings_per_second: float
    """Answered; most of them are of the trains that run through races."""
    added_ms: Percentiles | None
    """What the server adds: from the last touch's arrival at its socket, or the moment the unit waited for, to the
    verdict's sending. None: no race was settled."""
    stamped_ms: Percentiles | None
    """The same by the server's own stamps, which it makes when it comes to read."""
    heard_ms: Percentiles | None
    """The same until the first player has heard it: his own lateness is in it."""
    server_cpu_share: float | None
    """Of its core; None, here and below: this system does not say."""
    players_cpu_share: float
    kib_per_seat: float | None
    """What the server grew by, to the end of play, for each seated socket."""
    kib_per_table: float | None
    """Of that: a table with four seats taken and no socket yet."""
    kib_per_socket: float | None
    """Of that: a socket, before the first game."""


class Saturated(msgspec.Struct, frozen=True, kw_only=True):
    """Moves as fast as they can be made."""

    moves_per_second: float
    """Each kept, and then told to four people in four views."""
    moves_cpu_share: float | None
    """Of the server's core meanwhile."""
    node_ws_moves_per_second: float | None
    why_no_node: str | None
    move_bytes: int
    """One view of one move, on average."""


class Load(msgspec.Struct, frozen=True, kw_only=True):
    """What was measured."""

    store: str
    tables: int
    sockets: int
    seconds: float
    sync_ms: float
    """How long the disk takes to be sure of one block, where SQLite's file is: on some machines, no time at all."""
    paced: Paced
    saturated: Saturated


def load(*, store: str, tables: int, seconds: float, seed: int, progress: Callable[[str], None]) -> Load:
    """Measure a server with so many tables for so many seconds; ``store``: ``sqlite``, ``postgres`` or a URL.

    Raises:
        NoServer: the server does not start.
        NoPostgres: there is no PostgreSQL here.
        Broken: the server refuses, or cuts off, who should play.
    """
    server_core, players_cores = cores()
    with tempfile.TemporaryDirectory(prefix="slamomatic-load-") as name, confined(players_cores), many_files():
        folders = [Path(name, part) for part in ("pace", "fast", "peer")]
        for folder in folders:
            folder.mkdir()
        for folder in (Path(name), *folders):
            folder.chmod(0o755)  # PostgreSQL may have to run as somebody else
        sync_ms = _sync_ms(folders[0])
        with house(store, folders[0], server_core) as server:
            paced = _at_pace(server, tables, seconds, seed, progress)
        with house(store, folders[1], server_core) as server:
            saturated = _saturated(server, folders[2], server_core, seconds, seed, progress)
    return Load(
        store=store if store in STORES else "postgres",
        tables=tables,
        sockets=tables * HANDS,
        seconds=seconds,
        sync_ms=sync_ms,
        paced=paced,
        saturated=saturated,
    )


def percentiles(times_us: Sequence[int]) -> Percentiles | None:
    """By nearest rank: each is one of the times. None: there are none."""
    if not times_us:
        return None
    ordered = sorted(times_us)
    p50, p99, p999 = (round(ordered[ceil(share * len(ordered)) - 1] / 1_000, 3) for share in (0.5, 0.99, 0.999))
    return Percentiles(p50, p99, p999)


def added_us(
    verdicts: Sequence[Verdict], sent: Mapping[tuple[str, int], Sent]
) -> tuple[list[int], list[int], list[int]]:
    """What was added to each verdict that both sides know: in truth, by the server's stamps, and until it was heard."""
    added, stamped, heard = [], [], []
    for verdict in verdicts:
        its = sent.get((verdict.code, verdict.seq))
        if its is not None:
            since_us = max(its.due_us, verdict.touched_us)
            added.append(its.sent_us - since_us)
            stamped.append(its.sent_us - max(its.due_us, its.touched_us))
            heard.append(verdict.heard_us - since_us)
    return added, stamped, heard


# The two runs.


def _at_pace(server: House, tables: int, seconds: float, seed: int, progress: Callable[[str], None]) -> Paced:
    crowd = Crowd(server.url, Person, seed)
    empty_kib = server.rss_kib()
    progress(f"{tables} tables are filled")
    crowd.sit_down(tables, Pace.NORMAL)
    full_kib = server.rss_kib()
    progress(f"{tables * HANDS} players connect")
    crowd.connect()
    connected_kib = server.rss_kib()
    begin_us = min(BEGIN_US, round(seconds * SECOND))
    crowd.begin(begin_us)
    progress("the games begin")
    crowd.play(WARM_UP * begin_us)
    progress(f"people play at {tables} tables")
    before = _Meter(server, crowd)
    crowd.play(round(seconds * SECOND))
    after = _Meter(server, crowd)
    played_kib = server.rss_kib()
    crowd.leave()
    verdicts = crowd.notes.verdicts[before.verdicts : after.verdicts]
    added, stamped, heard = added_us(verdicts, server.verdicts())
    passed = after.at - before.at
    return Paced(
        verdicts=len(added),
        verdicts_per_second=round(len(verdicts) / passed, 1),
        moves_at_pace_per_second=round((after.moves - before.moves) / passed, 1),
        pings_per_second=round((after.pings - before.pings) / passed, 1),
        added_ms=percentiles(added),
        stamped_ms=percentiles(stamped),
        heard_ms=percentiles(heard),
        server_cpu_share=_share(before.server, after.server, passed),
        players_cpu_share=round((after.players - before.players) / passed, 3),
        kib_per_seat=_each(empty_kib, played_kib, tables * HANDS),
        kib_per_table=_each(empty_kib, full_kib, tables),
        kib_per_socket=_each(full_kib, connected_kib, tables * HANDS),
    )


def _saturated(
    server: House, folder: Path, core: int | None, seconds: float, seed: int, progress: Callable[[str], None]
) -> Saturated:
    ours = Crowd(server.url, Player, seed)
    ours.sit_down(FAST_TABLES, Pace.UNTIMED)
    ours.connect()
    copies = ours.parties[0].copies = []
    ours.begin(0)
    ours.play(SECOND)
    ours.parties[0].copies = None
    with ExitStack() as stack:
        crowds, why = [ours], None
        try:
            url = stack.enter_context(ws_loop(copies, folder, core))
        except NoPeer as error:
            why = str(error)
        else:
            peers = Crowd(url, Player, seed)
            peers.seat(seats(FAST_TABLES))
            peers.connect()
            peers.begin(0)
            peers.play(SECOND)
            crowds.append(peers)
        round_us = min(LONGEST_ROUND_US, round(seconds * SECOND / ROUNDS))
        rates: list[list[float]] = [[] for _ in crowds]
        shares: list[float] = []
        for number in range(ROUNDS):
            progress(f"moves as fast as can be, {number + 1} of {ROUNDS}")
            for crowd, its_rates in zip(crowds, rates, strict=True):
                before = _Meter(server, crowd)
                crowd.play(round_us)
                after = _Meter(server, crowd)
                its_rates.append((after.moves - before.moves) / (after.at - before.at))
                share = _share(before.server, after.server, after.at - before.at)
                if crowd is ours and share is not None:
                    shares.append(share)
        for crowd in crowds:
            crowd.leave()
    return Saturated(
        moves_per_second=round(median(rates[0]), 1),
        moves_cpu_share=median(shares) if shares else None,
        node_ws_moves_per_second=round(median(rates[1]), 1) if len(rates) > 1 else None,
        why_no_node=why,
        move_bytes=round(mean(len(data) for _, _, data in copies)),
    )


# What is read off.


class _Meter:
    """Everything that counts up, at one moment."""

    def __init__(self, server: House, crowd: Crowd) -> None:
        self.at = perf_counter()
        self.server = server.cpu_seconds()
        self.players = process_time()
        self.verdicts = len(crowd.notes.verdicts)
        self.moves = crowd.notes.moves
        self.pings = crowd.pings()


def _share(before: float | None, after: float | None, seconds: float) -> float | None:
    return None if before is None or after is None else round((after - before) / seconds, 3)


def _each(before: int | None, after: int | None, count: int) -> float | None:
    return None if before is None or after is None else round((after - before) / count, 1)


def _sync_ms(folder: Path) -> float:
    times = []
    with (folder / "sync").open("wb") as file:
        for _ in range(SYNCS):
            file.write(bytes(BLOCK))
            file.flush()
            began = perf_counter()
            os.fsync(file.fileno())
            times.append(perf_counter() - began)
    return round(median(times) * 1_000, 3)
