"""The audit: reports to the judge, as events, what the learner's own code tries to do besides computing.

Python calls its audit hooks (PEP 578) before it opens a file, starts a process, connects, and so on. The audit reports
an event if the first frame outside libraries belongs to a cell. It does not report what a library does during its
import, or what the kit does when a cell calls it. The audit prevents nothing; isolation does that.

The audit cannot see C code (it reports that ctypes is loaded), Spark's Java process and Python workers, programs that
were started (it reports their start), or code that gives itself a library's file name.
"""

import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from autograder.inside.allowed_paths import Allowed
from autograder.inside.audit_events import DIRECT, readers_of

EVENTS_MAX = 24
SUBJECT_CHARS = 120
_SCHEDULER = ("\ndagScheduler\n", "\nnextJobId\n", "\nnumTotalJobs\n", "\nsetAccessible\n", "\ngetDeclaredField\n")


class Audit:
    """Calls `report(what, subject)` for up to `EVENTS_MAX` different events, from `begin()` until the process ends."""

    def __init__(self, report: Callable[[str, str], None]) -> None:
        self._report, self._reported = report, set[tuple[str, str]]()
        self._thread_state = threading.local()
        self._watched: list[dict[str, Any]] = []
        self._allowed = Allowed()
        self.readers = readers_of(self._allowed)
        _watch_the_scheduler(self._check_scheduler)

    def begin(self, space: dict[str, Any]) -> None:
        """Start reporting events of cells and of code with the globals `space`; a second call does nothing."""
        if not self._watched:
            self._watched.append(space)
            sys.addaudithook(self._hook)

    def watch(self, space: dict[str, Any]) -> None:
        """Watch code with these globals instead of the previous ones, and report known events again."""
        self.begin(space)
        if self._watched[0] is not space:
            self._watched[0] = space
            self._reported.clear()

    def _hook(self, event: str, args: tuple[Any, ...]) -> None:
        reader = self.readers.get(event)
        if reader is None or getattr(self._thread_state, "busy", False):
            return
        self._thread_state.busy = True
        try:
            found = reader(event, args)
            if found is not None and self._is_learners(sys._getframe(1), direct=event in DIRECT):
                self._report_once(*found)
        except Exception:
            pass  # an error in a hook would stop the learner's code, and an odd argument is no reason for that
        finally:
            self._thread_state.busy = False

    def _report_once(self, what: str, subject: str) -> None:
        found = (what, subject[:SUBJECT_CHARS])
        if found not in self._reported and len(self._reported) < EVENTS_MAX:
            self._reported.add(found)
            self._report(*found)

    def _check_scheduler(self, command: str) -> None:
        if any(each in command for each in _SCHEDULER) and self._is_learners(sys._getframe(2), direct=False):
            self._report_once("scheduler", "")

    def _is_learners(self, frame: FrameType | None, *, direct: bool) -> bool:
        """Return whether the first frame outside libraries is a cell's; with `direct`, whether the first frame is."""
        for each in _callers(frame):
            file = each.f_code.co_filename
            if any(each.f_globals is space for space in self._watched) or self._allowed.is_a_cells(file):
                return True
            if direct and not file.endswith("/inspect.py"):
                return False
            if file.startswith("<frozen importlib") or self._allowed.is_the_kits(file):
                return False
        return False


def _callers(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def _watch_the_scheduler(on_command: Callable[[str], None]) -> None:
    """Call `on_command` with each command for Spark's Java process, since its number of started jobs is graded."""
    gateway = sys.modules.get("py4j.java_gateway")
    if gateway is None:
        return
    send_command = gateway.GatewayClient.send_command

    def watched(self: Any, command: str, *rest: Any, **named: Any) -> Any:
        on_command(command)
        return send_command(self, command, *rest, **named)

    gateway.GatewayClient.send_command = watched
