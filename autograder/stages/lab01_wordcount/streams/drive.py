"""Drive `word_counts`, `local_master`, `on_word` and `standing_counts`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain
from autograder.stages.lab01_wordcount.counting.drive import short_words
from autograder.stages.lab01_wordcount.streams.drive_queries import over_a_socket, queued_batches, tables_after_files

TIMES = 10


def tenfold_counts() -> Callable[[Any], Any]:
    """Return a stub for `count_words` that counts each occurrence of a short word ten times."""
    split = short_words()
    return lambda lines: lines.flatMap(split).map(lambda word: (word, TIMES)).reduceByKey(lambda one, more: one + more)


@drive("word_counts")
def word_counts(stage: Any, spark: Any, case: Any) -> Rows:
    """Return the counts of each batch of a queue, or of all lines from a socket."""
    with stage.replaced(words=short_words(), count_words=tenfold_counts()):
        if "batches" in case:
            return queued_batches(stage.word_counts, spark, case["batches"])
        return over_a_socket(stage.word_counts, spark, case["parts"])


@drive("local_master")
def local_master(stage: Any, case: Any) -> Rows:
    """Return the master for some receivers and workers."""
    return or_rejected(lambda: {"master": plain(stage.local_master(case["receivers"], case["workers"]))})


@drive("on_word")
def on_word(stage: Any, case: Any) -> Rows:
    """Return the result of each call, and the states after all events."""
    states = [dict(state) for state in case["states"]]
    answers = [plain(stage.on_word(states[number], word)) for number, word in case["events"]]
    return {"answers": answers, "states": [plain(state) for state in states]}


@drive("standing_counts")
def standing_counts(stage: Any, spark: Any, case: Any, scratch: Path) -> Rows:
    """Return the table of counts after each of the files, which arrive one by one."""
    with stage.replaced(words=short_words()):
        return tables_after_files(stage.standing_counts, spark, case["files"], scratch)
