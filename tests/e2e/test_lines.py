"""The lines of these tests do what they are told: in virtual time, and over real sockets."""

from __future__ import annotations

import asyncio
from random import Random
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.e2e.line import Path, Traffic, Way, lay_line

pytestmark = [pytest.mark.e2e, pytest.mark.timed]

ways = st.builds(
    Way,
    base_ms=st.floats(0, 300),
    noise_ms=st.floats(0, 50),
    spikes_per_second=st.sampled_from((0.0, 1.0, 20.0)),
    spike_ms=st.floats(0, 200),
)
gaps = st.lists(st.floats(0, 0.5), min_size=1, max_size=50)


@given(way=ways, gaps=gaps, seed=st.integers(0, 100))
def test_what_is_sent_arrives_in_order_and_not_before_its_time(way: Way, gaps: list[float], seed: int) -> None:
    traffic, again = (Traffic(lambda: way, Random(seed)) for _ in range(2))
    now = last = 0.0
    for gap in gaps:
        now += gap
        due = traffic.due(now)
        assert due > last
        assert due >= now + way.base_ms / 1_000
        assert due == again.due(now)
        last = due


def test_noise_is_as_much_as_is_said_and_a_quiet_way_has_none() -> None:
    noisy, quiet = Traffic(lambda: Way(20, noise_ms=4), Random(1)), Traffic(lambda: Way(20), Random(1))
    times = range(10, 5010)  # a second apart: none waits for another
    late = [noisy.due(now) - now - 0.020 for now in times]
    assert 0.0038 < sum(late) / len(late) < 0.0042
    assert all(abs(quiet.due(now) - now - 0.020) < 1e-6 for now in times)


def test_spikes_come_as_often_and_last_as_long_as_is_said() -> None:
    traffic = Traffic(lambda: Way(spikes_per_second=0.5, spike_ms=40), Random(1))
    sent = [step / 1_000 for step in range(1_000_000)]
    held = [due - now for now in sent if (due := traffic.due(now)) - now > 1e-3]
    assert 0.018 < len(held) / len(sent) < 0.022
    assert 0.05 < max(held) <= 0.06


async def test_a_line_can_be_changed_stalled_cut_and_mended() -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(1 << 16):
            writer.write(data)
        writer.close()

    loop = asyncio.get_running_loop()
    async with await asyncio.start_server(echo, "localhost", 0) as server:
        house = f"http://localhost:{server.sockets[0].getsockname()[1]}/"
        with lay_line(house) as line:
            address = urlsplit(line.address)
            reader, writer = await asyncio.open_connection(address.hostname, address.port)

            async def round_trip(words: bytes) -> float:
                began = loop.time()
                writer.write(words)
                assert await reader.readexactly(len(words)) == words
                return loop.time() - began

            await round_trip(b"short")
            line.path = Path(Way(30), Way(20))
            assert await round_trip(b"long") >= 0.050
            line.path = Path()
            began = loop.time()
            line.stall_up(100)
            await asyncio.sleep(0.02)
            await round_trip(b"stalled")
            assert loop.time() - began >= 0.1

            line.cut()
            assert await reader.read() == b""
            writer.close()
            with pytest.raises(ConnectionRefusedError):
                await asyncio.open_connection(address.hostname, address.port)
            line.mend()
            reader, writer = await asyncio.open_connection(address.hostname, address.port)
            await round_trip(b"whole again")
            line.drop()
            assert await reader.read() == b""
            writer.close()
