"""What a version of a stage could leave in a warm sandbox besides its module, and how it is put back.

Environment, working directory, the sandbox's home, processes. What cannot be put back is reported: threads that still
run the version's code, and a temporary folder that is half full. Does not know Spark (autograder.inside.warm).
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

LAST_THREADS_S = 2.0
FULL = 0.5


class Surroundings:
    """The process and its folders as they were before the first version."""

    def __init__(self) -> None:
        self._environment = dict(os.environ)
        self._folder = os.getcwd()
        self._home = Path.home()
        self._entries = _entries(self._home)

    def restore(self, space: dict[str, Any]) -> list[str]:
        """Put back what can be; returns what the version with the globals `space` has left for good."""
        for child in psutil.Process().children():
            with suppress(psutil.Error):
                if child.name() != "java" and not is_own(child.pid):  # Spark's is a Java process
                    child.kill()
                    child.wait(5)
        os.chdir(self._folder)
        os.environ.clear()
        os.environ.update(self._environment)
        for path in _entries(self._home) - self._entries:
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        usage = shutil.disk_usage(tempfile.gettempdir())
        full = ["a temporary folder that is half full"] if usage.used > FULL * usage.total else []
        return [*_threads_in(space), *full]


def _entries(folder: Path) -> set[Path]:
    return set(folder.iterdir()) if folder.is_dir() else set()


def _threads_in(space: dict[str, Any]) -> list[str]:
    """Threads that run code of these globals and do not end within seconds."""
    end = time.monotonic() + LAST_THREADS_S
    while (running := _running(space)) and time.monotonic() < end:
        time.sleep(0.02)
    return [f"a thread that runs {name}" for name in running]


def _running(space: dict[str, Any]) -> list[str]:
    found = []
    for identity, frame in sys._current_frames().items():
        if identity == threading.get_ident():
            continue
        at: Any = frame
        while at is not None:
            if at.f_globals is space:
                found.append(at.f_code.co_name)
                break
            at = at.f_back
    return found
