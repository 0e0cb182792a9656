"""The right answers of windows and state in plain Python: every window is recounted from all of its batches."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

Pairs = Sequence[Sequence[Any]]


def sums(pairs: Iterable[Sequence[Any]]) -> dict[str, int]:
    """Return key -> sum of its values; a key whose sum is zero is left out.

    Example: sums([("a", 1), ("b", 0), ("a", 2)]) -> {"a": 3}
    """
    values: dict[str, list[int]] = {}
    for key, value in pairs:
        values.setdefault(key, []).append(value)
    return {key: sum(each) for key, each in values.items() if sum(each)}


def batches_of_window(batches: Sequence[Any], ends_with: int, length: int) -> list[Any]:
    """Return the last `length` of the first `ends_with` batches, those of (t - window, t]; there may be fewer.

    Example: batches_of_window(["x", "y", "z"], ends_with=3, length=2) -> ["y", "z"]
    """
    return [batch for number, batch in enumerate(batches, 1) if ends_with - length < number <= ends_with]


def slides(batches: Sequence[Any], every: int) -> list[int]:
    """Return the batches after which an answer is due, counted from 1.

    Example: slides(["x", "y", "z"], every=2) -> [2]
    """
    return [number for number in range(1, len(batches) + 1) if number % every == 0]


def windowed_counts(batches: Sequence[Pairs], window_batches: int, slide_batches: int) -> dict[int, dict[str, int]]:
    """Return batch number -> key -> sum over the batches of the window.

    Example: windowed_counts([[("a", 1)], [("b", 2)]], 1, 1) -> {1: {"a": 1}, 2: {"b": 2}}
    """
    return {
        at: sums(pair for batch in batches_of_window(batches, at, window_batches) for pair in batch)
        for at in slides(batches, slide_batches)
    }


def fits_the_batches(window_s: float, slide_s: float, batch_s: float) -> bool:
    """Return whether both are positive multiples of the batch interval, as numbers written in decimals."""
    batch = Fraction(str(batch_s))
    return all(length > 0 and (Fraction(str(length)) / batch).denominator == 1 for length in (window_s, slide_s))


def running_totals(batches: Sequence[Pairs]) -> list[dict[str, int]]:
    """Return, after each batch, key -> sum over all batches so far, zeros included.

    Example: running_totals([[("a", 1)], []]) -> [{"a": 1}, {"a": 1}]
    """
    totals = []
    for number in range(1, len(batches) + 1):
        so_far = [pair for batch in batches[:number] for pair in batch]
        totals.append({key: sum(value for each, value in so_far if each == key) for key, _ in so_far})
    return totals
