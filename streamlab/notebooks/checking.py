"""`check("count_words")` in a notebook: the same drives and checks as the judge, on the live functions.

Advice only: it gives no marks, prints plain text, and returns None. Races are left to `./lab check --race`.
"""

import sys
import tempfile
import time
import types
from pathlib import Path
from typing import TYPE_CHECKING, Any

from streamlab.notebooks.loading import Stage

if TYPE_CHECKING:
    from autograder.judge.chain import Chain
    from autograder.judge.jobs import Job
    from autograder.judge.outcomes import Driven
    from autograder.judge.verdicts import Verdict
    from streamlab.notebooks.stages import EarlierStage

ROOT = Path(__file__).resolve().parents[2]


def check(task: str) -> None:
    """Drive the notebook's own `task` with the public cases and print a verdict for each check."""
    from autograder.course import load_course

    course = load_course(ROOT)
    lab = course.lab_of(task)
    if lab is None:
        print(f"No task {task}; the labs have {', '.join(t for each in course.labs.values() for t in each.tasks)}.")
        return
    _check(lab, task, course.labs[lab].tasks[task].checks)


def _check(lab: str, task: str, points: dict[str, float]) -> None:
    from rich.console import Console

    from autograder.judge.results import check_as_json
    from autograder.report import print_checks

    began = time.monotonic()
    verdicts = _verdicts(lab, task, points, _live_stage(lab))
    print_checks(
        [check_as_json(lab, each) for each in verdicts],
        Console(file=sys.stdout, force_terminal=False, force_jupyter=False, highlight=False),
    )
    print(f"{time.monotonic() - began:.1f} s. This is advice; marks are given by the judge.")


def first_problem(lab: str, task: str, stage: Stage) -> str | None:
    """The first thing that the public checks find wrong with a task of `stage`; None if there is nothing, or no checks.

    Example: "words is not written yet."
    """
    from autograder.course import load_course

    entry = load_course(ROOT).labs[lab].tasks.get(task)
    verdicts = _verdicts(lab, task, entry.checks, stage) if entry else []
    return next((each.sentence for each in verdicts if each.verdict != "pass"), None)


def _verdicts(lab: str, task: str, points: dict[str, float], stage: Stage) -> list["Verdict"]:
    from autograder.checks import load_stage
    from autograder.judge.jobs import PUBLIC_SEED, plan_for
    from autograder.judge.verdicts import judge_check

    checks = load_stage(lab)
    plan = plan_for(checks, PUBLIC_SEED, [task])
    driven = _drive_all(lab, plan.jobs, stage)
    chain = _chain(checks.chain_of([task]))
    return [
        chain.settled(each, judge_check(each, plan.of(each), driven, points[each.name]))
        for each in checks.of_task(task)
    ]


def _chain(tasks: list[str]) -> "Chain":
    """Which of these tasks of earlier labs are the learner's own, and why the others are not."""
    from autograder.judge.chain import Chain, Link
    from streamlab.notebooks.labfile import read_lab
    from streamlab.notebooks.stages import earlier_problem, reference_of

    links = {}
    for task in tasks:
        reference = reference_of(task.split("/")[0])
        links[task] = Link(read_lab(reference).cells if reference else [], earlier_problem(task))
    return Chain(links)


def _drive_all(lab: str, jobs: list["Job"], stage: Stage) -> "Driven":
    """All cases on the functions of `stage`, one after the other; a stub is asked once only."""
    from autograder.judge.outcomes import Driven

    driven = Driven()
    for job in jobs:
        for case in job.cases:
            outcome = _drive(lab, job.task, case.input, stage)
            driven.outcomes[case.id] = outcome
            if outcome.error == "NotImplementedError":
                driven.outcomes.update((each.id, outcome) for each in job.cases)
                break
    return driven


def hint(task: str, number: int = 1) -> None:
    """Print hint 1, 2 or 3 of a task: a question, a nudge, nearly the answer."""
    from autograder.checks.teaching import hints
    from autograder.course import load_course

    three = hints(load_course(ROOT).lab_of(task) or "").get(task, [])
    if not 1 <= number <= len(three):
        print(f"No hint {number} for {task}." if three else f"No task {task}.")
        return
    print(f"Hint {number} of {len(three)}: {three[number - 1]}")


def _drive(lab: str, task: str, case: dict[str, Any], stage: Stage) -> Any:
    """One case on the functions of `stage`, in this process."""
    import importlib

    from autograder.inside import DRIVES
    from autograder.inside.causes import cause_of
    from autograder.judge.outcomes import Outcome

    importlib.import_module(f"autograder.stages.{lab}.drive")

    drive, began = DRIVES[task], time.monotonic()
    with tempfile.TemporaryDirectory(prefix="streamlab-") as scratch:
        try:
            spark = _live_session() if drive.needs_spark else None
            rows = drive(stage=stage, case=case, spark=spark, scratch=Path(scratch), earlier=_quietly)
        except Exception as problem:
            cause = cause_of(problem)
            return Outcome("failed", error=cause.kind, message=cause.message, line=cause.line)
    return Outcome("rows", rows=_as_json(rows), seconds=time.monotonic() - began)


def _quietly(lab: str) -> "EarlierStage":
    """Earlier labs for drives; what stands in is said by the check itself."""
    from streamlab.notebooks.stages import stage

    return stage(lab, told=lambda text: None)


def _as_json(rows: dict[str, Any]) -> dict[str, Any]:
    """What the rows would be after their way through JSON, as in the judge."""
    import json

    value: dict[str, Any] = json.loads(json.dumps(rows, allow_nan=False))
    return value


def _live_stage(lab: str) -> Stage:
    return Stage(lab, sys.modules["__main__"] if "__main__" in sys.modules else types.ModuleType("__main__"))


def _live_session() -> Any:
    from streamlab.spark import session

    return session("check")
