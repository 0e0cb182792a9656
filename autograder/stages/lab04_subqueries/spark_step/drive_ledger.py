"""The code that runs on Spark's workers in a drive of `spark_step`: an operator whose results show order and time.

`Ledger` numbers the rows of a name, computes a digest of their order, and closes a name after `QUIET_MS` without rows.
"""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from streamlab.lab04_subqueries.engine import Arrival, Instance, Operator, Query, Row, Subquery

QUIET_MS = 20


class Ledger(Operator):
    """An operator that gives (name, number, digest_of_order, t) per row and (name, closed, t) per quiet name.

    It replaces its state.
    """

    stateful = True

    def keys(self, port: int) -> tuple[str, ...]:
        """Return the name."""
        return ("name",)

    def on_row(self, row: Row, port: int = 0) -> list[Row]:
        """Add the row to the account of its name."""
        number, digest, _ = self.state.get(row["name"], (0, 0, 0))
        number, digest = number + 1, (31 * digest + row["v"]) % 9973
        self.state = {**self.state, row["name"]: (number, digest, row["t"])}
        return [{"name": row["name"], "number": number, "digest_of_order": digest, "t": row["t"]}]

    def on_time(self, now_ms: int) -> list[Row]:
        """Close the names that were quiet."""
        quiet = {name: kept for name, kept in self.state.items() if kept[2] + QUIET_MS <= now_ms}
        self.state = {name: kept for name, kept in self.state.items() if name not in quiet}
        return [
            {"name": name, "closed": number, "t": last_ms + QUIET_MS - 1}
            for name, (number, _, last_ms) in quiet.items()
        ]


def new_instance() -> Instance:
    """Return an instance of a subquery with one ledger."""
    query = Query("rows").add("ledger", Ledger(), ["rows"], ["entries"])
    return Instance(query, Subquery(("ledger",), ("rows",), ("entries",)))


def dies_once(flag: Path) -> Callable[[], Instance]:
    """Return a function like `new_instance` whose first call in a task kills the Python worker that runs it.

    A solution that makes instances in the driver does not kill the driver, since no task runs there.
    """

    def make() -> Instance:
        from pyspark import TaskContext

        if TaskContext.get() is not None and not flag.exists():
            flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return new_instance()

    return make


def bucket_in_row(arrival: Arrival) -> Any:
    """Return the bucket that a row names: a stub of a bucket function."""
    return arrival.row["b"]
