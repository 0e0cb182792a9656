"""Spark's Python workers are found and killed, and the next job has new ones."""

import os
from typing import Any

from streamlab.lab06_enrichment.python_workers import kill_python_workers, python_workers


def pids(spark: Any) -> set[int]:
    return set(spark.sparkContext.parallelize(range(4), 4).map(lambda _: os.getpid()).collect())


def test_killed_workers_are_gone_and_the_next_job_has_new_ones(spark: Any) -> None:
    before = pids(spark)
    assert before <= set(python_workers())

    assert kill_python_workers() >= len(before)

    after = pids(spark)
    assert not after & before
    assert after <= set(python_workers())
