"""Drive windows and state: batches of pairs, or of lines for the words of Lab 1."""

from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected
from autograder.stages.lab02_windows.windows.drive_streams import answers_to, described, seconds, with_bytes_read


@drive("windowed_counts")
def windowed_counts(stage: Any, spark: Any, case: Any, earlier: Any) -> Rows:
    """Return the counts of each slide, or, for a case with seconds, whether the call rejects them."""
    if "window_s" in case:
        window_s, slide_s = case["window_s"], case["slide_s"]
        call = lambda pairs: stage.windowed_counts(pairs, window_s, slide_s)  # noqa: E731
        return or_rejected(lambda: described(call, spark, case["batch_s"]))
    window_s, slide_s = seconds(case["window_batches"]), seconds(case["slide_batches"])
    batches = pairs_of(case["batches"]) if "batches" in case else ones_of(case["lines"], earlier)
    play = lambda: answers_to(lambda pairs: stage.windowed_counts(pairs, window_s, slide_s), spark, batches)  # noqa: E731
    return with_bytes_read(spark, play, case["measured"]) if "measured" in case else play()


@drive("running_counts")
def running_counts(stage: Any, spark: Any, case: Any) -> Rows:
    """Return the totals after each batch."""
    return answers_to(lambda pairs: stage.running_counts(pairs), spark, pairs_of(case["batches"]))


def pairs_of(batches: list[list[Any]]) -> list[list[Any]]:
    """Return the pairs as tuples: JSON has only lists."""
    return [[tuple(pair) for pair in batch] for batch in batches]


def ones_of(batches: list[list[str]], earlier: Any) -> list[list[Any]]:
    """Return a pair (word, 1) for each word that the learner's Lab 1 finds in the lines."""
    words = earlier("lab01_wordcount").words
    return [[(word, 1) for line in lines for word in words(line)] for lines in batches]
