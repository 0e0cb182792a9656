"""Drive `hashtags`, `trending` and `mentions`, with stubs of earlier tasks for `mentions`.

A mistake in `trending` therefore costs points in `trending` only. The stubs are enough for `mentions` and pass no check
of their own tasks: `trending` has another order, `windowed_counts` accepts windows of 2 to 4 batches only.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain
from autograder.stages.lab02_windows.windows.drive_streams import answers_to, seconds


@drive("hashtags")
def hashtags(stage: Any, case: Any) -> Rows:
    """Return the hashtags of one text."""
    return {"tags": plain(stage.hashtags(case["text"]))}


@drive("trending")
def trending(stage: Any, case: Any) -> Rows:
    """Return the top of some counts, passed as an iterator that can be read only once."""
    counts = (tuple(pair) for pair in case["counts"])
    return or_rejected(lambda: {"top": plain(stage.trending(counts, case["k"]))})


@drive("mentions")
def mentions(stage: Any, spark: Any, case: Any) -> Rows:
    """Return the rows of each slide, for batches of texts."""
    name, window_s, slide_s = case["name"], seconds(case["window_batches"]), seconds(case["slide_batches"])
    with stage.replaced(trending=longest_first(), windowed_counts=short_windows()):
        return answers_to(lambda texts: stage.mentions(texts, name, window_s, slide_s), spark, case["batches"])


# Stubs are made inside a function, so that Spark sends them to its workers by value.


def longest_first() -> Callable[[Iterable[tuple[str, int]], int], list[tuple[str, int]]]:
    """Return a `trending` that puts the longest tag first, whatever its count."""

    def trending(counts: Iterable[tuple[str, int]], k: int) -> list[tuple[str, int]]:
        total: Counter[str] = Counter()
        for tag, count in counts:
            total[tag] += count
        return sorted(total.items(), key=lambda pair: (len(pair[0]), pair[0]), reverse=True)[:k]

    return trending


def short_windows() -> Callable[[Any, float, float], Any]:
    """Return a `windowed_counts` for the windows of `mentions`' cases, which have 2 to 4 batches."""

    def windowed_counts(pairs: Any, window_s: float, slide_s: float) -> Any:
        if round(window_s / pairs._slideDuration) not in (2, 3, 4):
            raise TypeError(f"this stub of windowed_counts serves windows of 2 to 4 batches; got {window_s} s")
        return pairs.window(window_s, slide_s).reduceByKey(lambda one, other: one + other)

    return windowed_counts
