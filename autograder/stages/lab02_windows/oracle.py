"""The right answers of windows and state in plain Python: every window is counted again from all of its batches.

Keeps out: Spark, inverses, running totals, and every line of the reference. Texts and tweets are in
`oracle_tweets`, event time is in `oracle_event_time`.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

Pairs = Sequence[Sequence[Any]]
Step = Sequence[Any]

REFUSED = "ValueError"


def sums(pairs: Iterable[Sequence[Any]]) -> dict[str, int]:
    """key -> sum of its values; a key whose sum is zero is left out.

    Example: sums([("a", 1), ("b", 0), ("a", 2)]) -> {"a": 3}
    """
    values: dict[str, list[int]] = {}
    for key, value in pairs:
        values.setdefault(key, []).append(value)
    return {key: sum(each) for key, each in values.items() if sum(each)}


def batches_of_window(batches: Sequence[Any], ends_with: int, length: int) -> list[Any]:
    """The last `length` of the first `ends_with` batches: those of (t - window, t], of which there may be fewer.

    Example: batches_of_window(["x", "y", "z"], ends_with=3, length=2) -> ["y", "z"]
    """
    return [batch for number, batch in enumerate(batches, 1) if ends_with - length < number <= ends_with]


def slides(batches: Sequence[Any], every: int) -> list[int]:
    """The batches after which there is an answer, counted from 1.

    Example: slides(["x", "y", "z"], every=2) -> [2]
    """
    return [number for number in range(1, len(batches) + 1) if number % every == 0]


def windowed_counts(batches: Sequence[Pairs], window_batches: int, slide_batches: int) -> dict[int, dict[str, int]]:
    """After which batch -> key -> sum over the batches of the window.

    Example: windowed_counts([[("a", 1)], [("b", 2)]], 1, 1) -> {1: {"a": 1}, 2: {"b": 2}}
    """
    return {
        at: sums(pair for batch in batches_of_window(batches, at, window_batches) for pair in batch)
        for at in slides(batches, slide_batches)
    }


def fits_the_batches(window_s: float, slide_s: float, batch_s: float) -> bool:
    """Whether both are positive multiples of the batch interval, as numbers written in decimals."""
    batch = Fraction(str(batch_s))
    return all(length > 0 and (Fraction(str(length)) / batch).denominator == 1 for length in (window_s, slide_s))


def running_totals(batches: Sequence[Pairs]) -> list[dict[str, int]]:
    """After each batch: key -> sum over all batches so far, zeros included.

    Example: running_totals([[("a", 1)], []]) -> [{"a": 1}, {"a": 1}]
    """
    totals = []
    for number in range(1, len(batches) + 1):
        so_far = [pair for batch in batches[:number] for pair in batch]
        totals.append({key: sum(value for each, value in so_far if each == key) for key, _ in so_far})
    return totals


def words_of_files(files: Iterable[Iterable[str]]) -> dict[str, int]:
    """word -> occurrences in all lines of all files, a word being what lies between white space."""
    found = [word for lines in files for line in lines for word in line.split()]
    return {word: found.count(word) for word in found}


# Sliding: steps are ["add", value], ["expire"] and ["result"].


def windows_at_results(steps: Iterable[Step]) -> list[list[Any] | None]:
    """The values in the window at each `result`, oldest first; None for each `expire` that finds nothing to expire.

    Example: windows_at_results([["add", 5], ["result"], ["expire"], ["expire"]]) -> [[5], None]
    """
    window: list[Any] = []
    seen: list[list[Any] | None] = []
    for verb, *value in steps:
        if verb == "add":
            window = [*window, *value]
        elif verb == "result":
            seen.append(window)
        elif window:
            window = window[1:]
        else:
            seen.append(None)
    return seen


def sliding_sums(steps: Iterable[Step]) -> list[Any]:
    """What each `result` gives, in exact arithmetic, and REFUSED for each `expire` of nothing."""
    return [REFUSED if window is None else _exact_sum(window) for window in windows_at_results(steps)]


def _exact_sum(window: list[Any]) -> Any:
    return sum(window) if all(isinstance(value, int) for value in window) else float(sum(map(Fraction, window)))


def sliding_maxima(steps: Iterable[Step]) -> list[Any]:
    """What each `result` gives; REFUSED where there is no value, and for each `expire` of nothing."""
    return [max(window) if window else REFUSED for window in windows_at_results(steps)]


def rounding_allowed(steps: Iterable[Step]) -> float:
    """How far a float sum kept by adding and subtracting may be from the exact one.

    Each operation rounds by at most half an ulp of what it gives (IEEE 754), and no partial sum is larger than
    the sum of all magnitudes that were ever in one window. Twice the bound, since what it is made of is rounded too.
    """
    steps = list(steps)
    windows = [window for window in windows_at_results(_looked_at_after_each(steps)) if window]
    largest = max((sum(abs(value) for value in window) for window in windows), default=0.0)
    return 2.0 * len(steps) * 2.0**-53 * largest


def _looked_at_after_each(steps: Iterable[Step]) -> list[Step]:
    return [each for step in steps for each in (step, ["result"]) if step[0] != "result"]


# Trends


def trending(counts: Iterable[Sequence[Any]], k: int) -> list[tuple[str, int]] | None:
    """The k highest sums, found by taking away the best one k times; None where k cannot be meant.

    Example: trending([("b", 1), ("a", 1), ("c", 3), ("a", 0)], 2) -> [("c", 3), ("a", 1)]
    """
    if k < 0:
        return None
    left = {tag: count for tag, count in sums(counts).items() if count > 0}
    top: list[tuple[str, int]] = []
    while left and len(top) < k:
        highest = max(left.values())
        first = min((tag for tag in left if left[tag] == highest), key=lambda tag: [ord(each) for each in tag])
        top.append((first, left.pop(first)))
    return top
