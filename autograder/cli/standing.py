"""A learner's progress in a lab: the newest verdict on each check, from `./lab check` or from a notebook's check().

`./lab check` writes work/LAB/results.json. check() writes work/LAB/checked.json, {task: {check: verdict}}, after each
call. Both may be missing, of another release, or truncated; unreadable parts count as not checked.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.course import Lab

RESULTS, CHECKED = "results.json", "checked.json"


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


def standing_in(folder: Path, lab: Lab) -> Standing:
    """Return the progress of the work in `folder`; for tasks in both files, the newer file counts."""
    found = _newest_verdicts(folder)
    passed = passed_checks(folder)
    all_checks = [(name, check, points) for name, task in lab.core.items() for check, points in task.checks.items()]
    bonus = {(name, check) for name, task in lab.tasks.items() if task.bonus for check in task.checks}
    earned = [points for name, check, points in all_checks if (name, check) in passed]
    points = round(sum(earned) + _throughput_points(folder / RESULTS, lab), 2)
    return Standing(points, lab.points, len(earned), len(all_checks), bool(found), len(bonus & passed), len(bonus))


def passed_checks(folder: Path) -> set[tuple[str, str]]:
    """Return (task, check) of each check whose newest verdict in `folder` is a pass."""
    verdicts = _newest_verdicts(folder).items()
    return {(task, check) for task, checks in verdicts for check, ok in checks.items() if ok}


def passed_tasks(folder: Path, lab: Lab) -> list[str]:
    """Return the tasks of a lab whose newest verdicts in `folder` all pass."""
    passed = passed_checks(folder)
    return [name for name, task in lab.tasks.items() if all((name, check) in passed for check in task.checks)]


def _newest_verdicts(folder: Path) -> dict[str, dict[str, bool]]:
    judged, live = _judged_checks(folder / RESULTS), _live_checks(folder / CHECKED)
    return {**judged, **live} if _changed(folder / CHECKED) > _changed(folder / RESULTS) else {**live, **judged}


def _judged_checks(file: Path) -> dict[str, dict[str, bool]]:
    checks = _mapping(mapping_in(file).get("streamlab")).get("checks")
    found: dict[str, dict[str, bool]] = {}
    for each in checks if isinstance(checks, list) else []:
        about = _mapping(each)
        found.setdefault(str(about.get("task")), {})[str(about.get("check"))] = about.get("verdict") == "pass"
    return found


def _live_checks(file: Path) -> dict[str, dict[str, bool]]:
    """Return the verdicts in checked.json; what is not a verdict counts as not checked."""
    found = {task: _verdicts(checks) for task, checks in mapping_in(file).items()}
    return {task: verdicts for task, verdicts in found.items() if verdicts}


def _verdicts(checks: object) -> dict[str, bool]:
    return {check: verdict == "pass" for check, verdict in _mapping(checks).items() if isinstance(verdict, str)}


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
