"""Rows of an experiment as lines of a plot, and as the words of its alt text."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Lines = dict[str, list[tuple[float, float]]]


def lines_of(rows: Iterable[Any], name: str, x: str, y: str) -> Lines:
    """Return one line of (x, y) for each name; `name`, `x` and `y` are fields of the rows.

    Example: lines_of([Point("a", 1, 5), Point("a", 2, 7)], "way", "fences", "per_s") -> {"a": [(1, 5), (2, 7)]}
    """
    lines: Lines = {}
    for row in rows:
        lines.setdefault(str(getattr(row, name)), []).append((getattr(row, x), getattr(row, y)))
    return lines


def fields_of(rows: Sequence[Any], x: str, *ys: str) -> Lines:
    """Return one line of (x, y) for each field of `ys`; the line's name has spaces instead of underscores."""
    return {y.replace("_", " "): [(getattr(row, x), getattr(row, y)) for row in rows] for y in ys}


def in_words(lines: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """Return each line's first and last value as text.

    Example: in_words({"scan": [(10, 9000.0), (100, 800.0)]}) -> "scan: 9,000 at 10 to 800 at 100"
    """
    return "; ".join(f"{name}: {_end(points[0])} to {_end(points[-1])}" for name, points in lines.items() if points)


def _end(point: tuple[float, float]) -> str:
    x, y = point
    return f"{y:,.0f} at {x:g}" if abs(y) >= 100 or y == int(y) else f"{y:.2f} at {x:g}"
