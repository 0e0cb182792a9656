"""Judge a class again after a check was corrected: first who gains and who loses, then, if wanted, the writing.

New results wait in results/LAB/again/. A race is a measurement, not a claim that was corrected: its earlier result
stays where the submission, its yardstick and its bar are the same, so that chance changes nobody's mark.
"""

import shutil
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.course import Lab
from autograder.grading import kept
from autograder.grading.classroom import Classroom, HandedIn
from autograder.grading.judged import judged_anew, origin_now
from autograder.grading.kept import Kept, Results
from autograder.grading.whole_class import Graded, Progress, fault_of_the_judge
from autograder.judge.judging import RACES_OFF, Request, Told


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


def judge_again(classroom: Classroom, lab: str, request: Request, told: Told) -> Graded:
    """Judge every submission with today's checks; the results wait."""
    handed_in, problems = classroom.handed_in(lab)
    graded = Graded(problems=problems)
    waiting = [each for each in handed_in if not _is_waiting(classroom, lab, each)]
    progress = Progress(len(waiting), told)
    for race in (False, True):
        those = [each for each in waiting if _must_race(classroom, lab, each, request) == race]
        for one, result in judged_anew(classroom, lab, those, replace(request, race=race), progress.doing):
            progress.done(one.student, result.results)
            if fault := fault_of_the_judge(result.results):
                graded.problems.append(f"{one.student}: {fault}")
                continue
            kept.keep(waiting_at(classroom, lab, one.student), _with_race(classroom, lab, one.student, result))
    graded.judged = [each.student for each in handed_in if _is_waiting(classroom, lab, each)]
    return graded


def changes(classroom: Classroom, lab: str, students: Iterable[str]) -> list[Change]:
    """Who gains and who loses if the waiting results are taken; those with a first result are no change."""
    found = []
    for student in students:
        before, after = kept.load(classroom.results_of(lab, student)), kept.load(waiting_at(classroom, lab, student))
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
    found = kept.load(waiting_at(classroom, lab, one.student))
    now = origin_now(classroom, lab, one, False)
    return found is not None and found.origin.same_work(now) and found.origin.checks == now.checks


def _must_race(classroom: Classroom, lab: str, one: HandedIn, request: Request) -> bool:
    """Whether there is no earlier race that still counts."""
    if not request.race:
        return False
    before = kept.load(classroom.results_of(lab, one.student))
    now = origin_now(classroom, lab, one, True)
    return (
        before is None
        or not before.origin.same_work(now)
        or not races_count(before.results, classroom.course.labs[lab])
    )


def races_count(results: Results, lab: Lab) -> bool:
    """Whether every race of the lab was run, against the bar and for the points of today."""
    run = {race["task"]: (race["bar"], race["max_points"]) for race in results["streamlab"]["races"] if race["ratio"]}
    today = {name: (task.race.bar, task.race.points) for name, task in lab.tasks.items() if task.race}
    return run == today


def _with_race(classroom: Classroom, lab: str, student: str, result: Kept) -> Kept:
    """The new result, with the races of the one before if it has none itself."""
    before = kept.load(classroom.results_of(lab, student))
    if result.origin.race or before is None or not before.results["streamlab"]["races"]:
        return result
    return Kept(replace(result.origin, race=True), with_races_of(before.results, result.results))


def with_races_of(before: Results, after: Results) -> Results:
    """`after` with the races of `before`, and points that count them."""
    races = before["streamlab"]["races"]
    names = {f"{before['streamlab']['lab']}/{race['task']}/{race['check']}" for race in races}
    tests = [*after["tests"], *(test for test in before["tests"] if test["name"] in names)]
    notes = [note for note in after["streamlab"]["notes"] if note != RACES_OFF]
    return {
        **after,
        "tests": tests,
        "score": round(sum(test["score"] for test in tests), 2),
        "max_score": round(sum(test["max_score"] for test in tests), 2),
        "streamlab": {**after["streamlab"], "races": races, "notes": notes},
    }


def _points(score: float | None) -> str:
    return "none" if score is None else f"{score:g}"
