"""The load measurement: its sums on known numbers, its sockets byte by byte, and a small run of the whole."""

import json
import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from slamomatic.cli import main
from slamomatic.lab.load import Percentiles, added_us, percentiles
from slamomatic.lab.load_crowd import Crowd
from slamomatic.lab.load_house import Sent, house
from slamomatic.lab.load_lines import TEXT, Broken, Line, Loop
from slamomatic.lab.load_players import HANDS, Person, Verdict
from slamomatic.table.protocol import Pace

OPENED = b"HTTP/1.1 101 Switching Protocols\r\n\r\n"


class FarEnd:
    """A server of one connection, that says what it is told to, byte by byte if need be."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.loop = Loop()
        with socket.create_server(("127.0.0.1", 0)) as server:
            self.line = Line(self.loop, server.getsockname()[:2], "/ws/ABC234", b"hello", self.heard.append)
            self.sock, _ = server.accept()
        self.sock.settimeout(20)

    def __enter__(self) -> "FarEnd":
        return self

    def __exit__(self, *_: object) -> None:
        self.line.close()
        self.sock.close()

    def says(self, data: bytes) -> None:
        self.sock.sendall(data)

    def hears(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            data += self.sock.recv(count - len(data))
        return data

    def read(self, messages: int) -> list[bytes]:
        self.loop.run(lambda: len(self.heard) >= messages)
        return self.heard


def test_percentiles_are_times_that_were_measured() -> None:
    assert percentiles(range(1_000, 1_001_000, 1_000)) == Percentiles(500.0, 990.0, 999.0)
    assert percentiles([7_000]) == Percentiles(7.0, 7.0, 7.0)
    assert percentiles([]) is None


def test_a_late_reader_is_late_whatever_its_own_stamp_says() -> None:
    verdict = Verdict("ABC234", 9, touched_us=1_000, heard_us=9_000)
    read_late = Sent(due_us=500, touched_us=6_000, sent_us=8_000)
    assert added_us([verdict], {("ABC234", 9): read_late}) == ([7_000], [2_000], [8_000])


def test_what_the_unit_waits_for_by_its_own_rules_is_not_the_servers() -> None:
    verdict = Verdict("ABC234", 9, touched_us=1_000, heard_us=353_000)
    fake = Sent(due_us=350_000, touched_us=1_100, sent_us=352_000)
    assert added_us([verdict], {("ABC234", 9): fake}) == ([2_000], [2_000], [3_000])


def test_a_verdict_only_one_side_knows_is_left_out() -> None:
    assert added_us([Verdict("ABC234", 9, 1, 2)], {("ABC234", 8): Sent(1, 1, 1)}) == ([], [], [])


@pytest.mark.parametrize("length", [0, 1, 125, 126, 65_535, 65_536])
def test_a_message_of_any_length_is_heard_whole_however_it_is_cut(length: int) -> None:
    message = b"x" * length
    if length < 126:
        head = bytes((TEXT, length))
    elif length < 65_536:
        head = bytes((TEXT, 126)) + length.to_bytes(2, "big")
    else:
        head = bytes((TEXT, 127)) + length.to_bytes(8, "big")
    with FarEnd() as far:
        far.says(OPENED + head[:1])
        far.loop.run(lambda: far.line._hello is None)
        far.says(head[1:] + message + head + message)
        assert far.read(2) == [message, message]


def test_a_ping_is_answered_with_its_payload_masked_and_at_once() -> None:
    with FarEnd() as far:
        far.hears(1)
        far.says(OPENED + b"\x89\x03abc" + b"\x81\x02hi")
        assert far.read(1) == [b"hi"]
        rest = far.sock.recv(4_096)
        while not rest.endswith(b"abc"):
            rest += far.sock.recv(4_096)
        assert b"\x81\x85\0\0\0\0hello" in rest
        assert rest.endswith(b"\x8a\x83\0\0\0\0abc")
        assert far.line.pings == 1


def test_a_server_that_opens_no_socket_is_no_server() -> None:
    with FarEnd() as far:
        far.says(b"HTTP/1.1 404 Not Found\r\n\r\n")
        with pytest.raises(Broken, match="404 Not Found"):
            far.read(1)


def test_what_is_due_is_done_in_the_order_of_its_time() -> None:
    loop, done = Loop(), list[str]()
    loop.at(2, lambda: done.append("second"))
    loop.at(1, lambda: done.append("first"))
    loop.run(lambda: len(done) == 2)
    assert done == ["first", "second"]


def test_the_server_traces_every_verdict_its_players_hear(tmp_path: Path) -> None:
    with house("sqlite", tmp_path, None) as server:
        crowd = Crowd(server.url, Person, seed=1)
        crowd.sit_down(3, Pace.NORMAL)
        crowd.connect()
        crowd.begin(0)
        crowd.loop.run(lambda: len(crowd.notes.verdicts) >= 2)
        crowd.leave()
    added, stamped, heard = added_us(crowd.notes.verdicts, server.verdicts())  # it has ended, and written all down
    assert len(added) >= 2
    # Of the first not even a lower bound holds: a touch may be on its way that comes too late for this verdict.
    assert all(us >= 0 for us in (*stamped, *heard)), (stamped, heard)
    assert not crowd.notes.byes


def test_a_measurement_tells_a_program_what_it_asks_for() -> None:
    result = CliRunner().invoke(main, ["lab", "load", "--tables", "3", "--seconds", "2", "--json"])
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert {"store", "tables", "sockets", "added_ms", "kib_per_seat"} <= set(told)
    assert (told["store"], told["tables"], told["sockets"]) == ("sqlite", 3, 3 * HANDS)
    assert told["moves_per_second"] > 0
    assert told["pings_per_second"] > 0
    assert (told["node_ws_moves_per_second"] is None) == (told["why_no_node"] is not None)


def test_a_store_that_is_none_is_refused_in_one_line() -> None:
    result = CliRunner().invoke(main, ["lab", "load", "--store", "mysql://here"])
    assert result.exit_code == 2
    assert "mysql://here is no store: take sqlite or postgres" in result.stderr
