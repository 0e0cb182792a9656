"""Ends the sandboxes of a batch that was interrupted, so that Ctrl-C does not wait for a notebook's time limit."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from autograder.sandbox import Sandbox


class Stopped(Exception):
    """The batch was interrupted; nobody reads the results of what was still running."""


class Stop:
    """Knows the open sandboxes of a batch. Any thread may call it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_set = False
        self._open: set[Sandbox] = set()

    def set(self) -> None:
        """Kill all open sandboxes, and let no further one begin."""
        with self._lock:
            self._is_set = True
            for sandbox in self._open:
                sandbox.kill()

    @contextmanager
    def covers(self, sandbox: Sandbox) -> Iterator[None]:
        """Count a sandbox as open inside the `with` block. Raises `Stopped` if the batch was interrupted."""
        with self._lock:
            if self._is_set:
                raise Stopped
            self._open.add(sandbox)
        try:
            yield
        finally:
            with self._lock:
                self._open.discard(sandbox)
