"""The checks of `start_job`: a small job with a failing writer first, and then the day."""

import json
from collections import Counter
from dataclasses import replace
from functools import wraps
from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, same_items, same_sequence, same_value
from autograder.checks.compare import is_whole, key_of, shown
from autograder.checks.registry import Judge
from autograder.stages.lab09_system.day import cases, oracle

FIRST = "no_alert_is_lost_and_none_comes_twice"
OTHERS = ("route", "Desk", "alerts", "GuardedStore", "repair", "AlertWriter", "Supervisor")  # a day runs them, too
WHAT = {
    "alerts": "alerts (kind, account, subject, cents)",
    "dead": "dead letters (reason, topic, partition, offset, checksum)",
}


def _after_the_job(judge: Judge) -> Judge:
    """Judge a day with `judge`; without the right job of four files there is no day."""

    @wraps(judge)
    def judged(case: Case, rows: Rows) -> Mismatch | None:
        if "files" not in case:
            wrong = judge(case, rows)
            return wrong and replace(wrong, also_runs=OTHERS)
        wrong = _job(case, rows)
        if wrong is None or judge.__name__ == FIRST:
            return wrong
        waits = f"Not judged until `start_job` passes the four files of `{FIRST}`"
        return replace(wrong, sentence=f"{waits}: {wrong.sentence}")

    return judged


@check("start_job", cases=cases.job_and_day, invariant=4, chain="lab08_geofencing/Watch", chain_inside=True)
@_after_the_job
def no_alert_is_lost_and_none_comes_twice(case: Case, rows: Rows) -> Mismatch | None:
    """Compare all committed alerts of a day with nine faults."""
    return _committed(case, rows, "alerts", ("AWAY", "SPENT"))


@check("start_job", cases=cases.job_and_day, invariant=4, chain="lab04_subqueries/Aggregate", chain_inside=True)
@_after_the_job
def the_sum_of_every_window_is_right(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the committed alerts of windows, whose sums are those of the learner's Aggregate."""
    return _committed(case, rows, "alerts", ("SPENT",))


@check("start_job", cases=cases.job_and_day, invariant=1, chain="lab08_geofencing/read_record", chain_inside=True)
@_after_the_job
def every_dead_letter_is_written_once(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the committed dead letters."""
    return _committed(case, rows, "dead", ())


@check("start_job", cases=cases.job_and_day, chain="lab04_subqueries/bucket_of", chain_inside=True)
@_after_the_job
def the_lag_is_zero_after_each_fault(case: Case, rows: Rows) -> Mismatch | None:
    """Check for each part of the day that complete batches have read all of its records."""
    expected, drained = oracle.faults(case), rows.get("drained")
    if drained == expected:
        return None
    count = len(drained) if isinstance(drained, list) else 0
    part = expected[min(count, len(expected) - 1)]
    sentence = f'Expected a lag of zero after the part "{part}" of the day; yours: {rows.get("problem")}.'
    return Mismatch(sentence, expected, drained)


@check("start_job", cases=cases.job_and_day, invariant=8, chain="lab06_enrichment/LruCache", chain_inside=True)
@_after_the_job
def undecided_windows_are_decided_later(case: Case, rows: Rows) -> Mismatch | None:
    """Check that the workers looked into the cache, that windows were undecided meanwhile, and that none is left."""
    looks, undecided = rows.get("cache_looks"), rows.get("undecided")
    if not is_whole(looks) or looks < 1:
        return Mismatch(f"Expected the workers to look into your LruCache; they looked {shown(looks)} times.", 1, looks)
    if not is_whole(undecided) or undecided < 1:
        sentence = f"Expected undecided windows while the store was gone; your day has {shown(undecided)}."
        return Mismatch(sentence, "at least 1", undecided)
    return same_value(0, rows.get("open"), what=f"the number of windows without a decision, of {undecided},")


def _committed(case: Case, rows: Rows, name: str, kinds: tuple[str, ...]) -> Mismatch | None:
    """Compare what the day committed; only rows of `kinds`, if there are any."""
    got, what = rows.get(name), WHAT[name]
    expected = [row for row in oracle.committed(case)[name] if not kinds or row[0] in kinds]
    if kinds and isinstance(got, list):
        got = [row for row in got if not isinstance(row, list) or row[:1] != ["AWAY"] or "AWAY" in kinds]
    wrong = _same_rows(expected, got, what)
    if wrong is not None and rows.get("problem"):
        return Mismatch(f"Expected the day to reach its end; yours ends early: {rows['problem']}.", None, wrong.got)
    if wrong is not None and is_whole(rows.get("dropped")) and rows["dropped"]:
        late = f"Spark dropped {rows['dropped']:,} rows as older than the watermark, and none of the day is."
        return replace(wrong, sentence=f"{wrong.sentence} {late}")
    return wrong


def _job(case: Case, rows: Rows) -> Mismatch | None:
    """Judge the job of four files, without which there is no day."""
    expected, fails_at = oracle.batches(case), case["fails_at"]
    if "returned" in rows:
        wrong = f"Expected a StreamingQuery; yours returns {rows['returned']}."
        return Mismatch(wrong, "StreamingQuery", rows["returned"])
    first = _same_batches(expected["first"], rows.get("first"), "")
    if first is not None:
        return first
    if rows.get("ended") is not True:
        wrong = f"Expected the query to end when the writer raises LogError at batch {fails_at}; yours runs on."
        return Mismatch(wrong, True, rows.get("ended"))
    again = f" after a restart with the same checkpoint (the writer raised at batch {fails_at})"
    return _same_batches(expected["second"], rows.get("second"), again)


def _same_batches(expected: list[Any], got: Any, when: str) -> Mismatch | None:
    """Compare the numbers of batches first, then the rows of each."""
    batches = [each for each in got or () if isinstance(each, list) and len(each) == 2] if isinstance(got, list) else []
    numbers, found = [number for number, _ in expected], [number for number, _ in batches]
    wrong = same_sequence(numbers, found, what=f"the numbers of the batches that the writer gets{when}")
    if wrong is not None:
        return wrong
    pairs = zip(expected, batches, strict=True)
    judged = (same_items(rows, given, what=f"the rows of batch {number}{when}") for (number, rows), (_, given) in pairs)
    return next(filter(None, judged), None)


def _final(rows: Any) -> list[Any]:
    """Return the alerts that stay after all decisions; what has another form is kept, and found to be wrong."""
    passing = ("UNDECIDED", "CLEARED")
    return [row for row in rows if not (isinstance(row, list) and row[:1] and row[0] in passing)]


def _same_rows(expected: list[Any], got: Any, what: str) -> Mismatch | None:
    """Compare multisets of rows, and count what is lost, and what is twice or wrong."""
    rows = got if isinstance(got, list) else []
    wanted, received = Counter(map(key_of, expected)), Counter(map(key_of, _final(rows)))
    lost, extra = wanted - received, received - wanted
    if not lost and not extra:
        return None
    example = json.loads(next(iter(lost or extra)))
    counts = f"{_kinds(lost)} are lost and {_kinds(extra)} are twice or wrong"
    alike = [row for row in rows if isinstance(row, list) and row[1:3] == example[1:3]]
    there = f"for example {shown(example)}, for which the log has {shown(alike) if alike else 'nothing'}"
    return Mismatch(f"Expected {wanted.total():,} {what}; of yours {counts}, {there}.", example, alike)


def _kinds(rows: Counter[str]) -> str:
    kinds = Counter(str(json.loads(row)[0]) for row in rows.elements())
    return " and ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items())) or "none"
