"""Drives `pin` with a process of several threads, and with cores as positions among those that this process may use."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain
from streamlab.kit_program import PYTHON

THREADS = """
import sys, threading
def start():
    threading.Thread(target=threading.Event().wait, daemon=True).start()
for _ in range(int(sys.argv[1]) - 1):
    start()
print("ready", flush=True)
for line in sys.stdin:
    start()
    print("one more", flush=True)
"""
# Each line has the id of a thread; another thread starts the next one, which inherits the cores of that one.
BY_ANOTHER_THREAD = """
import queue, sys, threading
def start_at_each(order):
    while order.get():
        threading.Thread(target=threading.Event().wait, daemon=True).start()
        print("one more", flush=True)
starters = []
for order in queue.Queue(), queue.Queue():
    starters.append((threading.Thread(target=start_at_each, args=(order,), daemon=True), order))
    starters[-1][0].start()
print("ready", flush=True)
for line in sys.stdin:
    next(order for thread, order in starters if thread.native_id != int(line)).put(True)
"""


@drive("pin")
def pin(stage: Any, case: Any) -> Rows:
    """Return the result of `pin`, and the cores of each thread afterwards, including one that starts later."""
    own = sorted(os.sched_getaffinity(0))
    cores = [own[at % len(own)] if at < 1000 else at for at in case["cores"]]
    with _process(case) as process:
        if case.get("gone"):
            process.kill()
            process.wait()
        with _started_meanwhile(process) if case.get("starts_meanwhile") else nullcontext():
            rows = or_rejected(lambda: {"returned_cores": plain(stage.pin(process.pid, cores))}, ValueError, OSError)
        if not case.get("gone"):
            rows["cores_of_threads"] = _cores_of_threads(process.pid)
            _start_one_more(process)
            rows["cores_later"] = _cores_of_threads(process.pid)
    for thread in os.listdir("/proc/self/task"):
        os.sched_setaffinity(int(thread), own)
    return rows | {"own": own, "part": _probed(stage)}


@contextmanager
def _process(case: Any) -> Iterator[subprocess.Popen[str]]:
    program = BY_ANOTHER_THREAD if case.get("starts_meanwhile") else THREADS
    command = [*PYTHON, "-c", program, str(case["threads"])]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            _line_of(process)
            yield process
        finally:
            process.kill()


@contextmanager
def _started_meanwhile(process: Any) -> Iterator[None]:
    """Start one more thread of the process as soon as a first one is pinned."""
    pinned, real = list[int](), os.sched_setaffinity

    def set_and_start(thread: int, cores: Any) -> None:
        real(thread, cores)
        pinned.append(thread)
        if len(pinned) == 1:
            _start_one_more(process, not_by=thread)

    os.sched_setaffinity = set_and_start
    try:
        yield
    finally:
        os.sched_setaffinity = real


def _start_one_more(process: Any, not_by: int = 0) -> None:
    process.stdin.write(f"{not_by}\n")
    process.stdin.flush()
    _line_of(process)


def _line_of(process: Any) -> None:
    if not process.stdout.readline():
        raise RuntimeError("the process whose threads are to be pinned has ended on its own")


def _cores_of_threads(pid: int) -> list[list[int]]:
    threads = sorted(map(int, os.listdir(f"/proc/{pid}/task")))
    return [sorted(os.sched_getaffinity(thread)) for thread in threads]


def _probed(stage: Any) -> Any:
    try:
        return plain(stage.cpus("0-2,8\n"))
    except Exception as problem:
        return f"{type(problem).__name__}: {problem}"[:200]
