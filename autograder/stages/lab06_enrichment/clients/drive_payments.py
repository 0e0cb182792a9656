"""Payments, rows and results as plain data, for the drives of all tasks that enrich payments."""

from typing import Any

from autograder.inside.rows import plain, type_name
from streamlab.lab06_enrichment import Enriched, Key, Transaction


def rows_of(case: Any) -> dict[Key, str]:
    """Return the known rows of a case, which are lists of kind, account, item and row."""
    return {Key(*key): row for *key, row in case["rows"]}


def payments_of(case: Any) -> list[Transaction]:
    """Return the payments of a case, in their order."""
    return [Transaction(*each) for each in case["transactions"]]


def result(each: Any) -> Any:
    """Return an enriched payment as [payment, rows, flags]."""
    return plain(list(each)) if isinstance(each, Enriched) else type_name(each)


class UnboundedCache:
    """A cache without a limit. It is false when it is empty, as LruCache is."""

    def __init__(self, kept: dict[Key, str | None] | None = None) -> None:
        self._kept: dict[Any, Any] = dict(kept or {})

    def get(self, key: Any, default: Any = None) -> Any:
        """Return the row of a key, or `default`."""
        return self._kept.get(key, default)

    def put(self, key: Any, row: Any) -> None:
        """Store a row."""
        self._kept[key] = row

    def __len__(self) -> int:
        return len(self._kept)
