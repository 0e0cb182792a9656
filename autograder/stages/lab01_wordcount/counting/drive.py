"""How `words` and `count_words` are fed.

A later task is driven with a stub in place of an earlier one, so that a mistake costs points in one task alone.
The stubs of Lab 1 are right for the texts of the later task's cases only: no check of the earlier task accepts them.
Each is made inside a function, so that Spark sends it to its workers by value.
"""

import re
from collections.abc import Callable
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, a_kind, plain

LONGEST_WORD = 4


def short_words() -> Callable[[str], list[str]]:
    """A stub for `words` that finds words of at most four letters from a to z, and no others."""
    return lambda line: [word for word in re.findall("[a-z]+", line.lower()) if len(word) <= LONGEST_WORD]


def splitting_at(separator: str) -> Callable[[str], list[str]]:
    """A stub for `words` that takes everything between two separators for a word."""
    return lambda line: line.split(separator)


@drive("words")
def words(stage: Any, case: Any) -> Rows:
    """The words of one line."""
    return {"words": plain(stage.words(case["line"]))}


@drive("count_words")
def count_words(stage: Any, spark: Any, case: Any) -> Rows:
    """The counts of the same lines, in each number of partitions; a `separator` makes `words` split there."""
    split = splitting_at(case["separator"]) if "separator" in case else short_words()
    with stage.replaced(words=split):
        runs = [_counts(stage, spark, case["lines"], each) for each in case["partitions"]]
    return {"runs": runs}


def _counts(stage: Any, spark: Any, lines: list[str], partitions: int) -> Rows:
    before = jobs_so_far(spark)
    counts = stage.count_words(spark.sparkContext.parallelize(lines, partitions))
    started = jobs_so_far(spark) - before
    return {"partitions": partitions, "jobs_when_called": started, **_collected(counts)}


@drive("count_words.throughput")
def count_words_throughput(stage: Any, spark: Any, case: Any) -> Rows:
    """One turn: a file of words with a space between them, so that counting is compared and not splitting."""
    with stage.replaced(words=str.split):
        lines = spark.sparkContext.textFile(f"file://{case['path']}", minPartitions=2)
        before = jobs_so_far(spark)
        counts = stage.count_words(lines)
        return {"jobs_when_called": jobs_so_far(spark) - before, **_collected(counts)}


def _collected(counts: Any) -> Rows:
    from pyspark import RDD

    if not isinstance(counts, RDD):
        return {"returned": a_kind(counts)}
    return {"counts": plain(counts.collect())}


def jobs_so_far(spark: Any) -> int:
    """How many jobs Spark has started; the status tracker knows the same, but only some time later."""
    return int(spark.sparkContext._jsc.sc().dagScheduler().numTotalJobs())
