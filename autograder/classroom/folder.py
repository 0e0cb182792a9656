"""The class's folder: what was handed in, what came of it, the secret that the students' seeds are made from.

It is nbgrader's course folder, `work/class` or what STREAMLAB_CLASS names, and git does not see it.
Keeps out: judging, nbgrader.
"""

import hashlib
import hmac
import os
import re
import secrets
import stat
from dataclasses import dataclass
from pathlib import Path

from autograder.course import Course, load_course

ROOT = Path(__file__).resolve().parents[2]
STUDENT_BYTES_MAX = 100
_NOT_IN_AN_ID = re.compile(r"""[*?\[\]{}<>"\\/\x00-\x1f\x7f]""")


class BadStudent(ValueError):
    """A folder whose name cannot be a student's id; the text says why."""


@dataclass(frozen=True)
class HandedIn:
    """One student's folder for one lab. `notebook` is where the notebook should be; whether it is, intake says."""

    student: str
    folder: Path
    notebook: Path


@dataclass(frozen=True)
class Classroom:
    """A class: the kit, its course, and the folder with everything of the students."""

    root: Path
    folder: Path
    course: Course

    @classmethod
    def of_this_kit(cls) -> "Classroom":
        """The class of the kit that this module belongs to; raises CourseError for a broken course.yml."""
        named = os.environ.get("STREAMLAB_CLASS")
        folder = Path(os.environ.get("STREAMLAB_CALLED_FROM", "."), named) if named else ROOT / "work" / "class"
        return cls(ROOT, folder.absolute(), load_course(ROOT))

    @property
    def database(self) -> str:
        """nbgrader's gradebook, as SQLAlchemy names it."""
        return f"sqlite:///{self.folder / 'gradebook.db'}"

    @property
    def submitted(self) -> Path:
        """What students handed in: submitted/STUDENT/LAB/LAB.ipynb."""
        return self.folder / "submitted"

    def results_of(self, lab: str, student: str) -> Path:
        """Where the results object of one submission is kept."""
        return self.folder / "results" / lab / f"{student}.json"

    def feedback_of(self, lab: str, student: str) -> Path:
        """The folder with what the student gets back."""
        return self.folder / "feedback" / student / lab

    def secret(self) -> bytes:
        """32 random bytes of this class, made at first use, readable by the instructor alone."""
        path = self.folder / "secret"
        if not path.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            _write_new_private(path, secrets.token_hex(32))
        return bytes.fromhex(path.read_text().strip())

    def seed_of(self, lab: str, student: str) -> str:
        """The seed of a student's cases: nobody without the secret can tell it, and it never changes."""
        return hmac.new(self.secret(), f"{lab}\n{student}".encode(), hashlib.sha256).hexdigest()

    def handed_in(self, lab: str) -> tuple[list[HandedIn], list[str]]:
        """All submissions of `lab` in the order of student ids, and a sentence for each folder that is none."""
        found, problems = [], []
        for folder in sorted(self.submitted.iterdir()) if self.submitted.is_dir() else []:
            if not os.path.lexists(folder / lab):
                continue
            try:
                found.append(HandedIn(student_id(folder), folder / lab, folder / lab / f"{lab}.ipynb"))
            except BadStudent as problem:
                problems.append(f"submitted/{folder.name!r}: {problem}")
        return found, problems


def student_id(folder: Path) -> str:
    """The id that a folder in submitted/ stands for; raises `BadStudent`.

    Quotes, brackets and wildcards are nbgrader's own signs or HTML's; letters of every language, spaces,
    commas, apostrophes, `=`, `@` and `+` are taken as they are.
    """
    name = folder.name
    if stat.S_ISLNK(os.lstat(folder).st_mode):
        raise BadStudent("a symbolic link; put the student's own folder there")
    try:
        too_long = len(name.encode("utf-8")) > STUDENT_BYTES_MAX
    except UnicodeEncodeError:
        raise BadStudent("the name is not UTF-8; rename the folder to the student's id") from None
    if too_long:
        raise BadStudent(f"a name of over {STUDENT_BYTES_MAX} bytes; rename the folder to the student's id")
    found = _NOT_IN_AN_ID.search(name)
    if found or name.startswith(".") or name != name.strip() or not name.isprintable():
        sign = repr(found.group()) if found else "a dot or a space at its edge, or a sign that cannot be seen"
        raise BadStudent(f"a student's id may not have {sign}; rename the folder")
    return name


def _write_new_private(path: Path, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text + "\n")
