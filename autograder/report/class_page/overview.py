"""The class in figures: who handed in, points and how they are spread, tasks, what is left to do.

Keeps out: single checks (autograder.report.class_page.answers), layout.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, median

from autograder.intake.safe_text import points
from autograder.report.class_page.members import Member, cut
from autograder.report.score import MANUAL
from autograder.report.svg import ticks

_MOST_NOTES, _NOTE_CHARS, _MOST_BINS = 40, 300, 10


@dataclass(frozen=True)
class Bin:
    """How many marks are from `low` up to but not `high`; the last bin has its upper end, too."""

    low: float
    high: float
    count: int


@dataclass(frozen=True)
class Overview:
    """Everybody, and those of whom something is to be said."""

    members: list[Member]
    max_points: float

    @property
    def handed_in(self) -> list[Member]:
        """Those of whom something came."""
        return [each for each in self.members if each.handed_in]

    @property
    def absent(self) -> list[Member]:
        """Those of whom nothing came."""
        return [each for each in self.members if not each.handed_in]

    @property
    def judged(self) -> list[Member]:
        """Those with verdicts."""
        return [each for each in self.members if each.judged]

    @property
    def rejected(self) -> list[Member]:
        """Those whose file could not be judged."""
        return [each for each in self.members if each.rejected]

    @property
    def waiting(self) -> list[Member]:
        """Those who need a manual grade."""
        return [each for each in self.members if each.mark.needs_manual_grade]

    @property
    def points(self) -> list[float]:
        """Points of those with results, lowest first."""
        return sorted(each.mark.points for each in self.members if each.report)

    @property
    def mean(self) -> float | None:
        """The mean of `points`, None where there are none."""
        return fmean(self.points) if self.points else None

    @property
    def median(self) -> float | None:
        """The median of `points`, None where there are none."""
        return median(self.points) if self.points else None

    @property
    def bins(self) -> list[Bin]:
        """The points from 0 to all there are, in at most ten bins of a round width."""
        edges = ticks(0.0, max([self.max_points, *self.points[-1:], 1.0]), most=_MOST_BINS + 1)
        return [
            Bin(low, high, sum(low <= each < high or each == high == edges[-1] for each in self.points))
            for low, high in pairwise(edges)
        ]


def not_included(members: Iterable[Member]) -> list[str]:
    """What the marks leave out besides manual grades, with how many students that concerns.

    Example: ["Throughput checks that were not run (3 points) are missing for 14 students."]
    """
    found: Counter[tuple[str, float]] = Counter()
    for member in members:
        if member.report and member.judged:
            found.update(each for each in member.report.score.not_included if each[0] != MANUAL)
    return [
        f"{what.capitalize()} ({points(count)} points) are missing for {who} student{'s' if who > 1 else ''}."
        for (what, count), who in found.items()
    ]


@dataclass(frozen=True)
class Question:
    """A written question: how many answers are marked, and whose are not."""

    name: str
    marked: int
    waiting: list[Member]


def questions_of(members: Iterable[Member]) -> list[Question]:
    """Each written question with the answers that wait for a mark, or for another since they were changed."""
    found: dict[str, tuple[list[Member], list[Member]]] = {}
    for member in members:
        for each in member.mark.written if member.report else ():
            marked, waiting = found.setdefault(cut(each.question, 60), ([], []))
            (waiting if each.points is None or each.changed_since else marked).append(member)
    return [Question(name, len(marked), waiting) for name, (marked, waiting) in found.items()]


@dataclass(frozen=True)
class TaskOfClass:
    """How a task went: all its checks passed, some did not, nothing was written."""

    name: str
    right: int
    partly: int
    unwritten: int


def tasks_of(members: Iterable[Member]) -> list[TaskOfClass]:
    """Each task, in the order of the lab."""
    found: dict[str, list[str]] = {}
    for member in members:
        for task in member.report.tasks if member.report and member.judged else ():
            if task.checks:
                found.setdefault(task.name, []).append(_how({each.verdict for each in task.checks}))
    return [TaskOfClass(name, *(hows.count(each) for each in _HOWS)) for name, hows in found.items()]


_HOWS = ("right", "partly", "unwritten")


def _how(verdicts: set[str]) -> str:
    if verdicts == {"pass"}:
        return "right"
    return "unwritten" if verdicts == {"skipped"} else "partly"


@dataclass(frozen=True)
class Note:
    """A sentence of the judge about submissions: an attack, a limit that was reached, something unusual."""

    kind: str
    sentence: str
    who: list[Member]


def notes_of(members: Sequence[Member]) -> list[Note]:
    """What the judge noted, the rarest first: what is said of everybody is no news of anybody."""
    found: dict[tuple[str, str], list[Member]] = {}
    for member in members:
        if member.report:
            said = {
                "limit": member.report.limits_hit,
                "fallback": member.report.fallbacks,
                "note": member.report.notes,
            }
            for kind, sentences in said.items():
                for sentence in dict.fromkeys(cut(each, _NOTE_CHARS) for each in sentences):
                    found.setdefault((kind, sentence), []).append(member)
    notes = [Note(kind, sentence, who) for (kind, sentence), who in found.items()]
    return sorted(notes, key=lambda each: len(each.who))[:_MOST_NOTES]
