"""The points that a result was judged with, compared with those in course.yml today.

nbgrader's gradebook has one maximum for each cell. So results that were judged with other points cannot be recorded
next to those of today, and their points must not be shown out of today's maximum.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from autograder.classroom import cached_results
from autograder.classroom.folder import Classroom
from autograder.course import Lab
from autograder.judge.results import open_checks

TOLERANCE = 1e-6
SHOWN = 3


def total_of(results: Mapping[str, Any]) -> float | None:
    """Return the lab's total, with manual grades, when the result was judged; None if release 2026.1 judged it."""
    total = results["streamlab"].get("points", {}).get("lab")
    return float(total) if isinstance(total, int | float) else None


def changed_points(results: Mapping[str, Any], lab: Lab) -> list[str]:
    """Return the checks that have other points in course.yml today. Example: ["words/no_word_is_empty: 1 → 2"]."""
    then, now = _judged(results), _today(results, lab)
    names = list(dict.fromkeys([*then, *now]))
    changed = [
        f"{name}: {_shown(then.get(name))} → {_shown(now.get(name))}" for name in names if _differ(name, then, now)
    ]
    total = total_of(results)
    if not changed and total is not None and abs(total - lab.points) > TOLERANCE:
        return [f"the whole lab: {_shown(total)} → {_shown(lab.points)}"]
    return changed


def judged_with_other_points(classroom: Classroom, lab: str, students: Iterable[str]) -> dict[str, list[str]]:
    """Return what has changed since, for each student whose result was judged with other points."""
    found = {each: cached_results.load(classroom.results_of(lab, each)) for each in students}
    settings = classroom.course.labs[lab]
    changes = {student: changed_points(one.results, settings) for student, one in found.items() if one}
    return {student: changed for student, changed in changes.items() if changed}


def has_the_tasks_of(classroom: Classroom, lab: str, students: Iterable[str]) -> bool:
    """Return whether course.yml has the same tasks as the students' results; nbgrader rejects any others."""
    found = (cached_results.load(classroom.results_of(lab, each)) for each in students)
    tasks = {name.partition("/")[0] for one in found if one for name in _judged(one.results)}
    return tasks == set(classroom.course.labs[lab].tasks)


def spoken(changes: Mapping[str, list[str]]) -> str:
    """Return the changes of all students, each once, at most three. Example: "words/empty: 1 → 2, and 4 more"."""
    every = list(dict.fromkeys(each for changed in changes.values() for each in changed))
    more = [f"and {len(every) - SHOWN} more"] if len(every) > SHOWN else []
    return ", ".join([*every[:SHOWN], *more])


def _judged(results: Mapping[str, Any]) -> dict[str, float]:
    """Return the points of each check in the results; a check that is still to be judged has its open points."""
    ours = results["streamlab"]
    judged = [*ours["checks"], *ours["throughput"]]
    return {f"{each['task']}/{each['check']}": float(each["max_points"]) for each in judged} | open_checks(results)


def _today(results: Mapping[str, Any], lab: Lab) -> dict[str, float]:
    """Return the points of today's checks, and of those throughput checks that the results have."""
    checks = {f"{name}/{check}": points for name, task in lab.tasks.items() for check, points in task.checks.items()}
    return checks | dict(_throughput(results, lab))


def _throughput(results: Mapping[str, Any], lab: Lab) -> Iterator[tuple[str, float]]:
    for measured in results["streamlab"]["throughput"]:
        task = lab.tasks.get(measured["task"])
        if task and task.throughput:
            yield f"{measured['task']}/{measured['check']}", task.throughput.points


def _differ(name: str, then: Mapping[str, float], now: Mapping[str, float]) -> bool:
    return name not in then or name not in now or abs(then[name] - now[name]) > TOLERANCE


def _shown(value: float | None) -> str:
    return "none" if value is None else f"{value:g}"
