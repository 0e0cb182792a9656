"""The service levels that the page shows: latencies of the last minute, and the error budget of the last 5 minutes."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypedDict

from streamlab.lab09_system.words import Objective, Report

OBJECTIVE = Objective(99.0, 30_000, windows=((300, 30, 14.4), (300, 120, 6.0)))
BUDGET_S, LATENCY_S = 300, 60


class LevelFields(TypedDict):
    """Fields of a message; see `message.Message`."""

    p50_ms: int | None
    p99_ms: int | None
    budget_left: float | None
    pages: list[bool]


class Levels:
    """The alerts of the last BUDGET_S: when each was due, in ms, and when it was seen."""

    def __init__(self, service_levels: Callable[..., Any]) -> None:
        self._service_levels = service_levels
        self._due: dict[Any, float] = {}
        self._seen: list[tuple[Any, float]] = []

    def add(self, due: Mapping[Any, float], seen: Iterable[tuple[Any, float]], now_ms: float) -> None:
        """Add alerts, and forget those that were due before the last BUDGET_S."""
        self._due = _since(self._due | dict(due), now_ms, BUDGET_S)
        self._seen = [each for each in [*self._seen, *seen] if each[0] in self._due]

    def fields(self, now_ms: float) -> LevelFields:
        """Return what `service_levels` says now."""
        minute, budget = self._report(LATENCY_S, now_ms), self._report(BUDGET_S, now_ms)
        return {
            "p50_ms": round(minute.p50_ms) if minute else None,
            "p99_ms": round(minute.p99_ms) if minute else None,
            "budget_left": round(budget.budget_left, 3) if budget else None,
            "pages": list(budget.pages) if budget else [],
        }

    def _report(self, last_s: int, now_ms: float) -> Report | None:
        due = _since(self._due, now_ms, last_s)
        seen = [each for each in self._seen if each[0] in due]
        return Report(*self._service_levels(due, seen, now_ms, OBJECTIVE)) if due else None


def _since(due: Mapping[Any, float], now_ms: float, last_s: int) -> dict[Any, float]:
    return {alert: at_ms for alert, at_ms in due.items() if at_ms >= now_ms - 1000 * last_s}
