"""How `hibench` is fed: its query runs over visits, with a stub of `Aggregate` that shows what it was asked for."""

from itertools import count
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, a_kind, or_rejected, plain
from streamlab.engine import Operator, Query, Row, TimeWindow, centralized

FIRST_CALL_MS = 5000  # what `now_ms` returns first; then one more each time


class AskedFor(Operator):
    """A stub of `Aggregate` that has no windows: for each row it gives what each function would have got of it.

    Example: functions {"n": ("SUM", "v")} give {"n": ["SUM", 7], …} for a row with v = 7
    """

    stateful = True

    def __init__(self, group_by: Any, window: Any, functions: Any) -> None:
        super().__init__()
        self.group_by, self.window, self.functions = tuple(group_by), window, dict(functions)

    def keys(self, port: int) -> tuple[str, ...]:
        """Return the group-by fields."""
        return self.group_by

    def on_row(self, row: Row, port: int = 0) -> list[Row]:
        """Give the row's group, what each function got, and the window."""
        kind = "time" if isinstance(self.window, TimeWindow) else "size"
        group = {field: row[field] for field in self.group_by}
        values = {name: [function, row[field]] for name, (function, field) in self.functions.items()}
        return [{**group, **values, "window": [kind, *self.window], "t": row["t"]}]


@drive("hibench")
def hibench(stage: Any, case: Any) -> Rows:
    """The rows of the query's results, with the names of its streams."""
    clock = count(FIRST_CALL_MS)
    with stage.replaced(Aggregate=AskedFor):
        return or_rejected(lambda: _results(stage.hibench(case["workload"], lambda: next(clock)), case["visits"]))


def _results(query: Any, visits: list[Row]) -> Rows:
    if not isinstance(query, Query):
        return {"returned": a_kind(query)}
    results = centralized(query, {name: visits for name in query.sources})
    return {"sources": plain(query.sources), "results": {name: plain(rows) for name, rows in results.items()}}
