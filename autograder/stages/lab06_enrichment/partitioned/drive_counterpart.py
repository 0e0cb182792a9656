"""The counterpart of the tasks whose store is asked by Spark's workers: its rows, and the keys of each job's calls."""

from typing import Any, ClassVar

from autograder.inside.counterparts import Counterpart, counterpart
from autograder.inside.rows import Rows


@counterpart("enrich_partitioned", "fraud_windows")
class StoreOfWorkers(Counterpart):
    """Answers the calls that workers send to the drive's `OutsideServer`. A case without a store is shown as a whole.

    `asked` holds the requested keys since each beginning of a job.
    """

    QUESTIONS: ClassVar[frozenset[str]] = frozenset({"begin", "get_many"})

    def __init__(self, case: dict[str, Any]) -> None:
        super().__init__(case)
        self.asked: list[list[Any]] = []
        self._row_of = {tuple(key): row for *key, row in case.get("rows", [])}

    def shown(self) -> dict[str, Any]:
        """Return the case without the rows of its store."""
        return {name: value for name, value in self.case.items() if name != "rows"}

    def begin(self) -> None:
        """Count the keys of the next calls for a new job."""
        self.asked.append([])

    def get_many(self, keys: list[Any]) -> list[Any]:
        """Return the row of each key, or None for an unknown key."""
        self.asked[-1] += keys
        return [self._row_of.get(tuple(key)) for key in keys]

    def rows(self) -> Rows:
        """Return the requested keys of each job."""
        return {"asked": self.asked} if "rows" in self.case else {}
