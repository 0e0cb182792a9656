"""The counterpart of the tasks that enrich payments: the payments, the store, the clock, and the results so far."""

from typing import Any, ClassVar

from autograder.inside.counterparts import counterpart
from autograder.inside.rows import Rows
from autograder.stages.lab06_enrichment.clients.drive_clock import OnClock

A_MOMENT_S = 1e-6


@counterpart("enrich_sync", "enrich_async", "enrich_batched")
class Payments(OnClock):
    """Gives payments one by one, and takes results.

    A blocking store may fail at the key "breaks", and its rows may change after a number of results. A case on
    PostgreSQL is shown as a whole.
    """

    QUESTIONS: ClassVar[frozenset[str]] = OnClock.QUESTIONS | {"take", "give", "end", "get_many"}

    def __init__(self, case: dict[str, Any]) -> None:
        super().__init__(case)
        self.taken = self.most_open = 0
        self.given, self.at_ms, self.taken_at = list[Any](), list[float](), list[int]()
        self.raised: str | None = None
        self.ended_s: float | None = None
        self.running: int | None = None

    def shown(self) -> dict[str, Any]:
        """Return the arguments, and how many payments there are."""
        if self.case.get("postgres"):
            return self.case
        return {**super().shown(), "payments": len(self.case["transactions"])}

    def take(self) -> list[Any] | None:
        """Return the next payment, or None after the last one."""
        if self.taken == len(self.case["transactions"]):
            return None
        self.taken += 1
        self.most_open = max(self.most_open, self.taken - len(self.given))
        payment: list[Any] = self.case["transactions"][self.taken - 1]
        return payment

    def give(self, result: Any) -> None:
        """Take one result."""
        self.given.append(result)
        self.at_ms.append(in_ms(self.now_s))
        self.taken_at.append(self.taken)

    def end(self, raised: str | None) -> None:
        """Take the name of the error that ended the results, or None."""
        self.raised, self.ended_s = raised, self.now_s

    def wait(self, until_s: float | None) -> list[Any] | None:
        """Wait, but only for a moment after the end: then the calls that are still open count as running."""
        if self.ended_s is None:
            return super().wait(until_s)
        answer = super().wait(self.ended_s + A_MOMENT_S)
        self.running = len(self.open) if self.running is None else self.running
        return answer

    def get_many(self, keys: list[Any]) -> tuple[list[Any], str | None]:
        """Return the row of each key at once, and the name of an error."""
        if self.case.get("breaks") in keys:
            return [], "StoreError"
        self.calls[0].append(keys)
        for at, key, row in self.case.get("changes", []):
            if at <= len(self.given):
                self._rows[0][tuple(key)] = row
        return [self._rows[0].get(tuple(each)) for each in keys], None

    def rows(self) -> Rows:
        """Return the results with their times and the payments taken at each, the calls, and how it ended."""
        if self.case.get("postgres"):
            return {}
        seen = {"given": self.given, "at_ms": self.at_ms, "taken": self.taken_at, "most_open": self.most_open}
        ended = {"running": self.running, "ended_ms": in_ms(self.ended_s or 0.0)}
        return {**seen, **ended, "raised": self.raised, "calls": self.calls[0]}


@counterpart("look_up")
class OnePayment(Payments):
    """Gives one payment, and takes one result."""

    def rows(self) -> Rows:
        """Return the result, the time at which it came or an error ended the lookup, and the calls still running."""
        rows = super().rows()
        return {**rows, "given": self.given[0] if self.given else None, "at_ms": rows["ended_ms"]}


def in_ms(seconds: float) -> float:
    """Return a time in ms, as an int if it is whole."""
    ms = round(1000 * seconds, 3)
    return int(ms) if ms == int(ms) else ms
