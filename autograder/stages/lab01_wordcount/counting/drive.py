"""Drive `words` and `count_words`.

A stub replaces an earlier task while a later one runs, so that a mistake costs points in one task only. The stubs of
Lab 1 are right only for the texts in the later task's cases: no check of the earlier task accepts them. Each stub is
made inside a function, so that Spark sends it to its workers by value.
"""

import re
from collections.abc import Callable
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, plain, type_name

LONGEST_WORD = 4


def short_words() -> Callable[[str], list[str]]:
    """Return a stub for `words` that finds words of at most four letters from a to z, and no others."""
    return lambda line: [word for word in re.findall("[a-z]+", line.lower()) if len(word) <= LONGEST_WORD]


def splitting_at(separator: str) -> Callable[[str], list[str]]:
    """Return a stub for `words` that splits a line at every separator."""
    return lambda line: line.split(separator)


@drive("words")
def words(stage: Any, case: Any) -> Rows:
    """Return the words of one line."""
    return {"words": plain(stage.words(case["line"]))}


@drive("count_words")
def count_words(stage: Any, spark: Any, case: Any) -> Rows:
    """Return the counts of the same lines for each number of partitions; with a `separator`, `words` splits there."""
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
    """Run one turn on a file of words with a space between them, so that only counting is compared."""
    with stage.replaced(words=str.split):
        lines = spark.sparkContext.textFile(f"file://{case['path']}", minPartitions=2)
        before = jobs_so_far(spark)
        counts = stage.count_words(lines)
        return {"jobs_when_called": jobs_so_far(spark) - before, **_collected(counts)}


def _collected(counts: Any) -> Rows:
    from pyspark import RDD

    if not isinstance(counts, RDD):
        return {"returned": type_name(counts)}
    return {"counts": plain(counts.collect())}


def jobs_so_far(spark: Any) -> int:
    """Return how many jobs Spark has started. The status tracker has this number, too, but only after a delay."""
    return int(spark.sparkContext._jsc.sc().dagScheduler().numTotalJobs())
