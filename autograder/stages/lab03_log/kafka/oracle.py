"""The right answers of `kafka_counts` and `write_once`, in plain Python; nothing is late here (see `cases`)."""

from collections.abc import Sequence
from typing import Any

MS = 1000

Record = Sequence[Any]  # key, value, timestamp in ms
Write = Sequence[Any]  # batch id, rows, and "ok" or how the attempt dies


def window_of(timestamp_ms: int, window_s: int) -> tuple[int, int]:
    """Return the window [start, end) in seconds; windows begin at multiples of their length since 1970.

    Example: window_of(1_010_000, window_s=10) -> (1010, 1020)
    """
    start_s = timestamp_ms // (window_s * MS) * window_s
    return start_s, start_s + window_s


def kafka_counts(records: Sequence[Record], window_s: int) -> dict[tuple[int, int, str], int]:
    """Return (start, end, key) -> number of records with that key.

    Example: kafka_counts([["a", "v", 1_003_000], [None, "v", 1_003_000]], 10) -> {(1000, 1010, "a"): 1}
    """
    cells = [(*window_of(when_ms, window_s), key) for key, _, when_ms in records if key is not None]
    return {cell: cells.count(cell) for cell in cells}


def written(writes: Sequence[Write]) -> list[list[Any]]:
    """Return the rows of all batches that were written to the end, each batch once, as it was first written."""
    return sorted(row for rows in _whole(writes).values() for row in rows)


def _whole(writes: Sequence[Write]) -> dict[int, Sequence[list[Any]]]:
    return {batch_id: rows for batch_id, rows, how in reversed(writes) if how == "ok"}


def readable_after(writes: Sequence[Write]) -> int:
    """Return how many rows a reader gets after the last of these writes."""
    return len(written(writes))
