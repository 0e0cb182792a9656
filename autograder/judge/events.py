"""Decides which events of a sandbox to believe: those with the order's token, in the sequence that a runner sends.

The runner shares its process with the learner's code, so every event is only a claim. Code that finds the token can
still forge an event. It can then only send rows for the current case, and the judge checks these like any others. It
cannot send rows for a case that has not begun or has ended, rows of another sandbox, cases that were not requested, or
times longer than the judge's own clock measured.
"""

import secrets
import time
from collections.abc import Iterable
from typing import Any

TaskAndCase = tuple[str, int]
CLOCK_SLACK_S = 0.5


def new_token() -> str:
    """Return a new token, which every event of one sandbox has to carry."""
    return secrets.token_hex(16)


class Claims:
    """Follows one sandbox from its order on; `believes(event)` returns whether the runner could send this event now."""

    def __init__(self, token: str, asked: Iterable[TaskAndCase]) -> None:
        self.not_believed = 0
        self._token, self._left = token, set(asked)
        self._began = time.monotonic()
        self._is_loaded = False
        self._last_cell = -1
        self._open: TaskAndCase | None = None

    def ask(self, task: str, case: int) -> None:
        """Expect one more case (a turn of a throughput check)."""
        self._left.add((task, case))

    def believes(self, event: dict[str, Any]) -> bool:
        """Return whether to use this event; all other events are only counted."""
        if event["event"] == "ready" and self._last_cell < 0 and not self._is_loaded:
            return False  # the runner sends it before it reads the order with the token; it makes no claim
        believed = event.get("token") == self._token and self._fits(event["event"], event)
        self.not_believed += not believed
        return believed

    def _fits(self, name: str, event: dict[str, Any]) -> bool:
        if name in ("finding", "changed", "call"):
            return True
        if not self._is_loaded:
            return self._fits_loading(name, event)
        if name == "begin":
            return self._begins(task_and_case(event))
        if name == "ask":
            return self._open is not None
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
    """Return the case that an event is about; ("", -1) if it does not say."""
    case = event.get("case")
    return str(event.get("task", "")), case if type(case) is int else -1
