"""LineServer with real sockets on loopback, and with nc."""

import itertools
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from streamlab.sources.line_server import LineServer

DEADLINE_S = 20.0


class Reader:
    """A client that reads in its own thread and keeps the bytes."""

    def __init__(self, server: LineServer) -> None:
        self.connection = socket.create_connection((server.host, server.port))
        self.received = bytearray()
        self._count = 0
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        while piece := self._receive():
            with self._changed:
                self.received += piece
                self._count += piece.count(b"\n")
                self._changed.notify_all()

    def _receive(self) -> bytes:
        try:
            return self.connection.recv(1 << 16)
        except OSError:  # the test closed the connection
            return b""

    def lines(self, n: int) -> list[str]:
        """Wait for `n` lines and return all received so far."""
        with self._changed:
            assert self._changed.wait_for(lambda: self._count >= n, DEADLINE_S), self.received[-200:]
            return self.received.decode().removesuffix("\n").split("\n")

    def wait_end(self) -> bytearray:
        """Wait until the server closes the connection, and return all received bytes."""
        self._thread.join(DEADLINE_S)
        assert not self._thread.is_alive()
        self.connection.close()
        return self.received


def numbered(n: int) -> list[str]:
    return [f"line {i}" for i in range(n)]


def eventually(reached: Callable[[], bool]) -> None:
    deadline_s = time.monotonic() + DEADLINE_S
    while not reached():
        assert time.monotonic() < deadline_s, "not reached before the deadline"
        threading.Event().wait(0.005)


def adds_up(server: LineServer) -> bool:
    return all(each.offered == each.sent + each.dropped + each.waiting + each.lost for each in server.report().clients)


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


def test_block_makes_the_source_wait_for_a_slow_client_and_drops_nothing() -> None:
    lines = ["x" * 100_000] * 200  # more than the system's own buffers take
    with LineServer(lines, buffer_lines=10) as server:
        slow = socket.create_connection((server.host, server.port))
        eventually(lambda: server.report().blocked_s > 0.1)
        blocked = server.report()

        assert blocked.waiting == 10
        assert blocked.played < len(lines)
        read_bytes = 0
        while read_bytes < 200 * 100_001:
            read_bytes += len(slow.recv(1 << 20))
        server.wait_done(DEADLINE_S)
        assert (server.report().sent, server.report().dropped) == (200, 0)
        assert adds_up(server)
        slow.close()


def test_blocked_time_is_counted_once_for_any_number_of_slow_clients() -> None:
    with LineServer(["x" * 100_000] * 200, buffer_lines=10, wait_for_clients=3) as server:
        slow = [socket.create_connection((server.host, server.port)) for _ in range(3)]
        eventually(lambda: server.report().blocked_s > 0.2)

        assert server.report().blocked_s <= server.report().playing_s
        for client in slow:
            client.close()


def test_drop_discards_the_newest_lines_of_a_slow_client_and_does_not_block() -> None:
    lines = ["x" * 100_000] * 400
    with LineServer(lines, rate_per_s=2000, policy="drop", buffer_lines=10) as server:
        slow = socket.create_connection((server.host, server.port))
        eventually(lambda: server.report().played == len(lines))
        report = server.report()

        assert report.dropped > 0
        assert report.blocked_s == 0
        assert report.offered == 400
        assert adds_up(server)
        slow.close()


def test_with_drop_a_slow_client_does_not_affect_a_fast_one() -> None:
    fast: list[Reader] = []

    def at_the_pace_of_the_fast_one() -> Iterator[str]:
        for i in range(300):
            if i >= 5:
                fast[0].lines(i - 5)
            yield "x" * 50_000

    source = at_the_pace_of_the_fast_one()
    with LineServer(source, rate_per_s=10**6, policy="drop", buffer_lines=10, wait_for_clients=2) as server:
        fast.append(Reader(server))
        slow = socket.create_connection((server.host, server.port))
        fast[0].lines(300)

        dropped = {each.address: each.dropped for each in server.report().clients}
        assert dropped["{}:{}".format(*slow.getsockname())] > 0
        assert dropped["{}:{}".format(*fast[0].connection.getsockname())] == 0
        slow.close()


def test_a_client_that_disconnects_does_not_stop_the_others() -> None:
    with LineServer(numbered(3000), rate_per_s=10_000, wait_for_clients=2) as server:
        leaver, stayer = Reader(server), Reader(server)
        leaver.lines(10)
        leaver.connection.close()

        assert stayer.lines(3000) == numbered(3000)
        assert adds_up(server)


def test_block_waits_for_a_new_client_if_the_only_one_disconnects() -> None:
    with LineServer((f"{i}" for i in itertools.count()), rate_per_s=2000) as server:
        first = Reader(server)
        first.lines(10)
        first.connection.shutdown(socket.SHUT_RDWR)
        first.connection.close()
        eventually(lambda: not server.report().clients[0].connected)
        stopped_at = server.report().played
        second = Reader(server)

        assert int(second.lines(1)[0]) == stopped_at
        assert adds_up(server)


def test_drop_continues_without_clients_and_counts_the_lines_as_unheard() -> None:
    with LineServer(numbered(20), rate_per_s=1000, policy="drop", wait_for_clients=0) as server:
        server.wait_done(DEADLINE_S)

        assert (server.report().played, server.report().unheard, server.report().offered) == (20, 20, 0)


def test_closing_disconnects_clients_and_leaves_no_thread_and_no_port() -> None:
    before = set(threading.enumerate())
    server = LineServer(numbered(10**6), rate_per_s=100)
    reader = Reader(server)
    reader.lines(1)
    server.close()
    reader.wait_end()

    assert {thread for thread in threading.enumerate() if thread.name.startswith("LineServer")} <= before
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((server.host, server.port))
    server.close()  # closing twice is fine


def test_closing_does_not_wait_for_a_client_that_never_reads() -> None:
    server = LineServer(["x" * 1_000_000], loop=True)
    stuck = socket.create_connection((server.host, server.port))
    eventually(lambda: server.report().blocked_s > 0.05)
    started_s = time.monotonic()
    server.close()

    assert time.monotonic() - started_s < 5
    assert server.report().lost > 0
    stuck.close()


def test_closing_before_any_client_connects_is_quick_even_for_an_endless_source() -> None:
    started_s = time.monotonic()
    with LineServer(["a"], loop=True):
        pass

    assert time.monotonic() - started_s < 5


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
