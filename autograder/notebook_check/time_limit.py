"""The time limit of a check cell: it stops a case that takes too long, and once a second the cell can show progress.

It uses the alarm signal, which interrupts Python and anything that Python waits for; the kernel keeps running. Only
the main thread of a process gets signals, so other threads have no limit.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from streamlab.granted_time import Deadline, own_deadline
from streamlab.notebooks.loader import Stopped, is_cell

EVERY_S = 1.0


class OutOfTime(Stopped):
    """A case exceeded its limit; a learner's `except Exception` does not catch it. `line` is 0 outside a cell."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


class TimeLimit:
    """Stops each case after `limit_s` and calls `on_second` about once a second until then."""

    def __init__(self, limit_s: float, on_second: Callable[[], None]) -> None:
        self.limit_s, self._on_second = limit_s, on_second
        self._deadline: Deadline | None = None

    @contextmanager
    def running(self) -> Iterator[None]:
        """Call `on_second` regularly while the block runs."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before: Any = signal.signal(signal.SIGALRM, self._ring)
        signal.setitimer(signal.ITIMER_REAL, EVERY_S, EVERY_S)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    @contextmanager
    def one_case(self) -> Iterator[None]:
        """Raise OutOfTime in the block once it exceeds the limit."""
        self._deadline = own_deadline(self.limit_s)
        try:
            yield
        finally:
            self._deadline = None

    def _ring(self, number: int, frame: FrameType | None) -> None:
        if self._deadline is not None and self._deadline.is_over:
            raise OutOfTime(_line_in_cells(frame))
        self._on_second()


def _line_in_cells(frame: FrameType | None) -> int:
    """Return the line of the innermost running cell, 0 if there is none."""
    while frame is not None:
        if is_cell(frame.f_code.co_filename):
            return frame.f_lineno
        frame = frame.f_back
    return 0
