"""Judge a whole class: what is up to date stays, the rest is judged, each result is kept as soon as it is there.

Whoever stops it loses the submissions of the moment; the same command goes on. Keeps out: recording them.
"""

import time
from dataclasses import dataclass, field

from autograder.classroom import cached_results
from autograder.classroom.class_judge import judged_anew, provenance_now
from autograder.classroom.folder import Classroom
from autograder.judge.request import OnProgress, Request
from autograder.judge.results import why_ungraded


@dataclass
class Graded:
    """What judging a class came to: whose result is new, whose stayed, whose is by other checks than today's."""

    judged: list[str] = field(default_factory=list)
    stayed: list[str] = field(default_factory=list)
    by_other_checks: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def students(self) -> list[str]:
        """Everybody who has a result."""
        return sorted([*self.judged, *self.stayed])


def grade_class(classroom: Classroom, lab: str, request: Request, on_progress: OnProgress) -> Graded:
    """Judge the submissions that have no result yet, or one of another file; keep each."""
    handed_in, problems = classroom.handed_in(lab)
    graded = Graded(problems=problems)
    to_judge = []
    for each in handed_in:
        found = cached_results.load(classroom.results_of(lab, each.student))
        now = provenance_now(classroom, lab, each, request.throughput)
        if found is None or not found.provenance.same_work(now):
            to_judge.append(each)
            continue
        graded.stayed.append(each.student)
        if found.provenance.checks != now.checks:
            graded.by_other_checks.append(each.student)
    progress = Progress(len(to_judge), on_progress)
    for one, result in judged_anew(classroom, lab, to_judge, request, progress.doing):
        progress.done(one.student, result.results)
        if fault := why_ungraded(result.results):
            graded.problems.append(f"{one.student}: {fault}")
            continue
        cached_results.keep(classroom.results_of(lab, one.student), result)
        graded.judged.append(one.student)
    return graded


class Progress:
    """Says after each submission how many are done and how long the rest will take."""

    def __init__(self, total: int, on_progress: OnProgress) -> None:
        self.total, self.on_progress, self.count = total, on_progress, 0
        self.began = time.monotonic()

    def doing(self, text: str) -> None:
        """What is going on within a submission is left out: a class has too many of them."""

    def done(self, student: str, results: cached_results.Results) -> None:
        """One more is done."""
        self.count += 1
        left_s = (time.monotonic() - self.began) / self.count * (self.total - self.count)
        left = f", about {_spoken(left_s)} left" if self.count < self.total else ""
        points = f"{results['score']:g} of {results['max_score']:g}"
        worker = results["streamlab"]["timing"].get("worker")
        self.on_progress(f"{self.count} of {self.total}{left} · {student}: {points}{f' ({worker})' if worker else ''}")


def _spoken(seconds: float) -> str:
    """Example: _spoken(75) -> "2 min"."""
    return f"{seconds:.0f} s" if seconds < 60 else f"{-(-seconds // 60):.0f} min"
