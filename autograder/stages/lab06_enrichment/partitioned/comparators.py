"""Reads the rows of `enrich_partitioned`."""

from typing import Any

from autograder.checks import Mismatch, Rows
from autograder.checks.compare import shown

FORM = "an RDD of Enriched"


def jobs_of(rows: Rows, count: int) -> list[dict[str, Any]] | Mismatch:
    """Return the rows of each of `count` jobs with the requested keys, or a mismatch if they have the wrong form."""
    jobs, asked = rows.get("jobs"), rows.get("asked")
    if not isinstance(jobs, list) or len(jobs) != count or not all(isinstance(each, dict) for each in jobs):
        got = rows.get("returned", jobs)
        return Mismatch(f"Expected enrich_partitioned to return {FORM}; yours returns {shown(got)}.", FORM, got)
    keys = asked if isinstance(asked, list) and len(asked) == count else [None] * count
    return [{**job, "asked": own} for job, own in zip(jobs, keys, strict=True)]


def answers(results: Any) -> Any:
    """Return [id, rows, flags] of each result, without its partition."""
    return [each[1:] for each in results] if isinstance(results, list) else results


def count_of(keys: Any) -> int:
    """Return how many keys were requested."""
    return len(keys) if isinstance(keys, list) else -1


def workers_of(job: dict[str, Any]) -> int:
    """Return how many workers had created a cache by the end of a job."""
    workers = job.get("workers")
    return workers if isinstance(workers, int) else 0
