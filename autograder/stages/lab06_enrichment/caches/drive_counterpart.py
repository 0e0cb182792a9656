"""The counterpart of `CachedStore`: the stores, the clock, and the answers that the callers got."""

from typing import Any, ClassVar

from autograder.inside.counterparts import counterpart
from autograder.inside.rows import Rows
from autograder.stages.lab06_enrichment.clients.drive_clock import OnClock


@counterpart("CachedStore")
class Callers(OnClock):
    """One store, or two if the case has another one "beside". A key of "fails" fails until the given ms."""

    QUESTIONS: ClassVar[frozenset[str]] = OnClock.QUESTIONS | {"got"}
    DISTANCE_MS = 5.0

    def __init__(self, case: dict[str, Any]) -> None:
        super().__init__(case, *([case["beside"]] if "beside" in case else []))
        self.answers: list[list[Any]] = [[None] * len(each["callers"]) for each in self.cases]

    def shown(self) -> dict[str, Any]:
        """Return the callers, and what the caches hold at the beginning."""
        shown: list[dict[str, Any]] = [
            {name: each[name] for name in ("callers", "kept", "entries", "again") if name in each}
            for each in self.cases
        ]
        return {**shown[0], "beside": shown[1]} if len(shown) > 1 else shown[0]

    def got(self, store: int, caller: int, row: Any) -> None:
        """Take the answer to a caller."""
        self.answers[store][caller] = [row, round(1e6 * self.now_s)]

    def error_of(self, fails: Any) -> str | None:
        """Return StoreError until the moment at which the store answers again."""
        return "StoreError" if fails is not None and 1000 * self.now_s <= fails else None

    def rows(self) -> Rows:
        """Return each caller's answer and its time (µs), and the key of each call; likewise for "beside"."""
        rows: list[Rows] = [
            {"answers": answers, "calls": [key for keys in calls for key in keys]}
            for answers, calls in zip(self.answers, self.calls, strict=True)
        ]
        return {**rows[0], "beside": rows[1]} if len(rows) > 1 else rows[0]
