"""Drives the public cases of a task in this process and judges the rows, as the judge does in a sandbox."""

import json
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

from autograder.checks import load_stage
from autograder.course import load_course
from autograder.inside import DRIVES, load_drives
from autograder.judge.jobs import PUBLIC_SEED, Job, plan_for
from autograder.judge.outcomes import Driven, Outcome
from autograder.judge.verdicts import Verdict, judge_check
from autograder.notebook_check.time_limit import OutOfTime, TimeLimit
from streamlab.notebooks.causes import cause_of
from streamlab.notebooks.loader import Stage

ROOT = Path(__file__).resolve().parents[2]
Earlier = Callable[[str], Any]  # lab -> its tasks as attributes


def first_problem(stage: Stage, task: str, earlier: Earlier) -> str | None:
    """Return the first mistake that the public checks find in a task of `stage`; None if they find none.

    Example: "words is not written yet."
    """
    wrong = (each.sentence for each in verdicts_of(stage, task, earlier) if each.verdict != "pass")
    return next(wrong, None)


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
    return [judge_check(each, plan.of(each), driven, entry.checks[each.name]) for each in checks.of_task(task)]


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
    drive, began = DRIVES[task], time.monotonic()
    with tempfile.TemporaryDirectory(prefix="streamlab-", ignore_cleanup_errors=True) as scratch:
        spark = _live_session() if drive.needs_spark else None
        try:
            rows = drive(stage=stage, case=case, spark=spark, scratch=Path(scratch), earlier=earlier)
        except OutOfTime as stopped:
            _stop_all(spark)
            where = f"; it was at line {stopped.line} of its cell" if stopped.line else ""
            return Outcome("timeout", message=f"no answer within {limit.limit_s if limit else 0:g} s{where}")
        except KeyboardInterrupt:
            raise
        except BaseException as problem:  # such as SystemExit, which would end the check cell without a verdict
            cause = cause_of(problem)
            return Outcome("failed", error=cause.kind, message=cause.message, line=cause.line)
    return Outcome("rows", rows=_as_json(rows), seconds=time.monotonic() - began)


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
