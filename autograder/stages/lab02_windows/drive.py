"""How the tasks of Lab 2 are fed: all of the judging code that a submission's sandbox can see.

Rows are plain values; whether they are right is not known here. Where a later task calls an earlier one, a
stand-in takes the earlier one's place, so that a mistake in `trending` costs points in `trending` alone.
How each kind of run goes is in `drive_sliding`, `drive_streams`, `drive_tables` and `drive_recovery`.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain
from autograder.stages.lab02_windows import drive_recovery
from autograder.stages.lab02_windows.drive_sliding import Number, Ordered, results_of_all_slides, slide
from autograder.stages.lab02_windows.drive_streams import answers_to, rejected_or_accepted, seconds
from autograder.stages.lab02_windows.drive_tables import windows_after_files

THROUGHPUT_WINDOW = 1000


@drive("windowed_counts")
def windowed_counts(stage: Any, spark: Any, case: Any, earlier: Any) -> Rows:
    """The counts of each slide, for batches of pairs or lines; or whether a window and a slide are rejected at once."""
    if "window_s" in case:
        window_s, slide_s = case["window_s"], case["slide_s"]
        return rejected_or_accepted(
            lambda pairs: stage.windowed_counts(pairs, window_s, slide_s), spark, case["batch_s"]
        )
    window_s, slide_s = seconds(case["window_batches"]), seconds(case["slide_batches"])
    if "lines" in case:
        words = earlier("lab01_wordcount").words
        batches = [[(word, 1) for line in lines for word in words(line)] for lines in case["lines"]]
    else:
        batches = pairs_of(case["batches"])
    answers = answers_to(lambda pairs: stage.windowed_counts(pairs, window_s, slide_s), spark, batches, "counts")
    return answers if isinstance(answers, dict) else {"slides": answers}


@drive("SlidingSum")
def sliding_sum(stage: Any, case: Any) -> Rows:
    """The results of a case's steps, and how many + and - each took."""
    return slide(stage.SlidingSum(), case, Number)


@drive("SlidingSum.throughput")
def sliding_sum_throughput(stage: Any, case: Any) -> Rows:
    """One turn: a file with a whole number a line, and the result of every slide of a window of 1,000."""
    values = [int(line) for line in Path(case["path"]).read_text(encoding="utf-8").split()]
    return {"results": plain(results_of_all_slides(stage.SlidingSum(), values, THROUGHPUT_WINDOW))}


@drive("SlidingMax")
def sliding_max(stage: Any, case: Any) -> Rows:
    """The results of a case's steps, and how many comparisons each took."""
    return slide(stage.SlidingMax(), case, Ordered)


@drive("running_counts")
def running_counts(stage: Any, spark: Any, case: Any) -> Rows:
    """The totals after each batch."""
    answers = answers_to(lambda pairs: stage.running_counts(pairs), spark, pairs_of(case["batches"]), "totals")
    return answers if isinstance(answers, dict) else {"totals": [each["totals"] for each in answers]}


@drive("tweet_text")
def tweet_text(stage: Any, case: Any) -> Rows:
    """The text of one line of the API's."""
    return {"text": plain(stage.tweet_text(case["raw"]))}


@drive("near")
def near(stage: Any, case: Any) -> Rows:
    """Whether one tweet is near one place."""
    return {"near": plain(stage.near(case["tweet"], stage.Place(**case["place"])))}


@drive("hashtags")
def hashtags(stage: Any, case: Any) -> Rows:
    """The hashtags of one text."""
    return {"tags": plain(stage.hashtags(case["text"]))}


@drive("trending")
def trending(stage: Any, case: Any) -> Rows:
    """The top of some counts, which can be read once only."""
    counts = (tuple(pair) for pair in case["counts"])
    return or_rejected(lambda: {"top": plain(stage.trending(counts, case["k"]))})


@drive("mentions")
def mentions(stage: Any, spark: Any, case: Any) -> Rows:
    """The rows of each slide, for batches of texts."""
    name, window_s, slide_s = case["name"], seconds(case["window_batches"]), seconds(case["slide_batches"])
    with stage.replaced(trending=every_count_in_order(), windowed_counts=recounted_windows()):
        answers = answers_to(
            lambda texts: stage.mentions(texts, name, window_s, slide_s), spark, case["batches"], "rows"
        )
    return answers if isinstance(answers, dict) else {"slides": answers}


@drive("event_time_counts")
def event_time_counts(stage: Any, spark: Any, case: Any) -> Rows:
    """The windows after all files, and how many events were dropped."""
    window_s, watermark_s, query = case["window_s"], case["watermark_s"], stage.event_time_counts
    return or_rejected(
        lambda: windows_after_files(lambda events: query(events, window_s, watermark_s), spark, case["files"])
    )


@drive("recoverable_counts")
def recoverable_counts(stage: Any, spark: Any, case: Any, scratch: Path) -> Rows:
    """The totals after all files, of a job that was killed on the way, if the case says so."""
    with stage.replaced(running_counts=totals_by_key(), BATCH_S=drive_recovery.BATCH_S):
        return drive_recovery.totals_of(stage.recoverable_counts, case["files"], case["kill_after_files"], scratch)


def pairs_of(batches: list[list[Any]]) -> list[list[Any]]:
    """JSON has no pairs, only lists."""
    return [[tuple(pair) for pair in batch] for batch in batches]


# Stand-ins. Each is made anew, inside a function, so that Spark sends it to its workers by value.


def every_count_in_order() -> Callable[[Iterable[tuple[str, int]], int], list[tuple[str, int]]]:
    """A `trending` that is right."""

    def trending(counts: Iterable[tuple[str, int]], k: int) -> list[tuple[str, int]]:
        total: Counter[str] = Counter()
        for tag, count in counts:
            total[tag] += count
        order = sorted((-count, tag) for tag, count in total.items() if count > 0)
        return [(tag, -count) for count, tag in order[:k]]

    return trending


def recounted_windows() -> Callable[[Any, float, float], Any]:
    """A `windowed_counts` that is right and slow."""

    def windowed_counts(pairs: Any, window_s: float, slide_s: float) -> Any:
        sums = pairs.window(window_s, slide_s).reduceByKey(lambda one, other: one + other)
        return sums.filter(lambda pair: pair[1] != 0)

    return windowed_counts


def totals_by_key() -> Callable[[Any], Any]:
    """A `running_counts` that is right."""
    return lambda pairs: pairs.updateStateByKey(lambda new, total: sum(new, total or 0))
