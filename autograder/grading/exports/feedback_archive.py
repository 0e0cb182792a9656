"""Writes the feedback as one archive that a course site takes back: each student's under the student's name there.

Canvas (Gradebook, "Submissions: Upload") finds the student by the first two numbers in the file's name, and the second
must be an attachment of the student's latest submission. It shows the file under that attachment's name, so it gets
notebooks. Moodle ("Upload multiple feedback files in a zip") finds the
participant's number in the name of the folder. So the names are those of the archive that was collected.

Rules: `infer_comment_context_from_filename` in
https://github.com/instructure/canvas-lms/blob/master/app/models/abstract_assignment.rb, and
https://github.com/moodle/moodle/blob/main/mod/assign/feedback/file/importziplib.php
"""

import time
import zipfile
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from autograder.classroom.folder import Classroom
from autograder.classroom.marks import ClassMarks, StudentMark
from autograder.record.course_site import collected as records
from autograder.record.course_site.collected import Collected

if TYPE_CHECKING:
    from nbgrader.api import Gradebook

FEEDBACK_FORMATS = {"canvas-feedback": "canvas", "moodle-feedback": "moodle"}
WITH_THE_GROUP = {
    "canvas": "Canvas has the group's file under another member, and shows that page to the group",
    "moodle": "Moodle has the file under the group's number, which feedback must not have; return the page by hand",
}
FILE_MODE = 0o100644


@dataclass(frozen=True)
class FeedbackSummary:
    """The students whose page is in the archive, and the reason for each other one who handed in work."""

    students: list[str] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    is_outdated: bool = False


def write_feedback_archive(
    classroom: Classroom, gradebook: "Gradebook", marks: ClassMarks, site: str, path: Path
) -> FeedbackSummary:
    """Write the feedback of all students whose work was collected from `site`; writes no file if there are none."""
    collected = records.load(classroom, marks.lab)
    summary = FeedbackSummary()
    pages: dict[str, Path] = {}
    for student in (each.student for each in marks.students if each.has_handed_in):
        pages[student] = classroom.feedback_of(marks.lab, student) / f"{marks.lab}.html"
    for mark in (each for each in marks.students if each.student in pages):
        if why := _why_left_out(mark, collected.get(mark.student), site, pages[mark.student]):
            summary.left_out[mark.student] = why
        else:
            summary.students.append(mark.student)
    if not summary.students:
        return summary
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for student in summary.students:
            name, content = _file(classroom, gradebook, marks.lab, student, collected[student], pages[student])
            archive.writestr(_info(name, pages[student]), content)
    changed_at = max(pages[student].stat().st_mtime for student in summary.students)
    is_outdated = classroom.gradebook.stat().st_mtime > changed_at
    return FeedbackSummary(summary.students, summary.left_out, is_outdated)


def _file(
    classroom: Classroom, gradebook: "Gradebook", lab: str, student: str, one: Collected, page: Path
) -> tuple[str, bytes]:
    """Return the name and the content of one student's feedback."""
    from autograder.record.feedback_notebook import feedback_notebook

    notebook = feedback_notebook(classroom, gradebook, lab, student) if one.site == "canvas" else None
    if notebook is not None:
        return PurePosixPath(one.entry).name, notebook
    return f"{one.returned_as}{lab}.html", page.read_bytes()


def _why_left_out(student: StudentMark, one: Collected | None, site: str, page: Path) -> str | None:
    if one is None or one.site != site:
        return f"not collected from {site.title()}; return the page by hand"
    if student.results is None or not page.is_file():
        return "not graded yet"
    if one.returned_as is None:
        return WITH_THE_GROUP[site]
    return None


def _info(name: str, page: Path) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, time.localtime(page.stat().st_mtime)[:6])
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = FILE_MODE << 16
    return info
