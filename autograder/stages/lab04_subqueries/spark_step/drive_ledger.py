"""What runs on Spark's workers in a drive of `spark_step`: a stateful operator whose results show order and time.

`Ledger` numbers the rows of a name, computes a digest of their order, and closes a name that is quiet for `QUIET_MS`.
"""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from streamlab.engine import Arrival, Instance, Operator, Query, Row, Subquery

QUIET_MS = 20


class Ledger(Operator):
    """Gives (name, number, digest_of_order, t) for a row and (name, closed, t) for a quiet name; replaces its state."""

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
    """An instance of a subquery that is one ledger."""
    query = Query("rows").add("ledger", Ledger(), ["rows"], ["entries"])
    return Instance(query, Subquery(("ledger",), ("rows",), ("entries",)))


def dies_once(flag: Path) -> Callable[[], Instance]:
    """Like `new_instance`, but the first call in a task kills the Python worker that runs it.

    A solution that makes instances in the driver does not kill the driver: there is no task.
    """

    def make() -> Instance:
        from pyspark import TaskContext

        if TaskContext.get() is not None and not flag.exists():
            flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return new_instance()

    return make


def bucket_in_row(arrival: Arrival) -> Any:
    """The stub of a bucket function: a row says in which bucket it is."""
    return arrival.row["b"]
