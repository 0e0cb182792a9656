"""What tests look at from outside."""

import time
from collections.abc import Callable
from pathlib import Path

import psutil


def processes_of(folder: Path) -> list[int]:
    """The processes whose command line names `folder`."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        if any(str(folder) in part for part in process.info["cmdline"] or ()):
            found.append(process.pid)
    return found


def wait_until(reached: Callable[[], bool], limit_s: float = 10.0) -> None:
    deadline_s = time.monotonic() + limit_s
    while not reached():
        assert time.monotonic() < deadline_s, f"not reached within {limit_s:g} s"
        time.sleep(0.02)
