"""Restores what a version of a stage may change in a warm sandbox besides its module.

This covers the environment, the working directory, the sandbox's home and processes. Threads that still run the
version's code, and a temporary folder that is half full, cannot be restored and are reported instead. Does not restore
Spark; `autograder.inside.warm` does.
"""

import os
import shutil
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

from autograder.inside.servers import is_own

THREAD_EXIT_S = 2.0
FULL_SHARE = 0.5


class Surroundings:
    """The process and its folders as they were before the first version."""

    def __init__(self) -> None:
        self._environment = dict(os.environ)
        self._folder = os.getcwd()
        self._home = Path.home()
        self._entries = _entries(self._home)

    def restore(self, space: dict[str, Any]) -> list[str]:
        """Restore what can be restored; return descriptions of what the version with the globals `space` has left."""
        for child in psutil.Process().children():
            with suppress(psutil.Error):
                if child.name() != "java" and not is_own(child.pid):  # Spark is a Java process
                    child.kill()
                    child.wait(5)
        os.chdir(self._folder)
        os.environ.clear()
        os.environ.update(self._environment)
        for path in _entries(self._home) - self._entries:
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        usage = shutil.disk_usage(tempfile.gettempdir())
        full = ["a temporary folder that is half full"] if usage.used > FULL_SHARE * usage.total else []
        return [*_threads_in(space), *full]


def _entries(folder: Path) -> set[Path]:
    return set(folder.iterdir()) if folder.is_dir() else set()


def _threads_in(space: dict[str, Any]) -> list[str]:
    """Return descriptions of threads that run code with these globals and do not end within `THREAD_EXIT_S`."""
    deadline = time.monotonic() + THREAD_EXIT_S
    while (running := _running(space)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return [f"a thread that runs {name}" for name in running]


def _running(space: dict[str, Any]) -> list[str]:
    found = []
    for identity, frame in sys._current_frames().items():
        if identity == threading.get_ident():
            continue
        caller: Any = frame
        while caller is not None:
            if caller.f_globals is space:
                found.append(caller.f_code.co_name)
                break
            caller = caller.f_back
    return found
