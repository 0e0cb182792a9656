"""The checks of `enrich_partitioned`: partitions, calls, closed stores, and caches of workers."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, same_items, same_value
from autograder.checks.rejection import must_answer
from autograder.stages.lab06_enrichment.partitioned import cases, oracle
from autograder.stages.lab06_enrichment.partitioned.comparators import answers, count_of, jobs_of, workers_of

TASK = "enrich_partitioned"
MOST_WORKERS = 3
WHAT = "results (partition, id, rows, flags)"


@check(TASK, cases=cases.placed)
def the_transactions_of_an_account_are_in_its_partition(case: Case, rows: Rows) -> Mismatch | None:
    """Check also that the call starts no job."""
    return must_answer("enrich_partitioned(…)", "an RDD", rows) or _placed(case, rows)


@check(
    TASK,
    cases=cases.chained,
    chain="lab03_log/partition_for",
    after="the_transactions_of_an_account_are_in_its_partition",
)
def partitions_are_those_of_your_lab_3(case: Case, rows: Rows) -> Mismatch | None:
    """Check the chain with the learner's `partition_for`."""
    return _placed(case, rows)


def _placed(case: Case, rows: Rows) -> Mismatch | None:
    expected, jobs = oracle.results(case), jobs_of(rows, 1)
    if isinstance(jobs, Mismatch):
        return jobs
    wrong = same_items(expected, jobs[0].get("results"), what=WHAT)
    return wrong or same_value(0, jobs[0].get("started"), what="the number of jobs that the call starts")


@check(TASK, cases=cases.asked)
def each_key_is_asked_for_once(case: Case, rows: Rows) -> Mismatch | None:
    """Check known and unknown keys; the answers must be right."""
    expected, keys, jobs = oracle.results(case), oracle.distinct_keys(case), jobs_of(rows, 1)
    if isinstance(jobs, Mismatch):
        return jobs
    wrong = same_items(answers(expected), answers(jobs[0].get("results")), what="results (id, rows, flags)")
    return wrong or same_items(keys, jobs[0].get("asked"), what="the keys requested from the store")


@check(TASK, cases=cases.closed, invariant=9)
def a_task_closes_its_one_store(case: Case, rows: Rows) -> Mismatch | None:
    """Check this at the end of the input, and when the reader stops early."""
    expected, jobs = oracle.results(case), jobs_of(rows, 1)
    if isinstance(jobs, Mismatch):
        return jobs
    opened, closed, got = rows.get("opened"), rows.get("closed"), answers(jobs[0].get("results"))
    if case["take"]:
        if not isinstance(got, list) or len(got) != case["take"] or got[0] not in answers(expected):
            return same_value("one of the transactions", got, what="the result of take(1)")
    elif wrong := same_items(answers(expected), got, what="results (id, rows, flags)"):
        return wrong
    if not isinstance(opened, int) or not 1 <= opened <= case["partitions"]:
        return same_value(case["partitions"], opened, what="the number of stores opened, one for each task,")
    after = f"after take({case['take']})" if case["take"] else "after a whole job"
    return same_value(opened, closed, what=f"the number of stores closed {after}")


@check(TASK, cases=cases.workers, invariant=10, after="each_key_is_asked_for_once")
def a_cache_lives_as_long_as_its_worker(case: Case, rows: Rows) -> Mismatch | None:
    """Check the keys requested before and after all workers are killed.

    Each worker requests each key at most once before the kill, and some worker requests it again afterwards.
    """
    expected, keys = oracle.results(case), len(oracle.distinct_keys(case))
    jobs = jobs_of(rows, case["jobs"])
    if isinstance(jobs, Mismatch):
        return jobs
    for number, job in enumerate(jobs, 1):
        got = job.get("results")
        if wrong := same_items(answers(expected), answers(got), what=f"results (id, rows, flags) of job {number}"):
            return wrong
    killed = case["kill_before"]
    return _asked_by(keys, jobs[:killed], 0, "before the workers are killed") or _asked_by(
        keys, jobs[killed:], workers_of(jobs[killed - 1]), "after that"
    )


def _asked_by(keys: int, jobs: list[dict[str, Any]], gone: int, when: str) -> Mismatch | None:
    """Check that the number of requested keys is between one and `workers` times the number of keys.

    Two workers have a cache, or one more on a busy machine.
    """
    workers = min(MOST_WORKERS, max(2, workers_of(jobs[-1]) - gone))
    asked = sum(count_of(job.get("asked")) for job in jobs)
    if keys <= asked <= workers * keys:
        return None
    what = f"Expected {keys} to {workers * keys} keys to be requested {when}, in {len(jobs)} jobs on {workers} workers"
    return Mismatch(f"{what} with one cache each; yours requests {asked}.", workers * keys, asked)
