"""Judge a whole class: reuse results that are up to date, judge the other submissions, and save each result at once.

If grading is stopped, only the submissions in progress are lost, and the same command continues with the rest.
Does not record results in the gradebook; `autograder.record.gradebook` does.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from autograder.classroom import cached_results
from autograder.classroom.class_judge import judge_submissions, provenance_now
from autograder.classroom.folder import Classroom, HandedIn
from autograder.classroom.open_checks import TRIES_MAX, judged_again, still_to_be_judged
from autograder.judge.request import OnProgress, Request
from autograder.judge.results import open_checks, why_not_judged


@dataclass
class Graded:
    """The outcome of grading a class: students with a new result, or with a reused one, and problems.

    `by_other_checks` lists the students whose reused result is by checks that have changed since.
    """

    judged: list[str] = field(default_factory=list)
    up_to_date: list[str] = field(default_factory=list)
    by_other_checks: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def students(self) -> list[str]:
        """All students who have a result."""
        return sorted([*self.judged, *self.up_to_date])


def grade_class(classroom: Classroom, lab: str, request: Request, on_progress: OnProgress) -> Graded:
    """Judge and save the submissions without a result, and those whose result is for a different file."""
    handed_in, problems = classroom.handed_in(lab)
    graded = Graded(problems=problems)
    to_judge = []
    for each in handed_in:
        if each.why_not:
            continue
        found = cached_results.load(classroom.results_of(lab, each.student))
        now = provenance_now(classroom, lab, each, request.throughput)
        if found is None or not found.provenance.same_work(now):
            to_judge.append(each)
            continue
        graded.up_to_date.append(each.student)
        if found.provenance.checks != now.checks:
            graded.by_other_checks.append(each.student)
    progress = Progress(len(to_judge), on_progress)
    for one, result in judge_submissions(classroom, lab, to_judge, request):
        progress.done(one.student, result.results)
        if fault := why_not_judged(result.results):
            graded.problems.append(f"{one.student}: {fault}")
            continue
        cached_results.keep(classroom.results_of(lab, one.student), result)
        graded.judged.append(one.student)
    done = set(graded.students)
    settled = [each for each in handed_in if each.student in done]
    settle_open_checks(classroom, lab, settled, request, graded, partial(classroom.results_of, lab))
    return graded


def settle_open_checks(
    classroom: Classroom,
    lab: str,
    handed_in: list[HandedIn],
    request: Request,
    graded: Graded,
    path_of: Callable[[str], Path],
) -> None:
    """Judge again what a busy machine left open in the cached results, one submission at a time; report the rest."""
    for one in handed_in:
        path = path_of(one.student)
        result = cached_results.load(path)
        if result is None or not open_checks(result.results):
            continue
        if result.tries < TRIES_MAX:
            result = judged_again(classroom, lab, one, result, request)
            cached_results.keep(path, result)
        if open_checks(result.results):
            graded.problems.append(f"{one.student}: {still_to_be_judged(result.results, lab, result.tries)}")


class Progress:
    """Reports after each submission how many are done and how long the rest will take."""

    def __init__(self, total: int, on_progress: OnProgress) -> None:
        self.total, self.on_progress, self.count = total, on_progress, 0
        self.began = time.monotonic()

    def done(self, student: str, results: cached_results.Results) -> None:
        """Count one more submission as done, and report it."""
        self.count += 1
        left_s = (time.monotonic() - self.began) / self.count * (self.total - self.count)
        left = f", about {_spoken(left_s)} left" if self.count < self.total else ""
        points = f"{results['score']:g} of {results['max_score']:g}"
        worker = results["streamlab"]["timing"].get("worker")
        self.on_progress(f"{self.count} of {self.total}{left} · {student}: {points}{f' ({worker})' if worker else ''}")


def _spoken(seconds: float) -> str:
    """Return a duration in seconds or whole minutes, rounded up. Example: _spoken(75) -> "2 min"."""
    return f"{seconds:.0f} s" if seconds < 60 else f"{-(-seconds // 60):.0f} min"
