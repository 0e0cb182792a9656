"""A stopped process tree uses no time, and any activity is detected."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from autograder.sandbox.process_tree import StillRunning, moved_since, snapshot_tree, stop_tree

BURN = "while True: pass"
FAMILY = "import os\nfor _ in range(3): os.fork()\nwhile True: pass"
CHAIN = """import os, time
if os.fork():
    time.sleep(1000)
while True:
    end = time.monotonic() + 0.001
    while time.monotonic() < end: pass
    if os.fork(): os._exit(0)
"""


@contextmanager
def running(source: str) -> Iterator[int]:
    """Run a separate tree; yield its pid. Orphans stay below it, as they do below the init of a sandbox."""
    become_reaper = "import ctypes; ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)\n"
    process = subprocess.Popen([sys.executable, "-c", become_reaper + source], start_new_session=True)
    try:
        yield process.pid
    finally:
        os.killpg(process.pid, signal.SIGKILL)  # all at once: a chain of forks would escape single kills
        process.wait()


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def busy(pid: int, processes: int) -> Callable[[], bool]:
    return lambda: len(snapshot_tree(pid)) >= processes and sum(each.ticks for each in snapshot_tree(pid)) > 5


@pytest.mark.parametrize(("source", "processes"), [(BURN, 1), (FAMILY, 8)])
def test_a_stopped_tree_uses_no_time(source: str, processes: int) -> None:
    with running(source) as pid:
        until(busy(pid, processes))

        snapshot = stop_tree(pid)
        used = sum(each.ticks for each in snapshot)
        end = time.monotonic() + 0.3
        while time.monotonic() < end:
            assert {each.state for each in snapshot_tree(pid)} == {"T"}

        assert len(snapshot) == processes
        assert moved_since(pid, snapshot) is None
        assert sum(each.ticks for each in snapshot_tree(pid)) == used


def test_a_process_that_was_resumed_is_detected() -> None:
    with running(BURN) as pid:
        until(busy(pid, 1))
        snapshot = stop_tree(pid)

        os.kill(pid, signal.SIGCONT)
        until(lambda: sum(each.ticks for each in snapshot_tree(pid)) > sum(each.ticks for each in snapshot) + 10)

        assert "processor time while it was stopped" in str(moved_since(pid, snapshot))


SPENDS_A_CHILD = """import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel forgets the child and its time
def spend(*_):
    if os.fork() == 0:
        end = time.monotonic() + 0.2
        while time.monotonic() < end: pass
        os._exit(0)
    os.kill(os.getpid(), signal.SIGSTOP)
signal.signal(signal.SIGCONT, spend)
while True: time.sleep(1000)
"""
ENDS_WHEN_WOKEN = """import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
if os.fork() == 0:
    signal.signal(signal.SIGCONT, lambda *_: os._exit(0))
while True: time.sleep(1000)
"""
THREADS = """import threading, time
def work(pause_s):
    while True:
        sum(range(100))
        time.sleep(pause_s)
for number in range(16): threading.Thread(target=work, args=(number / 10_000,)).start()
"""
LEADERLESS = "import ctypes, threading\n" + (
    "def burn():\n    while True: pass\nthreading.Thread(target=burn).start()\nctypes.CDLL(None).pthread_exit(None)"
)


def sleeping(pid: int, processes: int) -> Callable[[], bool]:
    """Return a condition that holds when all processes sleep, so that their handlers are set."""
    return lambda: [each.state for each in snapshot_tree(pid)] == ["S"] * processes


def test_a_child_that_started_and_ended_in_between_is_detected() -> None:
    with running(SPENDS_A_CHILD) as pid:
        until(sleeping(pid, 1))
        snapshot = stop_tree(pid)

        os.kill(pid, signal.SIGCONT)
        until(lambda: len(snapshot_tree(pid)) == 2)
        until(lambda: [each.state for each in snapshot_tree(pid)] == ["T"])

        assert "ran while it was stopped" in str(moved_since(pid, snapshot))


def test_a_process_that_ended_in_between_is_detected() -> None:
    with running(ENDS_WHEN_WOKEN) as pid:
        until(sleeping(pid, 2))
        snapshot = stop_tree(pid)
        assert moved_since(pid, snapshot) is None

        os.kill(snapshot[1].key[0], signal.SIGCONT)
        until(lambda: len(snapshot_tree(pid)) == 1)

        assert "1 of its processes ended" in str(moved_since(pid, snapshot))


def test_threads_that_are_stopped_and_resumed_many_times_are_not_reported() -> None:
    with running(THREADS) as pid:
        until(busy(pid, 1))

        for _ in range(40):
            snapshot = stop_tree(pid)
            assert moved_since(pid, snapshot) is None
            os.kill(pid, signal.SIGCONT)


def test_threads_without_their_main_thread_are_stopped_too() -> None:
    with running(LEADERLESS) as pid:
        until(lambda: [each.state for each in snapshot_tree(pid)] == ["Z"])

        snapshot = stop_tree(pid)

        assert {thread.state for thread in snapshot[0].threads.values()} == {"T", "Z"}
        assert moved_since(pid, snapshot) is None


def test_a_new_process_is_detected() -> None:
    with running("import os, time\nos.fork()\ntime.sleep(1000)") as pid:
        until(lambda: len(snapshot_tree(pid)) == 2)
        snapshot = stop_tree(pid)

        assert "started 1 processes" in str(moved_since(pid, snapshot[:1]))


def test_a_tree_that_forks_faster_than_it_is_stopped_is_given_up_or_stopped() -> None:
    with running(CHAIN) as pid:
        until(lambda: len(snapshot_tree(pid)) >= 2)

        try:
            snapshot = stop_tree(pid, patience_s=0.5)
        except StillRunning:
            return  # given up

        assert moved_since(pid, snapshot) is None
