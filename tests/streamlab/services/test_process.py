"""A detached process is found by its pid file, and never confused with another process."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from streamlab.services.process import DetachedProcess, Ended
from tests.streamlab.services.conftest import wait_until

ROOT = Path(__file__).resolve().parents[3]
FOREVER = ["sleep", "600"]
WITHOUT_ITS_FIRST_THREAD = """
import ctypes, threading, time
threading.Thread(target=time.sleep, args=(600,)).start()
ctypes.CDLL(None).pthread_exit(None)
"""
COUNTERS, WIDTH, PAUSES = 8, 12, 40
# Two processes with threads that count without a pause, each in its own place of a file.
COUNTING = f"""
import itertools, os, threading
half = {COUNTERS // 2}
counts = os.open("counts", os.O_RDWR | os.O_CREAT)
first = 0 if os.fork() else half

def count(place):
    for number in itertools.count():
        os.pwrite(counts, b"%{WIDTH - 1}d\\n" % number, place * {WIDTH})

for place in range(first, first + half):
    threading.Thread(target=count, args=(place,)).start()
"""
STUBBORN = ["sh", "-c", 'trap "" TERM; echo ready; while :; do sleep 600 & wait $!; done']


@pytest.fixture
def process(tmp_path: Path) -> Iterator[DetachedProcess]:
    made = DetachedProcess(tmp_path / "pid.json", tmp_path / "it.log")
    yield made
    made.kill()


def start(process: DetachedProcess, command: list[str]) -> None:
    process.start(command, cwd=process.log.parent, environment=os.environ)


def test_a_process_outlives_its_python_and_is_found_by_its_pid_file(process: DetachedProcess, tmp_path: Path) -> None:
    program = (
        "import os, pathlib, sys; from streamlab.services.process import DetachedProcess\n"
        "here = pathlib.Path(sys.argv[1])\n"
        "DetachedProcess(here / 'pid.json', here / 'it.log')"
        ".start(['sleep', '600'], cwd=here, environment=os.environ)"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=True, cwd=ROOT)
    pid = process.pid

    assert pid is not None
    assert psutil.Process(pid).name() == "sleep"
    assert process.stop(patience_s=30) is True
    assert process.pid is None


def test_no_thread_runs_between_pause_and_sigcont(process: DetachedProcess, tmp_path: Path) -> None:
    counts = tmp_path / "counts"
    start(process, [sys.executable, "-c", COUNTING])
    wait_until(lambda: counts.exists() and counts.stat().st_size == COUNTERS * WIDTH)
    for _ in range(PAUSES):
        process.pause()
        paused = counts.read_bytes()
        time.sleep(0.002)  # a running counter counts within this time

        assert counts.read_bytes() == paused

        process.send(signal.SIGCONT)
        wait_until(lambda paused=paused: counts.read_bytes() != paused)


def test_a_process_with_another_start_time_is_not_touched(process: DetachedProcess) -> None:
    with subprocess.Popen(FOREVER, start_new_session=True) as other:
        process.pid_file.write_text(json.dumps({"pid": other.pid, "began": 12.0}))

        stale, pid = process.is_stale, process.pid
        process.stop(patience_s=5)
        still_there = other.poll() is None
        other.kill()

    assert (stale, pid, still_there) == (True, None, True)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"pid": "x", "began": 1}', '{"pid": 1}'])
def test_a_broken_pid_file_is_stale(process: DetachedProcess, content: str) -> None:
    process.pid_file.write_text(content)

    assert process.is_stale
    assert process.recorded_pid is None or content == '{"pid": 1}'


def test_a_process_killed_from_outside_counts_as_gone_although_it_is_a_zombie(process: DetachedProcess) -> None:
    start(process, FOREVER)
    pid = process.pid
    assert pid is not None

    os.kill(pid, 9)
    wait_until(lambda: is_zombie(pid))

    assert process.pid is None
    assert process.is_stale


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere such a process shows in another way")
def test_a_process_with_running_threads_is_not_gone_after_its_main_thread_exits(process: DetachedProcess) -> None:
    start(process, [sys.executable, "-c", WITHOUT_ITS_FIRST_THREAD])
    process.wait_until(lambda: is_zombie(process.recorded_pid or 0), limit_s=10)
    pid = process.pid
    process.kill()

    assert pid == process.recorded_pid
    assert process.pid is None


def test_a_process_that_ignores_sigterm_is_killed_with_its_children(process: DetachedProcess) -> None:
    start(process, STUBBORN)
    process.wait_until(lambda: "ready" in process.log.read_text(), limit_s=30)
    pid = process.pid
    assert pid is not None
    wait_until(lambda: psutil.Process(pid).children() != [])
    group = [pid, *(each.pid for each in psutil.Process(pid).children(recursive=True))]

    ended_by_sigterm = process.stop(patience_s=0.2)

    assert len(group) >= 2
    assert ended_by_sigterm is False
    wait_until(lambda: all(map(is_zombie, group)))  # each got SIGKILL, and dies when the system handles it
    assert not process.pid_file.exists()


def test_waiting_fails_when_the_process_ends(process: DetachedProcess) -> None:
    start(process, ["sh", "-c", "echo no space; exit 3"])

    with pytest.raises(Ended, match="exit code 3"):
        process.wait_until(lambda: False, limit_s=60)

    assert process.last_lines() == "no space"


def test_waiting_fails_at_its_deadline(process: DetachedProcess) -> None:
    start(process, FOREVER)

    with pytest.raises(TimeoutError, match=r"not ready within 0\.1 s"):
        process.wait_until(lambda: False, limit_s=0.1)


def test_the_log_of_the_previous_run_is_kept(process: DetachedProcess, tmp_path: Path) -> None:
    for line in ("first", "second"):
        process.begin_log()
        start(process, ["sh", "-c", f"echo {line}; exec sleep 600"])
        process.wait_until(lambda line=line: line in process.log.read_text(), limit_s=30)
        process.kill()

    assert process.log.read_text() == "second\n"
    assert (tmp_path / "it.log.before").read_text() == "first\n"


def is_zombie(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
