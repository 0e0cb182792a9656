"""Regrade a class after a check was corrected: show first who gains and who loses points, then take the results over.

New results are pending in results-again/LAB/ until they are taken over. Throughput checks are measurements, which
vary from run to run. So an earlier measurement still counts if the submission is the same and course.yml states the
same baseline, threshold and points: no mark changes by chance.
"""

import shutil
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from autograder.classroom import cached_results
from autograder.classroom.cached_results import CachedResult, Provenance, Results
from autograder.classroom.class_judge import judge_submissions, provenance_now
from autograder.classroom.folder import Classroom, HandedIn
from autograder.course import Lab
from autograder.grading.class_grading import Graded, Progress, settle_open_checks
from autograder.judge.request import OnProgress, Request
from autograder.judge.results import name_of, why_not_judged, with_newer


@dataclass(frozen=True)
class Change:
    """A student whose judged points change: points before and after, and the changed checks as "check: 1 → 0"."""

    student: str
    before: float
    after: float
    checks: tuple[str, ...]

    @property
    def gain(self) -> float:
        """Points gained; negative if points are lost."""
        return round(self.after - self.before, 2)


def regrade_class(classroom: Classroom, lab: str, request: Request, on_progress: OnProgress) -> Graded:
    """Judge every submission with the current checks, and save the results as pending."""
    found, problems = classroom.handed_in(lab)
    handed_in = [each for each in found if not each.why_not]
    graded = Graded(problems=problems)
    to_judge = [each for each in handed_in if not _is_pending(classroom, lab, each, request)]
    progress = Progress(len(to_judge), on_progress)
    for throughput in (False, True):
        batch = [each for each in to_judge if _must_measure(classroom, lab, each, request) == throughput]
        narrowed = replace(request, throughput=throughput)
        for one, result in judge_submissions(classroom, lab, batch, narrowed):
            progress.done(one.student, result.results)
            if fault := why_not_judged(result.results):
                graded.problems.append(f"{one.student}: {fault}")
                continue
            measured = _with_throughput(classroom, lab, one.student, result)
            cached_results.keep(pending_path(classroom, lab, one.student), measured)
    settle_open_checks(classroom, lab, handed_in, request, graded, partial(pending_path, classroom, lab))
    graded.judged = [each.student for each in handed_in if _is_pending(classroom, lab, each, request)]
    return graded


def changes(classroom: Classroom, lab: str, students: Iterable[str]) -> list[Change]:
    """Return who would gain and who would lose points by the pending results; a student's first result is no change."""
    found = []
    for student in students:
        before = cached_results.load(classroom.results_of(lab, student))
        after = cached_results.load(pending_path(classroom, lab, student))
        if before and after and (checks := differing(before.results, after.results)):
            found.append(Change(student, before.results["score"], after.results["score"], tuple(checks)))
    return found


def differing(before: Results, after: Results) -> list[str]:
    """Return the tests whose points differ. Example: ["words/no_word_is_empty: 1 → 0"]."""
    old = {test["name"]: test["score"] for test in before["tests"]}
    new = {test["name"]: test["score"] for test in after["tests"]}
    return [
        f"{name.partition('/')[2]}: {_points(old.get(name))} → {_points(new.get(name))}"
        for name in dict.fromkeys([*old, *new])
        if old.get(name) != new.get(name)
    ]


def take_over(classroom: Classroom, lab: str, students: Iterable[str]) -> None:
    """Replace earlier results by the pending ones."""
    for student in students:
        path = pending_path(classroom, lab, student)
        if path.exists():
            target = classroom.results_of(lab, student)
            target.parent.mkdir(parents=True, exist_ok=True)  # the lab may not have been graded before
            path.replace(target)
    shutil.rmtree(_folder(classroom, lab), ignore_errors=True)


def pending_path(classroom: Classroom, lab: str, student: str) -> Path:
    """Return the path of a student's pending result."""
    return _folder(classroom, lab) / f"{student}.json"


def _folder(classroom: Classroom, lab: str) -> Path:
    return classroom.folder / "results-again" / lab


def _is_pending(classroom: Classroom, lab: str, one: HandedIn, request: Request) -> bool:
    """Return whether an earlier run has judged exactly this file with the current checks.

    If the throughput checks must run, a pending result without them does not count.
    """
    found = cached_results.load(pending_path(classroom, lab, one.student))
    now = provenance_now(classroom, lab, one, _must_measure(classroom, lab, one, request))
    return found is not None and found.provenance.same_work(now) and found.provenance.checks == now.checks


def _must_measure(classroom: Classroom, lab: str, one: HandedIn, request: Request) -> bool:
    """Return whether the throughput checks must run: they are requested, and no earlier result still counts."""
    if not request.throughput:
        return False
    return _earlier_measurement(classroom, lab, one.student, provenance_now(classroom, lab, one, True)) is None


def _earlier_measurement(classroom: Classroom, lab: str, student: str, now: Provenance) -> CachedResult | None:
    """Return the student's earlier result if it measured the same work and still counts; otherwise None."""
    before = cached_results.load(classroom.results_of(lab, student))
    if before is None or not before.provenance.same_work(replace(now, throughput=True)):
        return None
    return before if throughput_count(before.results, classroom.course.labs[lab]) else None


def throughput_count(results: Results, lab: Lab) -> bool:
    """Return whether the results have all throughput checks of the lab, with the current rules.

    A rule is the name of the baseline, the threshold and the points. A change in the baseline's file is not noticed.
    Results of an earlier release do not name the baseline, and do not count.
    """
    run = {
        throughput["task"]: (throughput.get("baseline"), throughput["threshold"], throughput["max_points"])
        for throughput in results["streamlab"]["throughput"]
        if throughput["ratio"]
    }
    rules = {name: task.throughput for name, task in lab.tasks.items() if task.throughput}
    return run == {name: (rule.baseline, rule.threshold, rule.points) for name, rule in rules.items()}


def _with_throughput(classroom: Classroom, lab: str, student: str, result: CachedResult) -> CachedResult:
    """Return the new result; if it was not measured, add the earlier measurement of the same work that still counts."""
    before = _earlier_measurement(classroom, lab, student, result.provenance)
    if result.provenance.throughput or before is None:
        return result
    return CachedResult(replace(result.provenance, throughput=True), with_throughput_of(before.results, result.results))


def with_throughput_of(before: Results, after: Results) -> Results:
    """Return `after` with the throughput checks of `before`, and with points that include them."""
    return with_newer(after, before, set(map(name_of, before["streamlab"]["throughput"])).__contains__)


def _points(score: float | None) -> str:
    return "none" if score is None else f"{score:g}"
