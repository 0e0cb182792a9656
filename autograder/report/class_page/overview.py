"""Computes the figures of a class: who handed in, the distribution of points, results per task, work left to do.

`autograder.report.class_page.answers` has the figures of single checks.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, median

from autograder.report.class_page.members import Member, cut
from autograder.report.number_formats import points
from autograder.report.score import MANUAL
from autograder.report.svg import ticks

_NOTES_MAX, _NOTE_CHARS, _BINS_MAX = 40, 300, 10


@dataclass(frozen=True)
class Bin:
    """How many marks are in [`low`, `high`); the last bin includes its upper end."""

    low: float
    high: float
    count: int


@dataclass(frozen=True)
class Overview:
    """All students of a class, and the groups of students that the page lists."""

    members: list[Member]
    max_points: float

    @property
    def handed_in(self) -> list[Member]:
        """Students who handed in something."""
        return [each for each in self.members if each.handed_in]

    @property
    def absent(self) -> list[Member]:
        """Students who handed in nothing, without those who are excused."""
        return [each for each in self.members if not each.handed_in and not each.mark.is_excused]

    @property
    def excused(self) -> list[Member]:
        """Students whom the class's policy excuses from the lab."""
        return [each for each in self.members if each.mark.is_excused]

    @property
    def not_graded_yet(self) -> list[Member]:
        """Students who handed in work that has no recorded result."""
        return [each for each in self.handed_in if each.report is None]

    @property
    def judged(self) -> list[Member]:
        """Students whose submission has verdicts."""
        return [each for each in self.members if each.judged]

    @property
    def rejected(self) -> list[Member]:
        """Students whose file could not be judged."""
        return [each for each in self.members if each.rejected]

    @property
    def waiting(self) -> list[Member]:
        """Students who need a manual grade."""
        return [each for each in self.members if each.mark.needs_manual_grade]

    @property
    def points(self) -> list[float]:
        """Points of all students with results, lowest first."""
        return sorted(each.mark.points for each in self.members if each.report)

    @property
    def mean(self) -> float | None:
        """The mean of `points`; None if no student has results."""
        return fmean(self.points) if self.points else None

    @property
    def median(self) -> float | None:
        """The median of `points`; None if no student has results."""
        return median(self.points) if self.points else None

    @property
    def bins(self) -> list[Bin]:
        """The distribution of points from 0 to the maximum, in at most ten bins of a round width."""
        edges = ticks(0.0, max([self.max_points, *self.points[-1:], 1.0]), most=_BINS_MAX + 1)
        return [
            Bin(low, high, sum(low <= each < high or each == high == edges[-1] for each in self.points))
            for low, high in pairwise(edges)
        ]


def not_included(members: Iterable[Member]) -> list[str]:
    """Return one sentence for each part, other than manual grades, that is missing in some students' marks.

    Example: ["Throughput checks that were not run (3 points) are missing for 14 students."]
    """
    found: Counter[tuple[str, float]] = Counter()
    for member in members:
        if member.report and member.judged:
            found.update(each for each in member.report.score.not_included if each[0] != MANUAL)
    return [
        f"{part.capitalize()} ({points(count)} points) are missing for {students} student{'s' if students > 1 else ''}."
        for (part, count), students in found.items()
    ]


@dataclass(frozen=True)
class Question:
    """A written question: how many answers are graded, and whose answers still need a grade."""

    name: str
    graded: int
    waiting: list[Member]


def questions_of(members: Iterable[Member]) -> list[Question]:
    """Return each written question; an answer that changed after it was graded needs a grade again."""
    found: dict[str, tuple[list[Member], list[Member]]] = {}
    for member in members:
        for each in member.mark.written if member.report else ():
            graded, waiting = found.setdefault(cut(each.question, 60), ([], []))
            (waiting if each.points is None or each.changed_since else graded).append(member)
    return [Question(name, len(graded), waiting) for name, (graded, waiting) in found.items()]


@dataclass(frozen=True)
class TaskOfClass:
    """How many students passed all checks of a task, how many did not, and how many wrote nothing."""

    name: str
    right: int
    partly: int
    unwritten: int


def tasks_of(members: Iterable[Member]) -> list[TaskOfClass]:
    """Return all tasks, in the order of the lab."""
    found: dict[str, list[str]] = {}
    for member in members:
        for task in member.report.tasks if member.report and member.judged else ():
            if task.checks:
                found.setdefault(task.name, []).append(_state({each.verdict for each in task.checks}))
    return [TaskOfClass(name, *(states.count(each) for each in _STATES)) for name, states in found.items()]


_STATES = ("right", "partly", "unwritten")


def _state(verdicts: set[str]) -> str:
    if verdicts == {"pass"}:
        return "right"
    return "unwritten" if verdicts == {"skipped"} else "partly"


@dataclass(frozen=True)
class Note:
    """A sentence of the judge and the students it concerns: about an attack, a limit that was reached, or the like."""

    kind: str
    sentence: str
    who: list[Member]


def notes_of(members: Sequence[Member]) -> list[Note]:
    """Return the judge's notes, the rarest first: a note on every student says little about any of them."""
    found: dict[tuple[str, str], list[Member]] = {}
    for member in members:
        if member.report:
            sentences_of = {
                "limit": member.report.limits_hit,
                "fallback": member.report.fallbacks,
                "note": member.report.notes,
            }
            for kind, sentences in sentences_of.items():
                for sentence in dict.fromkeys(cut(each, _NOTE_CHARS) for each in sentences):
                    found.setdefault((kind, sentence), []).append(member)
    notes = [Note(kind, sentence, who) for (kind, sentence), who in found.items()]
    return sorted(notes, key=lambda each: len(each.who))[:_NOTES_MAX]
