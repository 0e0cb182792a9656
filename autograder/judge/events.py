"""Which events of a sandbox are believed: those that bear the order's token, in the order in which a runner sends them.

The runner shares its process with the learner's code, so an event is a claim, whoever wrote it. What is believed
here can still be forged by code that finds the token; then it is rows for the case that was just asked, and
those are judged like any others. What can not be done: rows for a case before it began or after it ended, rows of
another sandbox, cases nobody asked for, times longer than the judge's own clock saw.
Keeps out: what follows from an event (autograder.judge.driver, autograder.judge.throughput).
"""

import secrets
import time
from collections.abc import Iterable
from typing import Any

TaskAndCase = tuple[str, int]
CLOCK_SLACK_S = 0.5


def new_token() -> str:
    """What events of one sandbox have to bear."""
    return secrets.token_hex(16)


class Claims:
    """Follows one sandbox from its order on; `believes(event)` says whether the runner sends this now."""

    def __init__(self, token: str, asked: Iterable[TaskAndCase]) -> None:
        self.not_believed = 0
        self._token, self._left = token, set(asked)
        self._began = time.monotonic()
        self._is_loaded = False
        self._last_cell = -1
        self._open: TaskAndCase | None = None

    def ask(self, task: str, case: int) -> None:
        """One more case is asked for (a turn of a throughput check)."""
        self._left.add((task, case))

    def believes(self, event: dict[str, Any]) -> bool:
        """Whether to use this event; what is not believed is only counted."""
        if event["event"] == "ready" and self._last_cell < 0 and not self._is_loaded:
            return False  # sent before the order with its token was read; says nothing
        believed = event.get("token") == self._token and self._fits(event["event"], event)
        self.not_believed += not believed
        return believed

    def _fits(self, name: str, event: dict[str, Any]) -> bool:
        if name in ("finding", "changed"):
            return True
        if not self._is_loaded:
            return self._fits_loading(name, event)
        if name == "begin":
            return self._begins(task_and_case(event))
        if name in ("rows", "failed"):
            return self._ends(task_and_case(event), event)
        return self._open is None and name in ("wait", "spark", "gone", "done", "at_the_start")

    def _fits_loading(self, name: str, event: dict[str, Any]) -> bool:
        if name == "cell":
            at = event.get("at")
            goes_on = type(at) is int and at > self._last_cell
            self._last_cell = at if goes_on and isinstance(at, int) else self._last_cell
            return goes_on
        self._is_loaded = name == "loaded" and self._is_possible(event.get("seconds"))
        return self._is_loaded

    def _begins(self, case: TaskAndCase) -> bool:
        if self._open is not None or case not in self._left:
            return False
        self._open = case
        return True

    def _ends(self, case: TaskAndCase, event: dict[str, Any]) -> bool:
        if self._open != case or not self._is_possible(event.get("seconds")):
            return False
        self._open = None
        self._left.discard(case)
        return True

    def _is_possible(self, seconds: Any) -> bool:
        elapsed_s = time.monotonic() - self._began + CLOCK_SLACK_S
        return type(seconds) in (int, float) and 0 <= seconds <= elapsed_s


def task_and_case(event: dict[str, Any]) -> TaskAndCase:
    """Which case an event is about; ("", -1) where it does not say."""
    case = event.get("case")
    return str(event.get("task", "")), case if type(case) is int else -1
