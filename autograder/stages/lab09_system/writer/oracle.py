"""What readers of the log must see: each batch number once, with the rows of its first write."""

from typing import Any


def visible(case: dict[str, Any]) -> list[Any]:
    """Return [number, rows] of the whole log after all writes of the case."""
    batches: dict[int, Any] = {}
    for number, rows in [*case["earlier"], *case["writes"]]:
        batches.setdefault(number, rows)
    return [[number, rows] for number, rows in sorted(batches.items())]


def answers(case: dict[str, Any]) -> list[bool]:
    """Return for each write whether it is the first one of its batch."""
    numbers = [number for number, _ in [*case["earlier"], *case["writes"]]]
    begin = len(case["earlier"])
    return [numbers[at] not in numbers[:at] for at in range(begin, len(numbers))]


def lasts(case: dict[str, Any]) -> list[int]:
    """Return the last complete batch before the first write and after each one; -1 if there is none."""
    numbers = [-1, *(number for number, _ in [*case["earlier"], *case["writes"]])]
    return [max(numbers[: at + 1]) for at in range(len(case["earlier"]), len(numbers))]


def most_asked(tries: int) -> int:
    """Return how often a writer may ask a log that does not answer: `tries` attempts, each with `tries` begins."""
    return tries * (tries + 1)


def alerts(case: dict[str, Any]) -> list[str]:
    """Return all rows of the batches on Kafka."""
    return [row for _, rows in case["batches"] for row in rows]
