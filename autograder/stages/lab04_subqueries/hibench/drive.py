"""Drive `hibench`: its query runs over visits, with a stub of `Aggregate` that shows its arguments."""

from itertools import count
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain, type_name
from streamlab.lab04_subqueries.engine import Operator, Query, Row, TimeWindow, centralized

FIRST_CALL_MS = 5000  # the first value of `now_ms`; it rises by one with each call


class AggregateStub(Operator):
    """A stub of `Aggregate` without windows: for each row it returns the input of each function.

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
        """Return the row's group, the input of each function, and the window."""
        kind = "time" if isinstance(self.window, TimeWindow) else "size"
        group = {field: row[field] for field in self.group_by}
        values = {name: [function, row[field]] for name, (function, field) in self.functions.items()}
        return [{**group, **values, "window": [kind, *self.window], "t": row["t"]}]


@drive("hibench")
def hibench(stage: Any, case: Any) -> Rows:
    """Return the rows of the query's results, the names of its streams, and what each call of `now_ms` returned."""
    clock, times_ms = count(FIRST_CALL_MS), list[int]()

    def now_ms() -> int:
        times_ms.append(next(clock))
        return times_ms[-1]

    with stage.replaced(Aggregate=AggregateStub):
        rows = or_rejected(lambda: _results(stage.hibench(case["workload"], now_ms), case["visits"]))
    return rows | {"now_ms": times_ms}


def _results(query: Any, visits: list[Row]) -> Rows:
    if not isinstance(query, Query):
        return {"returned": type_name(query)}
    results = centralized(query, {name: visits for name in query.sources})
    return {"sources": plain(query.sources), "results": {name: plain(rows) for name, rows in results.items()}}
