"""Payments, rows and results as plain data, for the drives of all tasks that enrich payments."""

from collections.abc import Iterator
from typing import Any

from autograder.inside.rows import a_kind, plain
from streamlab.enrichment import Enriched, Key, Transaction


def rows_of(case: Any) -> dict[Key, str]:
    """The known rows of a case: lists of kind, account, item and row."""
    return {Key(*key): row for *key, row in case["rows"]}


def payments_of(case: Any) -> list[Transaction]:
    """The payments of a case, in their order."""
    return [Transaction(*each) for each in case["transactions"]]


def result(each: Any) -> Any:
    """An enriched payment as [payment, rows, flags]."""
    return plain(list(each)) if isinstance(each, Enriched) else a_kind(each)


class Source:
    """An iterator of a case's payments; `taken` counts them, `given` is for its user, `most_open` is the difference."""

    def __init__(self, case: Any) -> None:
        self._left = iter(payments_of(case))
        self.taken = self.given = self.most_open = 0

    def __iter__(self) -> Iterator[Transaction]:
        return self

    def __next__(self) -> Transaction:
        each = next(self._left)
        self.taken += 1
        self.most_open = max(self.most_open, self.taken - self.given)
        return each


class Shelf:
    """A cache without a limit. It is false when it is empty, as LruCache is."""

    def __init__(self, kept: dict[Key, str | None] | None = None) -> None:
        self._kept: dict[Any, Any] = dict(kept or {})

    def get(self, key: Any, default: Any = None) -> Any:
        """Return what was put, or `default`."""
        return self._kept.get(key, default)

    def put(self, key: Any, row: Any) -> None:
        """Keep a row."""
        self._kept[key] = row

    def __len__(self) -> int:
        return len(self._kept)
