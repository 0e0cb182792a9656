"""The class folder: submissions, results, feedback, and the secret from which students' seeds are derived.

It is nbgrader's course folder, `work/class` or STREAMLAB_CLASS, and git ignores it.
"""

import fcntl
import hashlib
import hmac
import os
import re
import secrets
import stat
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from autograder.course import Course, CourseError, load_course
from autograder.course.class_place import class_folder

ROOT = Path(__file__).resolve().parents[2]
STUDENT_BYTES_MAX = 100
SECRET_BYTES = 32
SEARCH_DEPTH = 3  # folders below a student's folder that are searched for a misplaced notebook
_NOT_IN_AN_ID = re.compile(r"""[*?\[\]{}<>"\\/\x00-\x1f\x7f]""")


class BadStudent(ValueError):
    """A folder in submitted/ does not name a student; the message says why."""


class BadSecret(CourseError):
    """The class's secret exists but is damaged, so the class cannot be graded."""


class ClassInUse(CourseError):
    """Another process is grading the class."""


@dataclass(frozen=True)
class HandedIn:
    """One student's folder for one lab. `notebook` is the expected path; intake checks whether the file exists."""

    student: str
    folder: Path
    notebook: Path


@dataclass(frozen=True)
class Classroom:
    """A class: the kit, its course, and the folder with the students' work and results."""

    root: Path
    folder: Path
    course: Course

    @classmethod
    def of_this_kit(cls) -> "Classroom":
        """Return the class of the kit that this module belongs to; raises CourseError for a broken course.yml."""
        return cls(ROOT, class_folder(ROOT), load_course(ROOT))

    @property
    def database(self) -> str:
        """nbgrader's gradebook, as SQLAlchemy names it."""
        return f"sqlite:///{self.folder / 'gradebook.db'}"

    @property
    def submitted(self) -> Path:
        """The folder of all submissions: submitted/STUDENT/LAB/LAB.ipynb."""
        return self.folder / "submitted"

    def results_of(self, lab: str, student: str) -> Path:
        """Return the path of one submission's cached results."""
        return self.folder / "results" / lab / f"{student}.json"

    def feedback_of(self, lab: str, student: str) -> Path:
        """Return the folder with the feedback for a student."""
        return self.folder / "feedback" / student / lab

    def secret(self) -> bytes:
        """Return this class's 32 random bytes, created at first use, readable by the owner only; raises `BadSecret`."""
        path = self.folder / "secret"
        if not path.exists():
            self.close_to_others()
            _write_new_private(path, secrets.token_hex(SECRET_BYTES))
        return _secret_in(path)

    def close_to_others(self) -> None:
        """Create the folder and restrict it to its owner: it holds marks, classmates' work and the secret."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(PermissionError):  # it belongs to another user: `./lab doctor` reports this
            self.folder.chmod(0o700)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock this class for grading; raises `ClassInUse`. The lock ends with the process, however it ends."""
        self.close_to_others()
        with open(os.open(self.folder / ".grading", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600), "r+") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                who = f"process {lock.read(20).strip()}"
                raise ClassInUse(f"{self.folder} is being graded by {who}; wait until it is done") from None
            lock.truncate(0)
            lock.write(f"{os.getpid()}\n")
            lock.flush()
            yield

    def seed_of(self, lab: str, student: str) -> str:
        """Return the seed of a student's cases, which never changes and cannot be guessed without the secret."""
        return hmac.new(self.secret(), f"{lab}\n{student}".encode(), hashlib.sha256).hexdigest()

    def handed_in(self, lab: str) -> tuple[list[HandedIn], list[str]]:
        """Return the submissions of `lab`, sorted by student id, and a sentence for each rejected or misplaced one."""
        found, problems = [], []
        for folder in sorted(self.submitted.iterdir()) if self.submitted.is_dir() else []:
            problems += self._misplaced(folder, lab)
            if not os.path.lexists(folder / lab):
                continue
            try:
                found.append(self.handed_in_by(folder.name, lab))
            except BadStudent as problem:
                problems.append(f"submitted/{folder.name!r}: {problem}")
        return found, problems

    def _misplaced(self, folder: Path, lab: str) -> list[str]:
        """Return a sentence for each place in a student's folder where a notebook of `lab` may be misplaced.

        A student who has no folder of any lab gets one sentence. Next to a lab's folder, only a file with the name of
        `lab` counts, since the class may have other assignments.
        """
        if folder.name.startswith(".") or os.path.islink(folder):
            return []
        places = _notebooks_outside_labs(folder, lab, self.course.labs)
        has_labs = any(os.path.lexists(folder / each) for each in self.course.labs)
        shown = [each for each in places if each.name == f"{lab}.ipynb"] if has_labs else places[:1]
        expected = f"submitted/{folder.name}/{lab}/{lab}.ipynb"
        return [
            f"submitted/{folder.name!r}: {str(each)!r} is not in the folder of a lab; if it is for {lab}, "
            f"move it to {expected!r}"
            for each in shown
        ]

    def handed_in_by(self, student: str, lab: str) -> HandedIn:
        """Return one student's submission; raises `BadStudent` for a link, which may lead to a classmate's folder.

        A link in place of another lab's folder is rejected, too: the tasks of earlier labs are part of this one.
        """
        folder = self.submitted / student
        student_id(folder)
        for each in dict.fromkeys((lab, *self.course.labs)):
            if os.path.islink(folder / each):
                raise BadStudent(f"{each} is a symbolic link; put the student's own folder there")
        return HandedIn(student, folder / lab, folder / lab / f"{lab}.ipynb")


def student_id(folder: Path) -> str:
    """Return the student id that a folder in submitted/ stands for; raises `BadStudent`.

    Quotes, brackets and wildcards have a meaning in nbgrader or in HTML, so they are rejected. Letters of every
    language, spaces, commas, apostrophes, `=`, `@` and `+` are accepted.
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
        sign = repr(found.group()) if found else "a dot at its start, a space at an edge, or an invisible character"
        raise BadStudent(f"a student's id must not have {sign}; rename the folder")
    return name


def _notebooks_outside_labs(folder: Path, lab: str, labs: Collection[str]) -> list[Path]:
    """Return one notebook directly in `folder`, and one from each folder in it that is not named like a lab.

    The paths are relative to `folder`. Hidden files and folders, links, and files named like another lab do not count.
    """
    found: dict[str, Path] = {}
    for where, folders, files in os.walk(folder):
        place = Path(where).relative_to(folder)
        below = [each for each in folders if not each.startswith(".") and str(place / each) not in labs]
        folders[:] = sorted(below) if len(place.parts) < SEARCH_DEPTH else []
        for name in sorted(files, key=lambda each: (each != f"{lab}.ipynb", each)):
            path = place / name
            other = any(part != lab and part in labs for part in path.with_suffix("").parts)
            if path.suffix.lower() == ".ipynb" and not name.startswith(".") and not other:
                found.setdefault(place.parts[0] if place.parts else "", path)
    return list(found.values())


def _secret_in(path: Path) -> bytes:
    try:
        secret = bytes.fromhex(path.read_text(encoding="ascii").strip())
    except ValueError:
        secret = b""
    if len(secret) != SECRET_BYTES:
        why = f"expected {2 * SECRET_BYTES} hexadecimal digits, got {path.stat().st_size} bytes"
        raise BadSecret(f"{path} is damaged: {why}; restore it from a backup (a new one changes every student's cases)")
    return secret


def _write_new_private(path: Path, text: str) -> None:
    """Create a file atomically; if another process creates it first, that file stays."""
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # of mode 600
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(descriptor)
        _put_in_place(Path(draft), path)
    finally:
        Path(draft).unlink(missing_ok=True)


def _put_in_place(draft: Path, path: Path) -> None:
    with suppress(FileExistsError):
        try:
            os.link(draft, path)
        except PermissionError:  # a file system without links
            if not path.exists():
                os.replace(draft, path)
