"""What Gradescope passes on about a submission: who handed it in, and which of its files are notebooks of which lab."""

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from autograder.course import Course
from autograder.intake import Rejected, take_in

NOTEBOOKS_MAX = 50


def student_of(metadata: Mapping[str, Any]) -> str:
    """Return the student's id in submission_metadata.json: `sid`, else the e-mail; of a group, the smallest one.

    Raises ValueError if no user has either.
    Example: student_of({"users": [{"sid": "s20"}, {"email": "a@b.c", "sid": "s17"}]}) -> "s17"
    """
    users = metadata.get("users") or []
    ids = [str(each) for user in users if (each := user.get("sid") or user.get("email"))]
    if not ids:
        raise ValueError("expected a user with an sid or an email in submission_metadata.json, got none")
    return min(ids)


def side_by_side(folder: Path, course: Course, root: Path, to: Path) -> dict[str, Path]:
    """Copy a submission's notebooks to `to`/LAB/LAB.ipynb, where the judge looks for those of earlier labs.

    Returns the copies by lab. A file may have any name; of several of one lab, one named LAB.ipynb counts. Links are
    copied as links, which the judge rejects.
    """
    copies = {}
    for lab, notebook in _by_lab(folder, course, root).items():
        copies[lab] = to / lab / f"{lab}.ipynb"
        copies[lab].parent.mkdir()
        shutil.copyfile(notebook, copies[lab], follow_symlinks=False)
    return copies


def _by_lab(folder: Path, course: Course, root: Path) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for path in sorted(_notebooks(folder), key=lambda path: (path.stem not in course.labs, path))[:NOTEBOOKS_MAX]:
        try:
            lab: str | None = take_in(path, course, root).lab
        except Rejected as problem:  # the judge reports the reason
            lab = problem.lab
        if lab:
            found.setdefault(lab, path)
    return found


def _notebooks(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*.ipynb"):
        if not any(part.startswith((".", "__MACOSX")) for part in path.relative_to(folder).parts):
            yield path
