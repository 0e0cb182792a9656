"""Drives `pin` with a process of several threads, and with cores as positions among those that this process may use."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
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


@drive("pin")
def pin(stage: Any, case: Any) -> Rows:
    """Return the result of `pin`, and the cores of each thread afterwards, including one that starts later."""
    own = sorted(os.sched_getaffinity(0))
    cores = [own[at % len(own)] if at < 1000 else at for at in case["cores"]]
    with _process(case["threads"]) as process:
        if case.get("gone"):
            process.kill()
            process.wait()
        rows = or_rejected(lambda: {"returned_cores": plain(stage.pin(process.pid, cores))}, ValueError, OSError)
        if not case.get("gone"):
            rows["cores_of_threads"] = _cores_of_threads(process.pid)
            _start_one_more(process)
            rows["cores_later"] = _cores_of_threads(process.pid)
    for thread in os.listdir("/proc/self/task"):
        os.sched_setaffinity(int(thread), own)
    return rows | {"own": own, "part": _probed(stage)}


@contextmanager
def _process(threads: int) -> Iterator[subprocess.Popen[str]]:
    command = [*PYTHON, "-c", THREADS, str(threads)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            _line_of(process)
            yield process
        finally:
            process.kill()


def _start_one_more(process: Any) -> None:
    process.stdin.write("\n")
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
