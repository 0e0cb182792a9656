"""A learner's progress in a lab: the newest verdict on each check, from `./lab check` or from a notebook's check().

`./lab check LAB` writes work/LAB/results.json. check() and `./lab check LAB/TASK` write work/LAB/checked.json, {task:
{check: verdict}}, after each call. Both also have a digest of the cell that was checked. Both may be missing,
of another release, or truncated; unreadable parts count as not checked.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from autograder.course import Lab
from autograder.judge.cell_digests import CELL

RESULTS, CHECKED = "results.json", "checked.json"
BAR_CHARS = 10


@dataclass(frozen=True)
class Standing:
    """Points and passing checks of a lab's core so far; `is_checked` is true if anything was checked at all."""

    points: float
    max_points: float
    passed: int
    checks: int
    is_checked: bool
    bonus_passed: int = 0
    bonus_checks: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether every check of the core passes; throughput checks and written questions do not count."""
        return self.passed == self.checks

    @property
    def bar(self) -> str:
        """The share of the core's checks that pass. Example: 3 of 10 -> "███░░░░░░░" """
        filled = BAR_CHARS * self.passed // self.checks
        return "█" * filled + "░" * (BAR_CHARS - filled)


def standing_in(folder: Path, lab: Lab) -> Standing:
    """Return the progress of the work in `folder`; for tasks in both files, the newer file counts."""
    found = newest_verdicts(folder)
    passed = passed_checks(folder)
    all_checks = [(name, check, points) for name, task in lab.core.items() for check, points in task.checks.items()]
    bonus = {(name, check) for name, task in lab.tasks.items() if task.bonus for check in task.checks}
    earned = [points for name, check, points in all_checks if (name, check) in passed]
    points = round(sum(earned) + _throughput_points(folder / RESULTS, lab), 2)
    return Standing(points, lab.points, len(earned), len(all_checks), bool(found), len(bonus & passed), len(bonus))


def passed_checks(folder: Path) -> set[tuple[str, str]]:
    """Return (task, check) of each check whose newest verdict in `folder` is a pass."""
    return {(task, check) for task, found in newest_verdicts(folder).items() for check in found.passed}


def passed_tasks(folder: Path, lab: Lab) -> list[str]:
    """Return the tasks of a lab whose newest verdicts in `folder` all pass."""
    passed = passed_checks(folder)
    return [name for name, task in lab.tasks.items() if all((name, check) in passed for check in task.checks)]


def next_task(folder: Path, lab: Lab) -> str | None:
    """Return the first task of a lab's core that does not pass, or None if all pass.

    A task that only waits, for example for an earlier lab, comes after the others.
    """
    passed, found = passed_tasks(folder, lab), newest_verdicts(folder)
    left = [name for name, task in lab.core.items() if name not in passed]
    waits = [
        name
        for name in left
        if name in found and found[name].passed | found[name].skipped >= set(lab.core[name].checks)
    ]
    return next((name for name in left if name not in waits), next(iter(left), None))


class TaskVerdicts(NamedTuple):
    """The newest verdicts on a task: the checks that pass, and the digest of its cell then ("": not known)."""

    passed: set[str]
    digest: str
    skipped: set[str]


def newest_verdicts(folder: Path) -> dict[str, TaskVerdicts]:
    """Return {task: newest verdicts}; of tasks in both files, those of the newer file."""
    judged, live = _judged_checks(folder / RESULTS), _live_checks(folder / CHECKED)
    return {**judged, **live} if _changed(folder / CHECKED) > _changed(folder / RESULTS) else {**live, **judged}


def _judged_checks(file: Path) -> dict[str, TaskVerdicts]:
    ours = _mapping(mapping_in(file).get("streamlab"))
    checks, digests = ours.get("checks"), _mapping(_mapping(ours.get("digests")).get("tasks"))
    found: dict[str, TaskVerdicts] = {}
    for each in map(_mapping, checks if isinstance(checks, list) else []):
        task = str(each.get("task"))
        verdicts = found.setdefault(task, TaskVerdicts(set(), str(digests.get(task, "")), set()))
        sets = {"pass": verdicts.passed, "skipped": verdicts.skipped}
        sets.get(str(each.get("verdict")), set[str]()).add(str(each.get("check")))
    return found


def _live_checks(file: Path) -> dict[str, TaskVerdicts]:
    """Return the verdicts in checked.json; what is not a verdict counts as not checked."""
    tasks = {task: _mapping(entry) for task, entry in mapping_in(file).items()}
    return {task: _live_verdicts(entry) for task, entry in tasks.items() if _has_verdict(entry)}


def _has_verdict(entry: Mapping[str, Any]) -> bool:
    return any(isinstance(verdict, str) for check, verdict in entry.items() if check != CELL)


def _live_verdicts(entry: Mapping[str, Any]) -> TaskVerdicts:
    passed, skipped = ({check for check, verdict in entry.items() if verdict == each} for each in ("pass", "skipped"))
    return TaskVerdicts(passed, str(entry.get(CELL, "")), skipped)


def keep_checked(folder: Path, task: str, verdicts: Mapping[str, str], digest: str | None) -> None:
    """Write the verdicts on the checks of one task, and the digest of its cell, to the folder's checked.json.

    A damaged file is replaced. Raises OSError.
    """
    now = {**verdicts, **({CELL: digest} if digest else {})}
    kept = {**mapping_in(folder / CHECKED), task: now}
    (folder / CHECKED).write_text(json.dumps(kept, indent=1), encoding="utf-8")


def _throughput_points(file: Path, lab: Lab) -> float:
    """Return the points of throughput checks, which only `./lab check --throughput` runs."""
    measured = _mapping(mapping_in(file).get("streamlab")).get("throughput")
    total = 0.0
    for each in map(_mapping, measured if isinstance(measured, list) else []):
        task, points = lab.tasks.get(str(each.get("task"))), each.get("points")
        if task and task.throughput and isinstance(points, int | float) and points is not True:
            total += min(max(0, points), task.throughput.points)  # before any float(), which huge integers overflow
    return total


def _changed(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


def mapping_in(file: Path) -> Mapping[str, Any]:
    """Return the JSON object in a file; an empty one if the file cannot be read or has anything else."""
    try:
        return _mapping(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError):
        return {}


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
