"""Remembers which file of which archive was collected for whom: collected/LAB.json in the class's folder.

With it, an older archive does not replace newer work, a file that was changed by hand stays, and the site takes the
feedback back under the names that it gave.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from autograder.classroom.folder import Classroom
from autograder.course import CourseError


@dataclass(frozen=True)
class Collected:
    """What was collected for one student.

    `upload` and `time` order several files of one student (see `SiteFile`); `time` is that of submission only if
    `is_submission_time`. `returned_as` is None for a file that
    another member of the group handed in, to whom the site assigns it.
    """

    site: str
    entry: str
    upload: int
    time: str
    is_submission_time: bool
    sha256: str
    is_late: bool
    returned_as: str | None


def load(classroom: Classroom, lab: str) -> dict[str, Collected]:
    """Return what was collected, by student; raises CourseError if the file is damaged."""
    path = _path(classroom, lab)
    if not path.exists():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return {student: Collected(**each) for student, each in found.items()}
    except (ValueError, TypeError, AttributeError):
        how = "restore it from a backup, or remove it and collect the archives again, the oldest first"
        raise CourseError(f"{path} is damaged; {how}") from None


def keep(classroom: Classroom, lab: str, collected: Mapping[str, Collected]) -> None:
    """Write what was collected; leaves the file alone if nothing has changed."""
    path = _path(classroom, lab)
    text = (
        json.dumps({each: asdict(collected[each]) for each in sorted(collected)}, ensure_ascii=False, indent=1) + "\n"
    )
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.partial")
    draft.write_text(text, encoding="utf-8")
    draft.chmod(0o600)
    os.replace(draft, path)


def _path(classroom: Classroom, lab: str) -> Path:
    return classroom.folder / "collected" / f"{lab}.json"
