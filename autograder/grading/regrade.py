"""Judge a class again after a check was corrected: first who gains and who loses, then, if wanted, the writing.

New results wait in results/LAB/again/. A throughput check is a measurement, not a claim that was corrected: its
earlier result
stays where the submission, its baseline and its threshold are the same, so that chance changes nobody's mark.
"""

import shutil
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.classroom import cached_results
from autograder.classroom.cached_results import CachedResult, Results
from autograder.classroom.class_judge import judged_anew, provenance_now
from autograder.classroom.folder import Classroom, HandedIn
from autograder.course import Lab
from autograder.grading.class_grading import Graded, Progress
from autograder.judge.request import OnProgress, Request
from autograder.judge.results import why_ungraded


@dataclass(frozen=True)
class Change:
    """One student whose judged points change: before and after, and the checks that differ as "check: 1 → 0"."""

    student: str
    before: float
    after: float
    checks: tuple[str, ...]

    @property
    def gain(self) -> float:
        """Points won; below 0 where they are lost."""
        return round(self.after - self.before, 2)


def judge_again(classroom: Classroom, lab: str, request: Request, on_progress: OnProgress) -> Graded:
    """Judge every submission with today's checks; the results wait."""
    handed_in, problems = classroom.handed_in(lab)
    graded = Graded(problems=problems)
    waiting = [each for each in handed_in if not _is_waiting(classroom, lab, each)]
    progress = Progress(len(waiting), on_progress)
    for throughput in (False, True):
        those = [each for each in waiting if _must_measure(classroom, lab, each, request) == throughput]
        for one, result in judged_anew(classroom, lab, those, replace(request, throughput=throughput), progress.doing):
            progress.done(one.student, result.results)
            if fault := why_ungraded(result.results):
                graded.problems.append(f"{one.student}: {fault}")
                continue
            cached_results.keep(
                waiting_at(classroom, lab, one.student), _with_throughput(classroom, lab, one.student, result)
            )
    graded.judged = [each.student for each in handed_in if _is_waiting(classroom, lab, each)]
    return graded


def changes(classroom: Classroom, lab: str, students: Iterable[str]) -> list[Change]:
    """Who gains and who loses if the waiting results are taken; those with a first result are no change."""
    found = []
    for student in students:
        before, after = (
            cached_results.load(classroom.results_of(lab, student)),
            cached_results.load(waiting_at(classroom, lab, student)),
        )
        if before and after and (checks := differing(before.results, after.results)):
            found.append(Change(student, before.results["score"], after.results["score"], tuple(checks)))
    return found


def differing(before: Results, after: Results) -> list[str]:
    """The tests whose points differ. Example: ["words/no_word_is_empty: 1 → 0"]."""
    old = {test["name"]: test["score"] for test in before["tests"]}
    new = {test["name"]: test["score"] for test in after["tests"]}
    return [
        f"{name.partition('/')[2]}: {_points(old.get(name))} → {_points(new.get(name))}"
        for name in dict.fromkeys([*old, *new])
        if old.get(name) != new.get(name)
    ]


def take_over(classroom: Classroom, lab: str, students: Iterable[str]) -> None:
    """Put the waiting results in the place of those before."""
    for student in students:
        path = waiting_at(classroom, lab, student)
        if path.exists():
            path.replace(classroom.results_of(lab, student))
    shutil.rmtree(_folder(classroom, lab), ignore_errors=True)


def waiting_at(classroom: Classroom, lab: str, student: str) -> Path:
    """Where a new result waits."""
    return _folder(classroom, lab) / f"{student}.json"


def _folder(classroom: Classroom, lab: str) -> Path:
    return classroom.folder / "results-again" / lab


def _is_waiting(classroom: Classroom, lab: str, one: HandedIn) -> bool:
    """Whether an earlier, stopped run has judged this very file with today's checks."""
    found = cached_results.load(waiting_at(classroom, lab, one.student))
    now = provenance_now(classroom, lab, one, False)
    return found is not None and found.provenance.same_work(now) and found.provenance.checks == now.checks


def _must_measure(classroom: Classroom, lab: str, one: HandedIn, request: Request) -> bool:
    """Whether there is no earlier throughput check that still counts."""
    if not request.throughput:
        return False
    before = cached_results.load(classroom.results_of(lab, one.student))
    now = provenance_now(classroom, lab, one, True)
    return (
        before is None
        or not before.provenance.same_work(now)
        or not throughput_count(before.results, classroom.course.labs[lab])
    )


def throughput_count(results: Results, lab: Lab) -> bool:
    """Whether every throughput check of the lab was run, against the threshold and for the points of today."""
    run = {
        throughput["task"]: (throughput["threshold"], throughput["max_points"])
        for throughput in results["streamlab"]["throughput"]
        if throughput["ratio"]
    }
    today = {
        name: (task.throughput.threshold, task.throughput.points) for name, task in lab.tasks.items() if task.throughput
    }
    return run == today


def _with_throughput(classroom: Classroom, lab: str, student: str, result: CachedResult) -> CachedResult:
    """The new result, with the throughput checks of the one before if it has none itself."""
    before = cached_results.load(classroom.results_of(lab, student))
    if result.provenance.throughput or before is None or not before.results["streamlab"]["throughput"]:
        return result
    return CachedResult(replace(result.provenance, throughput=True), with_throughput_of(before.results, result.results))


def with_throughput_of(before: Results, after: Results) -> Results:
    """`after` with the throughput checks of `before`, and points that count them."""
    throughput_checks = before["streamlab"]["throughput"]
    names = {
        f"{before['streamlab']['lab']}/{throughput['task']}/{throughput['check']}" for throughput in throughput_checks
    }
    tests = [*after["tests"], *(test for test in before["tests"] if test["name"] in names)]
    return {
        **after,
        "tests": tests,
        "score": round(sum(test["score"] for test in tests), 2),
        "max_score": round(sum(test["max_score"] for test in tests), 2),
        "streamlab": {**after["streamlab"], "throughput": throughput_checks},
    }


def _points(score: float | None) -> str:
    return "none" if score is None else f"{score:g}"
