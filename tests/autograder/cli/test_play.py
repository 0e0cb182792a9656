"""`./lab play` sends a recorded file over TCP line by line, and reports a mistake in one line."""

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from streamlab.lab02_windows.tweet_server import write_recording
from tests.autograder.cli.conftest import ROOT, Mistake

LINES = [f"line {number}" for number in range(200)]


@contextmanager
def playing(cwd: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Run the verb for a block; yield its process and port."""
    command = [sys.executable, "-m", "autograder.cli", "play", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "STREAMLAB_CALLED_FROM": str(cwd)}
    with subprocess.Popen(command, cwd=ROOT, env=environment, text=True, stdout=-1, stderr=-1) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"127\.0\.0\.1:(\d+)", process.stdout.readline())
            yield process, int(found[1]) if found else 0
        finally:
            process.kill()


def received(port: int) -> list[str]:
    """Return all lines until the server closes the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        content = b"".join(iter(lambda: connection.recv(65536), b""))
    return content.decode().splitlines()


def test_every_line_of_the_file_is_sent_once_and_in_order(tmp_path: Path) -> None:
    write_recording(LINES, tmp_path / "some.jsonl.gz")

    with playing(tmp_path, "some.jsonl.gz", "--rate", "10000") as (process, port):
        assert received(port) == LINES
        assert process.wait(20) == 0
        assert process.stdout is not None
        assert "sent 200, dropped 0" in process.stdout.read()


def test_playing_starts_when_the_requested_number_of_clients_is_connected(tmp_path: Path) -> None:
    write_recording(LINES, tmp_path / "some.jsonl")

    with (
        playing(tmp_path, "some.jsonl", "--rate", "10000", "--clients", "2") as (_, port),
        socket.create_connection(("127.0.0.1", port), timeout=20) as first,
    ):
        assert received(port) == LINES
        assert first.recv(6) == b"line 0"


def test_a_missing_file_is_one_line_and_exit_code_two(tmp_path: Path, mistake: Mistake) -> None:
    assert re.fullmatch(r"lab: no file .*none\.jsonl; .*makes one\n", mistake("play", "none.jsonl", caller=tmp_path))


def test_the_error_for_a_broken_recording_names_the_last_good_line(tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl.gz"
    write_recording([f"{line} {number * 7919}" for line in LINES for number in range(50)], path)
    path.write_bytes(path.read_bytes()[:-3000])

    with playing(tmp_path, str(path), "--rate", "1000000") as (process, port):
        assert 0 < len(received(port)) < 10_000
        assert process.wait(20) == 2
        assert process.stderr is not None
        assert "is broken after line" in process.stderr.read()
