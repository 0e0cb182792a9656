"""Runs `check("count_words")` in a notebook: the same drives and checks as the judge, on the live functions.

It is feedback only: it gives no marks and returns None. A case has the same time limit as in the judge, and the cell
shows progress. `./lab check --throughput` runs the throughput checks.
"""

import os
import sys
import time
import types
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from autograder.checks import load_stage
from autograder.checks.shown_hints import next_hint
from autograder.course import Course, load_course
from autograder.judge.cell_digests import CELL, live_digest
from autograder.judge.chain import Chain, Link
from autograder.judge.other_tasks import with_other_tasks
from autograder.judge.results import check_as_json
from autograder.judge.verdicts import Verdict
from autograder.notebook_check.lab_progress import progress_line, show_map, show_system
from autograder.notebook_check.output import output
from autograder.notebook_check.public_checks import Earlier, verdicts_of
from autograder.notebook_check.standing import CHECKED, keep_checked, mapping_in, next_task
from autograder.notebook_check.time_limit import TimeLimit
from streamlab.notebooks.labfile import reference_cells
from streamlab.notebooks.loader import Stage
from streamlab.notebooks.stages import silent_stage
from streamlab.spark import fast_start
from streamlab.spark.sessions import has_ended

ROOT = Path(__file__).resolve().parents[2]
WORK = Path(os.environ.get("STREAMLAB_EARLIER") or ROOT / "work")  # as `streamlab.stage` finds notebooks
QUIET_S = 2.0
SPARK_HAS_ENDED = "Spark has ended. Run the first cell again, then the cells that use `spark`, then this one."
FEEDBACK_ONLY = "Feedback only: the judge gives the marks."


def check(task: str) -> None:
    """Drive the notebook's own `task` with the public cases and show a verdict for each check."""
    course = load_course(ROOT)
    lab = course.lab_of(task)
    if lab is None:
        print(f"No task {task}; the labs have {', '.join(t for each in course.labs.values() for t in each.tasks)}.")
    elif has_ended():
        print(SPARK_HAS_ENDED)
    else:
        _check(course, lab, task, fast_start.patience(course.limits_of(lab).case_s))
        if task == list(course.labs[lab].core)[-1] and Path.cwd() == WORK / lab:
            show_map(course, lab, WORK / lab)
            if next_task(WORK / lab, course.labs[lab]) is None:
                show_system(lab)


def _check(course: Course, lab: str, task: str, limit_s: float) -> None:
    began, shown, folder = time.monotonic(), output(), WORK / lab
    progress = Progress(task, shown.progress, course.labs[lab].tasks[task].check_s)
    earlier, limit = cache(silent_stage), TimeLimit(limit_s, progress.on_second)
    stage = _live_stage(lab)
    with limit.running(), stage.replaced(**_raising_exits(stage)):
        chain = _chain(load_stage(lab).chain_of([task]), earlier, progress)
        verdicts = verdicts_of(stage, task, earlier, limit, progress.on_case)
    verdicts = with_other_tasks(_settled(lab, task, verdicts, chain), _passes(folder))
    keep_verdicts(folder, verdicts, live_digest(getattr(stage, task, None)))
    note = f"{time.monotonic() - began:.1f} s. {FEEDBACK_ONLY}"
    note += f"\n{progress_line(course, lab, folder)}" if Path.cwd() == folder else ""
    shown.verdicts(with_hints_of_notebook([check_as_json(lab, each) for each in verdicts]), note)


def _raising_exits(stage: Stage) -> dict[str, Any]:
    """Return `sys.exit` for the names of IPython's `exit` and `quit`, which end the kernel instead of raising."""
    classes = {name: type(getattr(stage, name, None)).__mro__ for name in ("exit", "quit")}
    return {name: sys.exit for name, bases in classes.items() if "ExitAutocall" in (each.__name__ for each in bases)}


def _settled(lab: str, task: str, verdicts: list[Verdict], chain: Chain) -> list[Verdict]:
    """Remove the points of checks that depend on a task of an earlier lab that is not the learner's own."""
    checks = load_stage(lab).of_task(task)
    return [chain.settled(each, verdict) for each, verdict in zip(checks, verdicts, strict=True)]


def _chain(tasks: list[str], earlier: Earlier, progress: "Progress") -> Chain:
    """Find which of these tasks of earlier labs are the learner's own, and why the others are not."""
    links = {}
    for name in tasks:
        lab, task = name.split("/")
        progress.doing = f"{name}, which this task uses"
        links[name] = Link(reference_cells(ROOT, lab), earlier(lab).why_not_own(task))
    return Chain(links)


class Progress:
    """Shows how long a check cell will take if that is long, then the current case and the elapsed seconds."""

    def __init__(self, task: str, show: Callable[[str], None], expected_s: int | None = None) -> None:
        self.task, self.doing, self._show, self._began = task, task, show, time.monotonic()
        self._of = f" of about {expected_s} s" if expected_s else ""
        if expected_s:
            show(f"checking {task} takes about {expected_s} s")

    def on_case(self, number: int, count: int) -> None:
        """Note that a case of the task begins."""
        self.doing = f"{self.task}: case {number} of {count}"

    def on_second(self) -> None:
        """Show the elapsed seconds; stay silent during the first ones."""
        seconds = time.monotonic() - self._began
        if seconds >= QUIET_S:
            self._show(f"checking {self.doing}, {seconds:.0f} s{self._of}")


def with_hints_of_notebook(checks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Replace the shell command in each hint by a call for a cell, and let the notebook have the function."""
    for each in checks:
        if command := each["evidence"].get("hint"):
            vars(sys.modules["__main__"]).setdefault("hint", hint)
            each["evidence"]["hint"] = f'Hint 1 of 3: hint("{command.rpartition("/")[2]}")'
    return checks


def keep_verdicts(folder: Path, verdicts: list[Verdict], digest: str | None) -> None:
    """Write the verdicts and the digest of the cell that they are about, if the learner's copy of the lab is open.

    `checked.json` is for `./lab status` and `./lab system`.
    """
    if Path.cwd() != folder or not verdicts:
        return
    with suppress(OSError):
        keep_checked(folder, verdicts[0].task, {each.check: each.verdict for each in verdicts}, digest)


def _passes(folder: Path) -> dict[str, bool]:
    """Return {task: whether its checks passed} for the tasks that were checked in the learner's copy of the lab."""
    kept = mapping_in(folder / CHECKED) if Path.cwd() == folder else {}
    of_tasks = {task: told for task, told in kept.items() if isinstance(told, dict)}
    return {task: {told[check] for check in told if check != CELL} == {"pass"} for task, told in of_tasks.items()}


def hint(task: str, number: int | None = None) -> None:
    """Print the next hint of a task, as `./lab hint` does: a question, a nudge, nearly the answer."""
    task = task.rpartition("/")[2]  # "LAB/TASK", as in the shell, or "TASK"
    lab = load_course(ROOT).lab_of(task)
    if lab is None:
        print(f"No task {task}.")
    elif (shown := next_hint(WORK, lab, task, number)) is None:
        print(f"No hint {number} for {task}.")
    else:
        print(shown.line)
        if shown.number < shown.of:
            print(f'next hint: hint("{task}")')
        if shown.problem:
            print(f'{shown.problem}; hint("{task}", 2) chooses a hint')


def _live_stage(lab: str) -> Stage:
    return Stage(lab, sys.modules["__main__"] if "__main__" in sys.modules else types.ModuleType("__main__"))
