"""A tree that was stopped stands still, or it is found out."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from autograder.sandbox.process_tree import StillRunning, look_at_tree, moved_since, stop_tree

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
    """A tree of its own; its pid. Orphans stay below it, as they do below the init of a sandbox."""
    become_reaper = "import ctypes; ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)\n"
    process = subprocess.Popen([sys.executable, "-c", become_reaper + source], start_new_session=True)
    try:
        yield process.pid
    finally:
        os.killpg(process.pid, signal.SIGKILL)  # all at once: one by one, a chain of forks would get away
        process.wait()


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def busy(pid: int, processes: int) -> Callable[[], bool]:
    return lambda: len(look_at_tree(pid)) >= processes and sum(each.ticks for each in look_at_tree(pid)) > 5


@pytest.mark.parametrize(("source", "processes"), [(BURN, 1), (FAMILY, 8)])
def test_a_tree_that_was_stopped_uses_no_time(source: str, processes: int) -> None:
    with running(source) as pid:
        until(busy(pid, processes))

        stood = stop_tree(pid)
        used = sum(each.ticks for each in stood)
        end = time.monotonic() + 0.3
        while time.monotonic() < end:
            assert {each.state for each in look_at_tree(pid)} == {"T"}

        assert len(stood) == processes
        assert moved_since(pid, stood) is None
        assert sum(each.ticks for each in look_at_tree(pid)) == used


def test_a_process_that_was_woken_up_is_found_out() -> None:
    with running(BURN) as pid:
        until(busy(pid, 1))
        stood = stop_tree(pid)

        os.kill(pid, signal.SIGCONT)
        until(lambda: sum(each.ticks for each in look_at_tree(pid)) > sum(each.ticks for each in stood) + 10)

        assert "processor time while it was stopped" in str(moved_since(pid, stood))


def test_a_process_that_is_new_is_found_out() -> None:
    with running("import os, time\nos.fork()\ntime.sleep(1000)") as pid:
        until(lambda: len(look_at_tree(pid)) == 2)
        stood = stop_tree(pid)

        assert "started 1 processes" in str(moved_since(pid, stood[:1]))


def test_a_tree_that_forks_faster_than_it_is_stopped_is_given_up_or_stands() -> None:
    with running(CHAIN) as pid:
        until(lambda: len(look_at_tree(pid)) >= 2)

        try:
            stood = stop_tree(pid, patience_s=0.5)
        except StillRunning:
            return  # given up

        assert moved_since(pid, stood) is None
