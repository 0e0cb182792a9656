"""The marks of a class after grading, one for each student, as plain values.

`autograder.record.gradebook` creates them; the class page and the exports only read them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True)
class WrittenMark:
    """The manual grade of a written question, or of a check whose judged result has changed since somebody graded it.

    `points` is None until somebody grades it. `changed_since` is true if the answer or the result has changed since.
    """

    question: str
    points: float | None
    max_points: float
    changed_since: bool = False


@dataclass(frozen=True)
class StudentMark:
    """One student's mark in one lab.

    `bonus_points` are for information; as extra credit, they are among `judged_points`, too. `results` is the judge's
    results object, None if the student handed in nothing or the result is not in the gradebook yet. `submitted_at` has
    a time zone, and is None if the student handed in nothing.
    """

    student: str
    max_points: float
    judged_points: float = 0.0
    bonus_points: float = 0.0
    late_penalty: float = 0.0
    written: tuple[WrittenMark, ...] = ()
    results: Mapping[str, Any] | None = None
    submitted_at: datetime | None = None
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    lms_id: str = ""
    is_excused: bool = False

    def as_excused(self) -> "StudentMark":
        """Return the mark of a student whom the class's policy excuses from the lab: as if nothing was handed in."""
        named = (self.first_name, self.last_name, self.email, self.lms_id)
        return StudentMark(self.student, self.max_points, 0.0, 0.0, 0.0, (), None, None, *named, is_excused=True)

    @property
    def has_handed_in(self) -> bool:
        """Whether the student handed in anything."""
        return self.results is not None or self.submitted_at is not None

    @property
    def is_not_graded_yet(self) -> bool:
        """Whether the student handed in work that has no recorded result yet."""
        return self.results is None and self.has_handed_in

    @property
    def points(self) -> float:
        """All points so far, with manual grades, minus the late penalty; never below 0."""
        by_hand = sum(each.points or 0.0 for each in self.written)
        return round(max(0.0, self.judged_points + by_hand - self.late_penalty), 2)

    @property
    def needs_manual_grade(self) -> bool:
        """Whether a written answer, or a check that was graded by hand, still needs manual grading."""
        return self.results is not None and any(each.points is None or each.changed_since for each in self.written)


@dataclass(frozen=True)
class ClassMarks:
    """The marks of a class in one lab, sorted by student id.

    `dropped` has the checks that the class's policy does not grade, as TASK/CHECK, or TASK/throughput.
    """

    course: str
    lab: str
    lab_title: str
    release: str
    max_points: float
    students: tuple[StudentMark, ...]
    dropped: frozenset[str] = frozenset()
