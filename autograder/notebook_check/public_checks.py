"""Drives the public cases of a task in this process and judges the rows, as the judge does in a sandbox."""

import json
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

from autograder.checks import Check, load_stage
from autograder.course import load_course
from autograder.inside import DRIVES, load_drives
from autograder.inside.patience import begin_case, ran_out_s
from autograder.judge.jobs import PUBLIC_SEED, Job, NumberedCase, plan_for
from autograder.judge.outcomes import Driven, Outcome
from autograder.judge.second_look import busy_sentence
from autograder.judge.verdicts import Verdict, deciding_case, judge_check, left_ungraded
from autograder.judge.waits import with_waits
from autograder.notebook_check.time_limit import OutOfTime, TimeLimit
from streamlab.granted_time import GrantedClock, own_pids
from streamlab.notebooks.causes import cause_of
from streamlab.notebooks.loader import Stage

BUSY = 0.6  # of the time granted, and less: other programs decide how long something takes
ROOT = Path(__file__).resolve().parents[2]
Earlier = Callable[[str], Any]  # lab -> its tasks as attributes


def first_problem(stage: Stage, task: str, earlier: Earlier) -> str | None:
    """Return the first mistake that the public checks find in a task of `stage`; None if they find none.

    Example: "words is not written yet."
    """
    wrong = (each for each in verdicts_of(stage, task, earlier) if each.verdict != "pass" and not each.waits_for)
    return next((each.sentence for each in wrong), None)


def verdicts_of(
    stage: Stage,
    task: str,
    earlier: Earlier,
    limit: TimeLimit | None = None,
    on_case: Callable[[int, int], None] = lambda number, count: None,
) -> list[Verdict]:
    """Return a verdict for each check of a task of `stage`, with the points of course.yml; empty for an unknown task.

    `on_case(number, count)` is called before each case. After a case exceeds its `limit`, the others are not tried.
    """
    entry = load_course(ROOT).labs[stage.lab].tasks.get(task)
    if entry is None:
        return []
    checks = load_stage(stage.lab)
    plan = plan_for(checks, PUBLIC_SEED, [task])
    driven = _drive_all(stage, plan.jobs, earlier, limit, on_case)
    judged = [_judged(each, plan.of(each), driven, entry.checks[each.name]) for each in checks.of_task(task)]
    return with_waits(checks.in_order(task), judged)


def _drive_all(
    stage: Stage, jobs: list[Job], earlier: Earlier, limit: TimeLimit | None, on_case: Callable[[int, int], None]
) -> Driven:
    """Drive all cases on the functions of `stage`, one after the other; a stub is called only once."""
    driven = Driven()
    cases = [(job.task, case) for job in jobs for case in job.cases]
    for number, (task, case) in enumerate(cases, 1):
        on_case(number, len(cases))
        with limit.one_case() if limit else nullcontext():
            outcome = driven.outcomes[case.id] = _drive(stage, task, case.input, earlier, limit)
        if outcome.kind == "timeout" or outcome.error == "NotImplementedError":
            others = Outcome("untried") if outcome.kind == "timeout" else outcome
            driven.outcomes.update((each.id, others) for _, each in cases[number:])
            break
    return driven


def _drive(stage: Stage, task: str, case: dict[str, Any], earlier: Earlier, limit: TimeLimit | None) -> Outcome:
    """Drive one case on the functions of `stage`, in this process."""
    load_drives(stage.lab)
    drive, began, granted = DRIVES[task], time.monotonic(), GrantedClock(own_pids)
    begin_case()
    with tempfile.TemporaryDirectory(prefix="streamlab-", ignore_cleanup_errors=True) as scratch:
        spark = _live_session() if drive.needs_spark else None
        try:
            rows = drive(stage=stage, case=case, spark=spark, scratch=Path(scratch), earlier=earlier)
        except OutOfTime as stopped:
            _stop_all(spark)
            where = f"; it was at line {stopped.line} of its cell" if stopped.line else ""
            limit_s = limit.limit_s if limit else 0.0
            outcome = Outcome("timeout", message=f"no answer within {limit_s:g} s{where}", limit_s=limit_s)
        except KeyboardInterrupt:
            raise
        except BaseException as problem:  # such as SystemExit, which would end the check cell without a verdict
            kind, message, line, cell = astuple(cause_of(problem))
            if kind == "NotImplementedError" and cell not in ("", *load_course(ROOT).labs[stage.lab].tasks):
                kind, message = "TaskMissing", f"{cell} is not written yet"  # of an earlier lab, in a student's kit
            outcome = Outcome("failed", error=kind, message=message, line=line, cell=cell, limit_s=ran_out_s())
        else:
            outcome = Outcome("rows", rows=_as_json(rows), limit_s=ran_out_s())
    return replace(outcome, seconds=time.monotonic() - began, granted_s=granted())


def _judged(check: Check, cases: list[NumberedCase], driven: Driven, points: float) -> Verdict:
    """Return the verdict, left open if a time limit decided it and programs got little of this machine meanwhile."""
    verdict, problem = judge_check(check, cases, driven, points), deciding_case(check, cases, driven)
    if problem is None or not problem.outcome.limit_s or verdict.ungraded:
        return verdict
    share = problem.outcome.granted_s / max(problem.outcome.seconds, 1e-9)
    if share > BUSY:
        return verdict
    why = f"programs had to wait for a core {1 - share:.0%} of the time"
    return left_ungraded(replace(verdict, sentence=busy_sentence(check.task, problem.outcome, why)))


def _stop_all(spark: Any) -> None:
    """Stop the jobs and streams that a case left running in Spark."""
    if spark is None:
        return
    from streamlab.spark import stop_streaming

    with suppress(Exception):
        stop_streaming(spark)
        for query in spark.streams.active:
            query.stop()
        spark.sparkContext.cancelAllJobs()


def _as_json(rows: dict[str, Any]) -> dict[str, Any]:
    """Return the rows as JSON would transport them, as in the judge."""
    value: dict[str, Any] = json.loads(json.dumps(rows, allow_nan=False))
    return value


def _live_session() -> Any:
    from streamlab.spark import session

    return session("check")
