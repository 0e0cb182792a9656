"""LineServer with clients that are slow, that disconnect or that never read."""

import itertools
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from streamlab.sources.line_server import LineServer
from tests.streamlab.sources.line_reader import DEADLINE_S, Reader, adds_up, eventually, numbered


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
