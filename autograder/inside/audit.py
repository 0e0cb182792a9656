"""The audit: what the learner's own code tries to do besides computing, told to the judge as events.

Python tells its audit hooks (PEP 578) before it opens a file, starts a process, connects, and so on. An event is
told where the first frame outside libraries is a cell's: what a library does while it is imported, and what
the kit does when a cell calls it, is not the learner's doing. Nothing is prevented here; isolation does that.

What it cannot see: C code (ctypes is told when it is loaded), Spark's Java process and Python workers, programs
that were started (their start is told), and code that gives itself a library's file name.
"""

import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from autograder.inside.allowed_paths import Allowed
from autograder.inside.audit_events import DIRECT, readers_of

TOLD_MAX = 24
SUBJECT_CHARS = 120
_SCHEDULER = ("\ndagScheduler\n", "\nnextJobId\n", "\nnumTotalJobs\n", "\nsetAccessible\n", "\ngetDeclaredField\n")


class Audit:
    """Tells `tell(what, subject)` at most `TOLD_MAX` different things, from `begin()` on; it has no end."""

    def __init__(self, tell: Callable[[str, str], None]) -> None:
        self._tell, self._on_progress = tell, set[tuple[str, str]]()
        self._here = threading.local()
        self._spaces: list[dict[str, Any]] = []
        self._allowed = Allowed()
        self.readers = readers_of(self._allowed)
        _watch_the_scheduler(self._scheduler)

    def begin(self, space: dict[str, Any]) -> None:
        """From now on, tell what code with the globals `space` does, and code of cells; a second call does nothing."""
        if not self._spaces:
            self._spaces.append(space)
            sys.addaudithook(self._hook)

    def watch(self, space: dict[str, Any]) -> None:
        """Follow code with these globals in place of those before, and tell again what was told of them."""
        self.begin(space)
        if self._spaces[0] is not space:
            self._spaces[0] = space
            self._on_progress.clear()

    def _hook(self, event: str, args: tuple[Any, ...]) -> None:
        reader = self.readers.get(event)
        if reader is None or getattr(self._here, "busy", False):
            return
        self._here.busy = True
        try:
            found = reader(event, args)
            if found is not None and self._is_the_learners(sys._getframe(1), direct=event in DIRECT):
                self._once(*found)
        except Exception:
            pass  # what a hook raises would stop the learner's code, and a strange argument is no reason to
        finally:
            self._here.busy = False

    def _once(self, what: str, subject: str) -> None:
        found = (what, subject[:SUBJECT_CHARS])
        if found not in self._on_progress and len(self._on_progress) < TOLD_MAX:
            self._on_progress.add(found)
            self._tell(*found)

    def _scheduler(self, command: str) -> None:
        if any(each in command for each in _SCHEDULER) and self._is_the_learners(sys._getframe(2), direct=False):
            self._once("scheduler", "")

    def _is_the_learners(self, frame: FrameType | None, *, direct: bool) -> bool:
        """Whether the first frame that is no library's is a cell's; `direct`: whether the very first one is."""
        for each in _outwards(frame):
            file = each.f_code.co_filename
            if any(each.f_globals is space for space in self._spaces) or self._allowed.is_a_cells(file):
                return True
            if direct and not file.endswith("/inspect.py"):
                return False
            if file.startswith("<frozen importlib") or self._allowed.is_the_kits(file):
                return False
        return False


def _outwards(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def _watch_the_scheduler(tell: Callable[[str], None]) -> None:
    """See what is sent to Spark's Java process; the number of jobs that it started is graded."""
    gateway = sys.modules.get("py4j.java_gateway")
    if gateway is None:
        return
    send_command = gateway.GatewayClient.send_command

    def watched(self: Any, command: str, *rest: Any, **named: Any) -> Any:
        tell(command)
        return send_command(self, command, *rest, **named)

    gateway.GatewayClient.send_command = watched
