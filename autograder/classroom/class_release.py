"""Records the release with which a class began: its students were given that release's tasks, checks and points.

A class is graded by its own release until its instructor adopts another one.
"""

import os

from autograder.classroom.folder import Classroom
from autograder.course import CourseError

FILE = "kit-release"  # in the class folder, where `release` is nbgrader's
FIRST_RELEASE = "2026.1"  # did not record itself
RELEASE_CHARS_MAX = 40


class OtherRelease(CourseError):
    """The class began with another release than the kit's."""


def release_of(classroom: Classroom) -> str:
    """Return the class's release; a class without gradebook and results begins now, with the kit's release."""
    path = classroom.folder / FILE
    if path.exists():
        return path.read_text(encoding="utf-8", errors="replace").strip()[:RELEASE_CHARS_MAX] or FIRST_RELEASE
    if classroom.gradebook.exists() or (classroom.folder / "results").exists():
        return FIRST_RELEASE
    adopt(classroom)
    return classroom.course.release


def require_release(classroom: Classroom, lab: str) -> None:
    """Raise `OtherRelease` if the class began with another release than the kit's."""
    began, kit = release_of(classroom), classroom.course.release
    if began != kit:
        raise OtherRelease(
            f"this class began with release {began}, and this kit is of {kit}; finish the class with `git checkout "
            f"{began}`, or adopt {kit} for it with `./lab grade {lab} --adopt-release`"
        )


def adopt(classroom: Classroom) -> None:
    """Make the kit's release the class's."""
    classroom.close_to_others()
    partial = classroom.folder / f".{FILE}.partial"
    partial.write_text(f"{classroom.course.release}\n", encoding="utf-8")
    os.replace(partial, classroom.folder / FILE)
