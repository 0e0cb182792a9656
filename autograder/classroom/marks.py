"""What is known of a class after grading: one mark for each student, as plain values.

The gradebook gives them (autograder.record.gradebook); class page and exports only read them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True)
class WrittenMark:
    """A question that is marked by hand; `points` is None until somebody marked it.

    `changed_since` is true where the answer is another one than the one that was marked.
    """

    question: str
    points: float | None
    max_points: float
    changed_since: bool = False


@dataclass(frozen=True)
class StudentMark:
    """One student's mark in one lab.

    `results` is the judge's results object, None where nothing was handed in. `submitted_at` has a time zone.
    """

    student: str
    max_points: float
    judged_points: float = 0.0
    late_penalty: float = 0.0
    written: tuple[WrittenMark, ...] = ()
    results: Mapping[str, Any] | None = None
    submitted_at: datetime | None = None
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    lms_id: str = ""

    @property
    def points(self) -> float:
        """All points so far, manual grades in, penalty off; never below 0."""
        by_hand = sum(each.points or 0.0 for each in self.written)
        return round(max(0.0, self.judged_points + by_hand - self.late_penalty), 2)

    @property
    def needs_manual_grade(self) -> bool:
        """Whether somebody has still to mark a written answer."""
        return self.results is not None and any(each.points is None or each.changed_since for each in self.written)


@dataclass(frozen=True)
class ClassMarks:
    """The marks of a class in one lab, in the order of student ids."""

    course: str
    lab: str
    lab_title: str
    release: str
    max_points: float
    students: tuple[StudentMark, ...]
