"""``slamomatic serve`` as it is run: a process, its signals, its words."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import aiohttp
import msgspec
import pytest
from aiohttp import WSCloseCode

from slamomatic.table.protocol import Bye, ByeReason, Hello, Welcome
from tests.server.guests import PATIENCE_SECONDS, Guest

Start = Callable[..., Awaitable[tuple[Process, str]]]


@pytest.fixture
async def start(tmp_path: Path) -> AsyncIterator[Start]:
    """Starts servers: the process, and the first line it says."""
    running: list[Process] = []

    async def begin(*options: str, **environment: str) -> tuple[Process, str]:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", "from slamomatic.cli import main; main()", "serve", *options,
            env=os.environ | {"SLAMOMATIC_DATA": str(tmp_path)} | environment, stdout=PIPE, stderr=STDOUT,
        )  # fmt: skip
        running.append(process)
        assert process.stdout is not None
        async with asyncio.timeout(PATIENCE_SECONDS):
            return process, (await process.stdout.readline()).decode()

    yield begin
    for process in running:
        if process.returncode is None:
            process.kill()
        await process.communicate()


def url_in(line: str) -> str:
    return line.rsplit(maxsplit=1)[-1]


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
async def test_a_stopped_server_tells_everyone_to_come_back_and_is_gone_at_once(start: Start, stop: int) -> None:
    process, line = await start("--port", "0")
    url = url_in(line)
    async with aiohttp.ClientSession() as session:
        async with session.post(f"{url}api/tables", json={"name": "Ann"}) as answer:
            code = (await answer.json())["code"]
        watcher = Guest(await session.ws_connect(f"{url}ws/{code}"))
        await watcher.say(Hello())
        await watcher.hear(Welcome)
        silent = Guest(await session.ws_connect(f"{url}ws/{code}"))
        process.send_signal(stop)
        byes = [await guest.hear_out() for guest in (watcher, silent)]
    async with asyncio.timeout(PATIENCE_SECONDS):
        assert await process.wait() == 0
    for bye, guest in zip(byes, (watcher, silent), strict=True):
        assert isinstance(bye, Bye)
        assert bye.reason is ByeReason.RESTART
        assert guest.ws.close_code == WSCloseCode.SERVICE_RESTART


async def test_the_environment_says_the_same_as_the_options(start: Start) -> None:
    _, line = await start(SLAMOMATIC_PORT="0", SLAMOMATIC_BASE_PATH="/slam", SLAMOMATIC_HOST="127.0.0.1")
    assert line.startswith("Slam-o-matic is open: http://127.0.0.1:")
    assert line.rstrip().endswith("/slam/")
    async with aiohttp.ClientSession() as session, session.get(f"{url_in(line)}healthz") as answer:
        assert msgspec.json.decode(await answer.read())["status"] == "ok"


async def test_the_public_url_is_the_one_that_is_told(start: Start) -> None:
    _, line = await start("--port", "0", "--public-url", "https://play.example.org/slam")
    assert url_in(line) == "https://play.example.org/slam"


async def test_a_port_that_is_taken_is_told_in_words(start: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        process, line = await start("--host", "127.0.0.1", "--port", str(port))
        assert line == f"Error: port {port} is taken: stop what runs there, or choose another with --port\n"
        assert await process.wait() == 1


async def test_a_wrong_public_url_is_told_in_words(start: Start) -> None:
    process, line = await start("--public-url", "play.example.org")
    assert line.startswith("Error: the public URL is 'play.example.org'")
    assert "it is like https://play.example.org/slam" in line
    assert await process.wait() == 2
