"""LineServer with real sockets on loopback, and with nc."""

import itertools
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from streamlab.sources.line_server import LineServer
from tests.streamlab.sources.line_reader import DEADLINE_S, Reader, eventually, numbered


@pytest.mark.parametrize(
    "lines",
    [
        numbered(10_000),
        [""],
        ["", "", ""],
        ["naïve café", "日本語", "👩‍🚀", "שלום", "a\u2028b"],  # U+2028 ends a line for str.splitlines, not on a socket
        ["x" * 3_000_000, "short"],  # longer than any buffer of the system
        ["with a carriage return\r"],
    ],
    ids=["many", "one empty", "empty lines", "unicode", "very long", "carriage return"],
)
def test_a_client_reads_every_line_in_order(lines: list[str]) -> None:
    with LineServer(lines) as server:
        reader = Reader(server)

        assert reader.lines(len(lines)) == lines
        server.wait_done(DEADLINE_S)
        report = server.report()
        assert (report.played, report.offered, report.sent, report.dropped, report.lost) == (len(lines),) * 3 + (0, 0)


def test_the_source_starts_with_the_first_client() -> None:
    with LineServer(numbered(5)) as server:
        assert server.report().played == 0

        assert Reader(server).lines(5) == numbered(5)


def test_the_source_can_wait_for_several_clients_and_each_gets_every_line() -> None:
    with LineServer(numbered(2000), wait_for_clients=3) as server:
        readers = [Reader(server) for _ in range(3)]

        assert [reader.lines(2000) for reader in readers] == [numbered(2000)] * 3
        server.wait_done(DEADLINE_S)
        assert (server.report().played, server.report().sent) == (2000, 6000)


def test_a_late_client_gets_the_lines_from_then_on() -> None:
    with LineServer((f"{i}" for i in itertools.count()), rate_per_s=500) as server:
        first = Reader(server)
        first.lines(20)
        late = Reader(server)

        got = [int(line) for line in late.lines(5)[:5]]
        assert got[0] >= 20
        assert got == list(range(got[0], got[0] + 5))


def test_an_empty_source_is_done_at_once_and_stays_connected() -> None:
    with LineServer([]) as server:
        reader = Reader(server)
        server.wait_done(DEADLINE_S)

        assert server.report().played == 0
        assert server.report().clients[0].connected
    assert reader.wait_end() == b""


def test_a_looping_source_starts_over() -> None:
    with LineServer(["a", "b"], loop=True) as server:
        assert Reader(server).lines(5)[:5] == ["a", "b", "a", "b", "a"]


def test_no_line_is_sent_before_its_intended_time() -> None:
    with LineServer(numbered(51), rate_per_s=250) as server:
        connected_s = time.monotonic()
        Reader(server).lines(51)

        assert time.monotonic() - connected_s >= 50 / 250
        assert server.report().playing_s >= 50 / 250


def test_overdue_lines_are_sent_at_once() -> None:
    """Open loop: the schedule counts from the start, so a delay does not shift the later lines."""
    release = threading.Event()

    def stalls_once() -> Iterator[str]:
        yield "before"
        release.wait(DEADLINE_S)
        yield from numbered(100)

    with LineServer(stalls_once(), rate_per_s=1000) as server:
        reader = Reader(server)
        reader.lines(1)
        eventually(lambda: server.report().playing_s > 0.2)  # by now all are overdue
        release.set()
        server.wait_sent(101, DEADLINE_S)

        assert server.report().late_s > 0.05


def test_a_timeout_while_waiting_reports_the_progress() -> None:
    with LineServer(numbered(3)) as server, pytest.raises(TimeoutError, match=r"3 lines sent within 0.05 s.*sent 0"):
        server.wait_sent(3, timeout_s=0.05)


def test_waiting_for_more_lines_than_exist_fails_at_once() -> None:
    with LineServer(numbered(3)) as server:
        Reader(server).lines(3)
        started_s = time.monotonic()

        with pytest.raises(TimeoutError, match=r"expected 4 lines sent.*sent 3"):
            server.wait_sent(4, timeout_s=60)
        assert time.monotonic() - started_s < DEADLINE_S


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"lines": ["a\nb"]}, "line break"),
        ({"lines": ["a\rb"]}, "line break"),  # Java's readLine, and so Spark, ends a line there
        ({"lines": ["fine\n"]}, "line break"),
        ({"lines": [b"bytes"]}, "must be a str, got bytes"),
        ({"lines": ["\ud800"]}, "UTF-8"),
        ({"lines": "one string"}, "splitlines"),
        ({"rate_per_s": 0}, "rate_per_s"),
        ({"rate_per_s": -1}, "rate_per_s"),
        ({"rate_per_s": float("nan")}, "rate_per_s"),
        ({"policy": "wait"}, 'policy must be "block" or "drop", got \'wait\''),
        ({"policy": "drop"}, "needs rate_per_s"),
        ({"buffer_lines": 0}, "buffer_lines"),
        ({"port": 70_000}, "port"),
        ({"wait_for_clients": -1}, "wait_for_clients"),
    ],
)
def test_an_invalid_argument_is_rejected(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        LineServer(**{"lines": ["a"], **arguments})


def test_an_invalid_line_of_a_generator_is_raised_in_the_waiting_caller() -> None:
    server = LineServer(line for line in ["good", "bad\nline"])
    assert Reader(server).lines(1) == ["good"]

    with pytest.raises(ValueError, match="line break"):
        server.wait_done(DEADLINE_S)
    with pytest.raises(ValueError, match="line break"), server:
        pass  # a caller that never waits gets the error at the end


def test_a_port_in_use_is_reported_with_the_next_step() -> None:
    with LineServer([]) as server, pytest.raises(OSError, match=r"cannot listen on 127.0.0.1:\d+.*port=0"):
        LineServer([], port=server.port)


@pytest.mark.skipif(shutil.which("nc") is None, reason="nc is not installed on this machine")
def test_nc_reads_every_line() -> None:
    with LineServer(numbered(1000), rate_per_s=20_000) as server:
        command = ["nc", server.host, str(server.port)]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as nc:
            server.wait_clients(1, DEADLINE_S)
            server.wait_done(DEADLINE_S)
            server.close()
            received, _ = nc.communicate(timeout=DEADLINE_S)

    assert received.splitlines() == numbered(1000)
