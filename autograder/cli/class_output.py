"""What an instructor sees after grading: the points, problems, the class page, the marks as CSV, and the next step."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.classroom.folder import Classroom
from autograder.classroom.marks import ClassMarks, StudentMark
from autograder.cli.context import UserError, in_one_step, print_columns
from autograder.grading.exports import write_code, write_export, write_feedback_archive
from autograder.grading.exports.jplag import BASE_CODE
from autograder.intake.safe_text import safe
from autograder.report.class_page import pseudonyms_of, write_class_page, write_leaderboard

if TYPE_CHECKING:
    from autograder.record.gradebook import Recorder

ROWS_SHOWN, NOTE_CHARS = 40, 300


def show_marks(marks: ClassMarks) -> None:
    """Show the points of the first 40 students who have a result."""
    judged = [each for each in marks.students if each.results is not None]
    print_columns((_row(each) for each in judged[:ROWS_SHOWN]), right=[1])
    if len(judged) > ROWS_SHOWN:
        click.echo(f"… and {len(judged) - ROWS_SHOWN} more: see the class page")


def show_notes(marks: ClassMarks) -> None:
    """Show what the judge noted about the first 40 submissions: their first note, and how many more there are."""
    noted = [(each.student, notes) for each in marks.students if (notes := _notes(each))]
    for student, notes in noted[:ROWS_SHOWN]:
        more = f" (and {len(notes) - 1} more)" if len(notes) > 1 else ""
        click.echo(f"note: {student}: {safe(notes[0], NOTE_CHARS)}{more}")


def show_problems(problems: Iterable[str]) -> None:
    """Show what was not graded, one line each."""
    for problem in problems:
        click.echo(f"not graded: {problem}")


def _row(student: StudentMark) -> tuple[str, str, str]:
    remarks = ["needs manual grading"] * student.needs_manual_grade + ["judge's notes"] * bool(_notes(student))
    return student.student, f"{student.points:g} of {student.max_points:g}", ", ".join(remarks)


def _notes(mark: StudentMark) -> list[str]:
    """Return the judge's notes for the instructor."""
    ours = (mark.results or {}).get("streamlab", {})
    return list(dict.fromkeys([*ours.get("notes", []), *ours.get("limits_hit", [])]))


def write_pages(classroom: Classroom, marks: ClassMarks, leaderboard: bool) -> None:
    """Write the class page, the plain export and, if requested, the leaderboard."""
    students = [each.student for each in marks.students]
    names = pseudonyms_of(classroom.secret(), students) if leaderboard else None
    pages = {name: classroom.feedback_of(marks.lab, name) / f"{marks.lab}.html" for name in students}
    feedback = {name: str(page.relative_to(classroom.folder)) for name, page in pages.items() if page.exists()}
    page = classroom.folder / f"class-{marks.lab}.html"
    write_class_page(marks, page, feedback=feedback, pseudonym=names.__getitem__ if names else None)
    click.echo(f"class page: {page}")
    if names:
        board = classroom.folder / f"leaderboard-{marks.lab}.html"
        write_leaderboard(marks, board, names.__getitem__)
        click.echo(f"leaderboard, for students: {board}")
    export_marks(marks, "plain", classroom.folder / "exports" / f"{marks.lab}.csv")


def export_marks(marks: ClassMarks, format_name: str, path: Path) -> None:
    """Write the marks as CSV, and show what to check before they are sent on."""
    path.parent.mkdir(parents=True, exist_ok=True)
    summary = write_export(marks, format_name, path)
    click.echo(f"marks as CSV: {path}")
    for warning in summary.warnings:
        click.echo(f"  {warning}")


def export_feedback(recorder: "Recorder", marks: ClassMarks, site: str, path: Path) -> None:
    """Write the feedback as an archive for a course site, and show whose is not in it, and why."""
    with in_one_step(path) as draft, recorder.open() as gradebook:
        summary = write_feedback_archive(recorder.classroom, gradebook, marks, site, draft)
        for student, why in summary.left_out.items():
            click.echo(f"not in the archive: {student}: {why}")
        if not summary.students:
            raise UserError(
                f"no feedback to return to {site.title()}; `./lab collect --from {site}` and grade come first"
            )
    click.echo(f"feedback of {len(summary.students)} students, for {site.title()}: {path}")
    if summary.is_outdated:
        click.echo(
            f"  The gradebook has changed since the feedback was written. Run `./lab grade {marks.lab}`, then export."
        )


def export_code(classroom: Classroom, lab: str, folder: Path, pseudonyms: bool) -> None:
    """Write the code of all task cells for JPlag, and show whose is not there, and how to call JPlag."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    students = [each.student for each in classroom.handed_in(lab)[0]]
    names = pseudonyms_of(classroom.secret(), students) if pseudonyms else {each: each for each in students}
    count, left_out = write_code(classroom, lab, folder, lambda student: names[student].replace(" ", "-"))
    for each in left_out:
        click.echo(f"not in the folder: {safe(each, NOTE_CHARS)}")
    click.echo(f"code of {count} students: {folder}")
    click.echo(f"next: java -jar jplag.jar -l python3 -bc {folder / BASE_CODE} {folder}")


def print_next_step(marks: ClassMarks) -> None:
    """Show the verb that comes next."""
    ungraded = sum(each.needs_manual_grade for each in marks.students)
    if ungraded:
        who = f"{ungraded} student{'s need' if ungraded > 1 else ' needs'}"
        click.echo(f"next: {who} a manual grade; `./lab mark {marks.lab}` opens the form grader")
    else:
        formats = "--format canvas --format canvas-feedback"
        click.echo(f"next: `./lab export {marks.lab} {formats}` (or moodle); feedback/ has each student's page")
