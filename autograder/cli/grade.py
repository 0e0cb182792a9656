"""Provides `./lab grade`, which judges a class and records it, and finds the class for the other verbs."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from autograder.classroom.class_release import adopt, release_of, require_release
from autograder.classroom.folder import ROOT, Classroom
from autograder.classroom.judged_points import has_the_tasks_of, judged_with_other_points, spoken
from autograder.classroom.policy_file import policy_of
from autograder.cli.class_output import print_next_step, show_marks, show_notes, show_problems, write_pages
from autograder.cli.context import UserError, lab_named, progress, user_error_for
from autograder.cli.lab_locks import ensure_packages_of
from autograder.course import Course, CourseError
from autograder.grading import regrade as regrading
from autograder.grading.class_grading import Graded, grade_class
from autograder.judge.local_backend import LocalBackend
from autograder.judge.request import Backend, Request
from autograder.record.gradebook_file import UnusableGradebook, require_usable
from autograder.sandbox import LEVELS, SandboxUnavailable
from autograder.sandbox.cores import cores_here
from autograder.sandbox.memory_left import memory_left
from streamlab.spark import cluster_secret

if TYPE_CHECKING:
    from autograder.record.gradebook import Recorder

ON_WORKERS = ("bubblewrap", "process")  # both end with the Spark task that started them
NO_SECRET = (
    f"--master: {cluster_secret.FILE} is not set. Without a secret, anyone who can connect to the cluster can run "
    'code on its workers; see "A class that outgrows one machine" in docs/instructors.md, or add --open-cluster'
)


@click.command()
@click.argument("lab")
@click.option("--again", is_flag=True, help="Regrade everyone; shows who gains and who loses before it writes.")
@click.option("--yes", is_flag=True, help="With --again: write without asking.")
@click.option("--adopt-release", is_flag=True, help="Grade a class that began with another release by this one.")
@click.option("--workers", type=click.IntRange(1, 64), help="Submissions judged in parallel; default: as many as fit.")
@click.option("--no-throughput", is_flag=True, help="Leave the throughput checks out.")
@click.option("--sandbox", type=click.Choice(LEVELS), help="Default: bubblewrap. process has limits but no isolation.")
@click.option("--because", default="", help="The reason for changed marks, for the journal (`./lab journal`).")
@click.option("--leaderboard", is_flag=True, help="Also write a leaderboard under pseudonyms.")
@click.option("--master", metavar="spark://HOST:PORT", help="Judge on the workers of this Spark cluster.")
@click.option("--open-cluster", is_flag=True, help="With --master: the cluster has no secret, and I trust its network.")
@user_error_for(SandboxUnavailable, CourseError)
def grade(
    lab: str,
    again: bool,
    yes: bool,
    adopt_release: bool,
    workers: int | None,
    no_throughput: bool,
    sandbox: str | None,
    because: str,
    leaderboard: bool,
    master: str | None,
    open_cluster: bool,
) -> None:
    """Judge a class, record it in nbgrader's gradebook, write feedback and the class page."""
    name = lab_named(lab)
    if master and not open_cluster and not cluster_secret.is_used():
        raise UserError(NO_SECRET)
    ensure_packages_of([name])
    classroom = the_class()
    if not classroom.submitted.is_dir() or not any(classroom.submitted.iterdir()):
        path = classroom.submitted / "STUDENT" / name / f"{name}.ipynb"
        raise UserError(f"nothing was handed in; put notebooks into {path}, or see `./lab collect --help`")
    with classroom.locked():
        require_usable(classroom.gradebook, to_write=True)
        policy_of(classroom)  # a mistake in it is reported before long work
        if adopt_release:
            _adopt_release(classroom, name, again)
        require_release(classroom, name)
        with _backend(master, name, classroom, sandbox, workers) as (backend, parallel):
            request = Request(ROOT, classroom.course, name, throughput=not no_throughput, sandbox=sandbox)
            request = replace(request, workers=parallel, backend=backend)
            graded = _regrade(classroom, name, request, yes) if again else _grade(classroom, name, request)
        if graded is not None:
            with _reason(because):
                _record(classroom, name, graded, leaderboard)


def _adopt_release(classroom: Classroom, lab: str, again: bool) -> None:
    """Make the kit's release the class's; raises UserError if nbgrader cannot release the lab in its place.

    If the release has other points, the lab must be regraded `again`: the gradebook has one maximum for each cell.
    """
    from autograder.record.gradebook import NotRecorded, Recorder

    began, kit = release_of(classroom), classroom.course.release
    if began == kit:
        return
    students = [each.student for each in classroom.handed_in(lab)[0]]
    changes = judged_with_other_points(classroom, lab, students)
    if changes and not again and has_the_tasks_of(classroom, lab, changes):
        how = f"adopt it with `./lab grade {lab} --adopt-release --again`, which regrades everyone"
        raise UserError(f"release {kit} has other points in {lab} ({spoken(changes)}); {how}")
    try:
        Recorder(classroom).release(lab)
    except NotRecorded as problem:
        why = f"nbgrader cannot change {lab} from release {began} to {kit} ({problem})"
        raise UserError(f"{why}; finish this lab with `git checkout {began}`") from None
    adopt(classroom)
    click.echo(f"this class is graded by release {kit} from now on; its results of release {began} stay")


@contextmanager
def _backend(
    master: str | None, lab: str, classroom: Classroom, sandbox: str | None, workers: int | None
) -> Iterator[tuple[Backend, int]]:
    """Open the backend for judging, with the number of submissions to judge in parallel."""
    if master is None:
        yield LocalBackend(), workers or _workers_that_fit(classroom.course)
        return
    if not master.startswith("spark://"):
        raise UserError(f"--master: expected spark://HOST:PORT, got {master}")
    if sandbox not in (None, *ON_WORKERS):
        raise UserError(
            f"--sandbox {sandbox} is for this machine; on the workers of a cluster: {', '.join(ON_WORKERS)}"
        )
    from autograder.grading import cluster_backend

    with cluster_backend.workers_of(master, lab, classroom.course, ROOT, sandbox or ON_WORKERS[0], workers) as cluster:
        yield cluster, cluster.slots


@contextmanager
def _reason(because: str) -> Iterator[None]:
    """Give the reason for all changes of marks to the journal."""
    from autograder.record.journal import BECAUSE

    os.environ[BECAUSE] = because
    try:
        yield
    finally:
        del os.environ[BECAUSE]


def _grade(classroom: Classroom, lab: str, request: Request) -> Graded:
    with progress("judging") as on_progress:
        graded = grade_class(classroom, lab, request, on_progress)
    _require_results(classroom, lab, graded)
    if graded.by_other_checks:
        count = len(graded.by_other_checks)
        click.echo(f"{count} results are older than the current checks; `./lab grade {lab} --again` regrades them")
    return graded


def _regrade(classroom: Classroom, lab: str, request: Request, yes: bool) -> Graded | None:
    """Regrade everyone and show the problems; return None if the user does not want the results written."""
    with progress("regrading") as on_progress:
        graded = regrading.regrade_class(classroom, lab, request, on_progress)
    _require_results(classroom, lab, graded)
    _show_changes(classroom, lab, graded)
    show_problems(graded.problems)
    if not (yes or (sys.stdin.isatty() and click.confirm("write this?"))):
        click.echo(f"nothing was written; `./lab grade {lab} --again --yes` writes these results")
        return None
    regrading.take_over(classroom, lab, graded.students)
    return replace(graded, problems=[])  # they are shown already


def _require_results(classroom: Classroom, lab: str, graded: Graded) -> None:
    """Raise UserError if nobody has a result, after the reasons; the class page would be empty."""
    if graded.students:
        return
    show_problems(graded.problems)
    place = classroom.submitted / "STUDENT" / lab / f"{lab}.ipynb"
    raise UserError(f"no submission of {lab} was graded; the judge reads {place}")


def _show_changes(classroom: Classroom, lab: str, graded: Graded) -> None:
    """Show who gains and who loses points, those who lose most first."""
    changes = regrading.changes(classroom, lab, graded.students)
    for each in sorted(changes, key=lambda change: (change.gain, change.student)):
        click.echo(f"{each.student}: {each.before:g} → {each.after:g} ({each.gain:+g})  {'; '.join(each.checks)}")
    gain, lose = sum(each.gain > 0 for each in changes), sum(each.gain < 0 for each in changes)
    unchanged = len(graded.students) - gain - lose
    click.echo(f"{gain} gain, {lose} lose, {unchanged} keep their points")


def _record(classroom: Classroom, lab: str, graded: Graded, leaderboard: bool) -> None:
    """Record the results and show them; if that is not possible, show the problems and raise UserError."""
    from autograder.record.gradebook import NotRecorded, Recorder
    from autograder.record.journal import note_policy

    kept = f"the results are kept, and `./lab grade {lab}` records them once this is fixed"
    recorder = Recorder(classroom)
    note_policy(classroom)
    try:
        students = _released(recorder, lab, graded)
        _record_each(recorder, lab, students, graded.problems)
        marks = recorder.marks(lab)
    except UnusableGradebook as problem:
        show_problems(graded.problems)
        raise UserError(f"{lab}: judged, but not recorded: {problem}; {kept}") from None
    except NotRecorded as problem:
        show_problems(graded.problems)
        raise UserError(f"{lab}: judged, but nbgrader could not release the lab: {problem}; {kept}") from None
    show_marks(marks)
    show_notes(marks)
    show_problems(graded.problems)
    write_pages(classroom, marks, leaderboard)
    print_next_step(marks)


def _released(recorder: "Recorder", lab: str, graded: Graded) -> list[str]:
    """Enter the lab's points into the gradebook, and return the students to record.

    If course.yml has other points than some results, the gradebook keeps the earlier ones, and gets only these results.
    """
    earlier = judged_with_other_points(recorder.classroom, lab, graded.students)
    if not earlier:
        recorder.release(lab)
        return graded.students
    count = f"{len(earlier)} result{' was' if len(earlier) == 1 else 's were'} judged"
    fact = f"the points of {lab} in course.yml have changed since {count} ({spoken(earlier)})"
    if not recorder.is_released(lab):
        raise UserError(f"{fact}; `./lab grade {lab} --again` regrades everyone")
    click.echo(f"{fact}; the earlier points and their total count until `./lab grade {lab} --again` regrades everyone")
    later = [each for each in graded.students if each not in earlier]
    graded.problems += [f"{each}: judged with the changed points, so not recorded next to the others" for each in later]
    return list(earlier)


def _record_each(recorder: "Recorder", lab: str, students: list[str], problems: list[str]) -> None:
    """Record those students for whom anything has changed since they were recorded, and write their feedback."""
    from autograder.record.gradebook import NotRecorded
    from autograder.record.record_state import RecordState

    state = RecordState(recorder.classroom, lab)
    changed = state.out_of_date(students)
    with progress("recording") as on_progress:
        for number, student in enumerate(changed, 1):
            try:
                recorder.record(lab, student)
                recorded = state.digest_of(student)  # a manual grade that comes after it is not in the feedback
                recorder.write_feedback(lab, student)
                state.keep(student, recorded)
            except NotRecorded as problem:
                problems.append(f"{student}: judged, but nbgrader could not record it: {problem}")
            on_progress(f"{number} of {len(changed)} · {student}")


def class_with_gradebook(lab: str) -> Classroom:
    """Return the class; raises UserError if it has no gradebook, or one that cannot be read."""
    classroom = the_class()
    if not classroom.gradebook.exists():
        raise UserError(f"no gradebook yet; `./lab grade {lab}` creates it")
    with user_error_for(UnusableGradebook):
        require_usable(classroom.gradebook, to_write=False)
    return classroom


@user_error_for(CourseError)
def the_class() -> Classroom:
    """Return the class of this kit; raises UserError for a mistake in course.yml."""
    return Classroom.of_this_kit()


def _workers_that_fit(course: Course) -> int:
    """Return how many workers fit into cores and memory, if each uses the limit of one submission."""
    by_memory = memory_left() // (course.limits.memory_mb * 1024 * 1024)
    return max(1, min(cores_here(), by_memory))
