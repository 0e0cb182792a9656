"""The policy of a class: due dates, late penalties, extensions, excused students, groups, and what is not graded.

It is applied when results are recorded, so a change judges nothing again. `policy_file` reads it.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from autograder.course import Course, Lab, Task

THROUGHPUT = "throughput"  # names the throughput check of a task
STEP = 0.25
DAY = timedelta(days=1)


@dataclass(frozen=True)
class LateRule:
    """A late penalty: `per_day` of the automatic points for each started day after the due date, down to `floor`.

    Work that arrives within `grace` after the due date has no penalty. `per_day` and `floor` are parts of 1.
    """

    per_day: float
    grace: timedelta = timedelta(0)
    floor: float = 0.0


@dataclass(frozen=True)
class Group:
    """Students who hand in together; `name` is the group's on the course site, "" if only the members are known."""

    members: tuple[str, ...]
    name: str = ""


@dataclass(frozen=True)
class Policy:
    """The policy of a class; the empty one changes nothing.

    `ungraded` has the checks of each task that are not graded. `extensions` and `excused` are by student and lab.
    """

    due: Mapping[str, datetime] = field(default_factory=dict)
    late: LateRule | None = None
    extensions: Mapping[tuple[str, str], timedelta] = field(default_factory=dict)
    excused: frozenset[tuple[str, str]] = frozenset()
    groups: Mapping[str, tuple[Group, ...]] = field(default_factory=dict)
    ungraded: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def due_for(self, lab: str, student: str) -> datetime | None:
        """Return when the work of a student is due, with the student's extension; None if it is not."""
        due = self.due.get(lab)
        return due + self.extensions.get((student, lab), timedelta(0)) if due else None

    def days_late(self, lab: str, student: str, submitted_at: datetime) -> int:
        """Return the started days after the due date; 0 within the grace period.

        Example: 25 hours after the due date -> 2
        """
        due = self.due_for(lab, student)
        if due is None or self.late is None or submitted_at <= due + self.late.grace:
            return 0
        return math.ceil((submitted_at - due) / DAY)

    def penalty(self, days_late: int, points: float) -> float:
        """Return the penalty for work of `points` automatic points, rounded to 0.25 points.

        Example: 10 % per day down to 50 %, and 2 days late: penalty(2, 31.0) -> 6.25
        """
        if self.late is None or not days_late:
            return 0.0
        part = min(self.late.per_day * days_late, 1 - self.late.floor)
        return min(points, math.floor(part * points / STEP + 0.5) * STEP)

    def graded_course(self, course: Course) -> Course:
        """Return the course without the points of what is not graded."""
        if not self.ungraded:
            return course
        labs = {name: self._graded_lab(lab) for name, lab in course.labs.items()}
        return course.model_copy(update={"labs": labs})

    def _graded_lab(self, lab: Lab) -> Lab:
        tasks = {name: self._graded_task(name, task) for name, task in lab.tasks.items()}
        own = lab.model_copy(update={"tasks": tasks})
        return own.model_copy(update={"points": own.judged_points + sum(lab.written.values())})

    def _graded_task(self, name: str, task: Task) -> Task:
        dropped = self.ungraded.get(name, frozenset())
        rule = task.throughput
        if rule and THROUGHPUT in dropped:
            rule = rule.model_copy(update={"points": 0.0})
        checks = {check: 0.0 if check in dropped else points for check, points in task.checks.items()}
        return task.model_copy(update={"checks": checks, "throughput": rule})
