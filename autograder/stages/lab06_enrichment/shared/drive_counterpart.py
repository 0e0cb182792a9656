"""The counterpart of `SharedCache`: the store, whose rows change, and the results of the operations."""

from typing import Any, ClassVar

from autograder.inside.counterparts import Counterpart, counterpart
from autograder.inside.rows import Rows


@counterpart("SharedCache")
class StoreBehindCache(Counterpart):
    """A blocking store. The sandbox sees when a row changes, and neither which one nor its new text."""

    QUESTIONS: ClassVar[frozenset[str]] = frozenset({"get_many", "change", "see"})

    def __init__(self, case: dict[str, Any]) -> None:
        super().__init__(case)
        self._row_of = {tuple(key): row for *key, row in case["rows"]}
        self._changes = iter([step[1:] for step in case["script"] if step[0] == "change"])
        self._calls, self.seen = list[Any](), list[Any]()

    def shown(self) -> dict[str, Any]:
        """Return the case without rows."""
        script = [step[:1] if step[0] == "change" else step for step in self.case["script"]]
        return {name: value for name, value in self.case.items() if name != "rows"} | {"script": script}

    def get_many(self, keys: list[Any]) -> tuple[list[Any], None]:
        """Return the row of each key, and no error."""
        self._calls.append(sorted(keys))
        return [self._row_of.get(tuple(key)) for key in keys], None

    def change(self) -> None:
        """Change the next row of the script."""
        key, row = next(self._changes)
        self._row_of[tuple(key)] = row

    def see(self, answer: Any, tries: Any) -> None:
        """Take the answer of an operation and its round trips; the calls since the last one belong to it."""
        self.seen.append([answer, self._calls, tries])
        self._calls = []

    def rows(self) -> Rows:
        """Return [answer, keys of each call, tries] of each operation."""
        return {"seen": self.seen}
