"""``slamomatic serve``: from the command line to a running server, and back down cleanly."""

from __future__ import annotations

import asyncio
import errno
import gc
import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import click
import msgspec
from aiohttp import web

from slamomatic.bots import bot
from slamomatic.server import logs
from slamomatic.server.app import SERVER, create_app
from slamomatic.server.clock import steady_us
from slamomatic.server.limits import Limits
from slamomatic.server.metrics import Metrics
from slamomatic.server.pages import built_client
from slamomatic.server.site import Site
from slamomatic.server.storage.commands import data_option
from slamomatic.server.storage.database import Database, StorageError, url_of
from slamomatic.server.storage.serving import serving
from slamomatic.table.output import Decided

YOUNG_OBJECTS = 700
"""So many new objects before the collector looks at them: a look at 10,000 stops a busy server for some 10 ms."""
NEVER = 1_000_000_000
SHUTDOWN_SECONDS = 3.0
IDLE_SECONDS = 60.0
"""A connection that asks for nothing more is closed after so long."""
LINGER_SECONDS = 1.0
"""The rest of a body that is refused is read for so long, for the other side to hear why."""
TRACE = "SLAMOMATIC_TRACE_VERDICTS"
"""Names a file that each verdict is written to with its times: for ``slamomatic lab load``."""
EVERYWHERE = ("0.0.0.0", "::")


def _option(name: str, **settings: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """An option with an environment variable of the same name."""
    variable = "SLAMOMATIC_" + name.removeprefix("--").replace("-", "_").upper()
    usual: dict[str, Any] = {"envvar": variable, "show_default": True, "show_envvar": True}
    return click.option(name, **usual | settings)


@click.command()
@data_option("The folder of the SQLite file that keeps everything.")
@click.option(
    "--database-url",
    envvar="DATABASE_URL",
    show_envvar=True,
    metavar="URL",
    help="A PostgreSQL database to keep everything in, in place of --data.",
)
@_option(
    "--name",
    default=socket.gethostname,
    show_default="the machine's",
    help="This server's, among those that share a database.",
)
@_option("--host", default="localhost", help="Where to listen; 0.0.0.0: everywhere.")
@_option("--port", default=8000, type=click.IntRange(0, 65535), help="0: any free one.")
@_option("--base-path", default="", metavar="PATH", help="The path in front of everything, like /slam.")
@_option("--public-url", metavar="URL", help="The address people type, if a proxy stands in front.")
@_option("--trust-proxy", is_flag=True, help="Believe X-Forwarded-For; only behind a proxy that sets it.")
@_option("--metrics", is_flag=True, help="Answer GET /metrics, for Prometheus, to whoever reaches this server.")
@_option("--log-level", default="warning", type=click.Choice(logs.LEVELS), help="How much to tell.")
@_option("--log-format", default="auto", type=click.Choice(logs.FORMATS), help="auto: lines on a terminal, else JSON.")
@_option(
    "--limits",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="A JSON file that sets other limits than the usual ones: see docs/hosting.md.",
)
@_option(
    "--bot-haste",
    default=1.0,
    type=click.FloatRange(1, 100),
    metavar="N",
    help="Bots think N times as fast as people, with hands as fast as ever: for tests and demonstrations.",
)
def serve(
    data: Path,
    database_url: str | None,
    name: str,
    host: str,
    port: int,
    base_path: str,
    public_url: str | None,
    trust_proxy: bool,
    metrics: bool,
    log_level: str,
    log_format: str,
    limits: Path | None,
    bot_haste: float,
) -> None:
    """Serve tables, and the page to play at them."""
    logs.configure(log_level, log_format)
    try:
        site = Site(base_path=base_path.rstrip("/"), public_url=public_url, trust_proxy=trust_proxy)
        allowed = Limits() if limits is None else msgspec.json.decode(limits.read_bytes(), type=Limits)
    except msgspec.MsgspecError as error:
        raise click.UsageError(f"--limits {limits}: {error}") from None
    except ValueError as error:
        raise click.UsageError(str(error)) from None

    async def run() -> None:
        _allow_many_files()
        database = await Database.open(url_of(data, database_url))
        app = create_app(
            partial(bot, haste=bot_haste),
            client=built_client(),
            database=database,
            name=name,
            site=site,
            limits=allowed,
            shows_metrics=metrics,
        )
        with _tracing(app[SERVER].metrics, os.environ.get(TRACE)):
            await _run(app, site, host, port)

    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        try:
            with serving(url_of(data, database_url)):
                runner.run(run())
        except StorageError as error:
            raise click.ClickException(str(error)) from None
        except OSError as error:
            raise click.ClickException(_why_not(error, host, port)) from None


async def _run(app: web.Application, site: Site, host: str, port: int) -> None:
    """Until a signal comes.

    Raises:
        OSError: it cannot listen there.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # Windows: Ctrl-C ends the runner instead
            loop.add_signal_handler(number, stop.set)
    runner = web.AppRunner(
        app,
        access_log=None,
        shutdown_timeout=SHUTDOWN_SECONDS,
        keepalive_timeout=IDLE_SECONDS,
        lingering_time=LINGER_SECONDS,
    )
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
        _tame_collector()
        for url in _urls(site, host, runner.addresses[0][1]):
            click.echo(f"Slam-o-matic is open: {url}")
        await stop.wait()
        click.echo("Closing down.")
    finally:
        await runner.cleanup()


@contextmanager
def _tracing(metrics: Metrics, path: str | None) -> Iterator[None]:
    """While this lasts, every verdict's times are written to this file, by the machine's steady clock."""
    if path is None:
        yield
        return
    with Path(path).open("w", buffering=1) as file:
        file.write("code,seq,due_us,touched_us,sent_us\n")

        def trace(code: str, decided: Decided, sent_us: int) -> None:
            touched_us = 0 if decided.touched_us is None else steady_us(decided.touched_us)
            due_us = steady_us(decided.settles_us)
            file.write(f"{code},{decided.seq},{due_us},{touched_us},{steady_us(sent_us)}\n")

        metrics.on_verdict = trace
        yield


def _loop_factory() -> Any:
    try:
        import uvloop  # noqa: PLC0415 - not on every system
    except ImportError:
        return None
    return uvloop.new_event_loop


def _allow_many_files() -> None:
    """Every connection is a file to the system, and its usual limit is for programs with few."""
    with suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415 - not on every system

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _tame_collector() -> None:
    """What the start made stays, and what lives on is looked at only when nobody races (see app.py).

    Looking at all that lives takes tenths of a second with a thousand tables, and a hand is on some unit meanwhile.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS, NEVER, NEVER)


def _urls(site: Site, host: str, port: int) -> list[str]:
    """What to type: here, and on the other machines of this network if they are let in."""
    if site.public_url is not None:
        return [site.public_url]
    hosts = ["localhost", _own_address()] if host in EVERYWHERE else [f"[{host}]" if ":" in host else host]
    return [f"http://{name}:{port}{site.base_href}" for name in hosts if name is not None]


def _own_address() -> str | None:
    """This machine's address in its network; None if it is in none. Nothing is sent to find out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation: no one's
        except OSError:
            return None
        return str(probe.getsockname()[0])


def _why_not(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is taken: stop what runs there, or choose another with --port"
    if error.errno == errno.EACCES:
        return f"port {port} is not ours to take: choose one above 1023 with --port"
    return f"cannot listen on {host}, port {port}: {error.strerror or error}"
