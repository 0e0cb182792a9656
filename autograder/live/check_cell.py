"""`check("count_words")` in a notebook: the same drives and checks as the judge, on the live functions.

Advice only: it gives no marks, prints plain text, and returns None. Throughput checks are left to `./lab check
--throughput`.
"""

import sys
import time
import types
from functools import cache
from pathlib import Path

from rich.console import Console

from autograder.checks import load_stage
from autograder.checks.teaching import hints
from autograder.course import load_course
from autograder.judge.chain import Chain, Link
from autograder.judge.results import check_as_json
from autograder.judge.verdicts import Verdict
from autograder.live.public_checks import Earlier, verdicts_of
from autograder.report import print_checks
from streamlab.notebooks.labfile import reference_cells
from streamlab.notebooks.loader import Stage
from streamlab.notebooks.stages import silent_stage

ROOT = Path(__file__).resolve().parents[2]


def check(task: str) -> None:
    """Drive the notebook's own `task` with the public cases and print a verdict for each check."""
    course = load_course(ROOT)
    lab = course.lab_of(task)
    if lab is None:
        print(f"No task {task}; the labs have {', '.join(t for each in course.labs.values() for t in each.tasks)}.")
        return
    _check(lab, task)


def _check(lab: str, task: str) -> None:
    began = time.monotonic()
    earlier = cache(silent_stage)
    verdicts = _settled(lab, task, verdicts_of(_live_stage(lab), task, earlier), earlier)
    print_checks(
        [check_as_json(lab, each) for each in verdicts],
        Console(file=sys.stdout, force_terminal=False, force_jupyter=False, highlight=False),
    )
    print(f"{time.monotonic() - began:.1f} s. This is advice; marks are given by the judge.")


def _settled(lab: str, task: str, verdicts: list[Verdict], earlier: Earlier) -> list[Verdict]:
    """Without the points of checks that rest on a task of an earlier lab that is not the learner's own."""
    checks = load_stage(lab)
    chain = _chain(checks.chain_of([task]), earlier)
    return [chain.settled(each, verdict) for each, verdict in zip(checks.of_task(task), verdicts, strict=True)]


def _chain(tasks: list[str], earlier: Earlier) -> Chain:
    """Which of these tasks of earlier labs are the learner's own, and why the others are not."""
    links = {}
    for name in tasks:
        lab, task = name.split("/")
        links[name] = Link(reference_cells(ROOT, lab), earlier(lab).why_not_own(task))
    return Chain(links)


def hint(task: str, number: int = 1) -> None:
    """Print hint 1, 2 or 3 of a task: a question, a nudge, nearly the answer."""
    three = hints(load_course(ROOT).lab_of(task) or "").get(task, [])
    if not 1 <= number <= len(three):
        print(f"No hint {number} for {task}." if three else f"No task {task}.")
        return
    print(f"Hint {number} of {len(three)}: {three[number - 1]}")


def _live_stage(lab: str) -> Stage:
    return Stage(lab, sys.modules["__main__"] if "__main__" in sys.modules else types.ModuleType("__main__"))
