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
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from autograder.classroom.stray_work import about_copies, about_entry, why_not_judged
from autograder.course import Course, CourseError, load_course
from autograder.course.class_place import class_folder

ROOT = Path(__file__).resolve().parents[2]
STUDENT_BYTES_MAX = 100
SECRET_BYTES = 32
SHARED = 0o2770  # the group of the folder is inherited by what is created in it
_NOT_IN_AN_ID = re.compile(r"""[*?\[\]{}<>"\\/\x00-\x1f\x7f]""")


class BadStudent(ValueError):
    """A folder in submitted/ does not name a student; the message says why."""


class BadSecret(CourseError):
    """The class's secret exists but is damaged, so the class cannot be graded."""


class ClassInUse(CourseError):
    """Another process is grading the class."""


@dataclass(frozen=True)
class HandedIn:
    """One student's folder for one lab. `notebook` is the expected path.

    `why_not` says why it is not judged as it is, and what to do; None if it is judged.
    """

    student: str
    folder: Path
    notebook: Path
    why_not: str | None = None


@dataclass(frozen=True)
class Classroom:
    """A class: the kit, its course, and the folder with the students' work and results."""

    root: Path
    folder: Path
    course: Course

    @classmethod
    def of_this_kit(cls) -> "Classroom":
        """Return the class of the kit that this module belongs to; raises CourseError for a broken course.yml."""
        path = ROOT / "course.yml"
        return cls(ROOT, class_folder(ROOT), _course_of(ROOT, path.read_bytes() if path.is_file() else None))

    @property
    def gradebook(self) -> Path:
        """The file of nbgrader's gradebook."""
        return self.folder / "gradebook.db"

    @property
    def database(self) -> str:
        """nbgrader's gradebook, as SQLAlchemy names it."""
        return f"sqlite:///{self.gradebook}"

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
        """Create the folder and restrict it to its owner: it holds marks, classmates' work and the secret.

        If it is shared with assistants, its group keeps its permissions.
        """
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(PermissionError):  # it belongs to another user: `./lab doctor` reports this
            self.folder.chmod(SHARED if self.is_shared else 0o700)

    @property
    def is_shared(self) -> bool:
        """Whether the folder's group may grade, too: its mode is 2770, as `chmod 2770` sets it."""
        return self.folder.is_dir() and self.folder.stat().st_mode & SHARED == SHARED

    def share(self) -> None:
        """Let the group of a shared folder change all files in it that belong to this process's user."""
        if not self.is_shared:
            return
        for where, folders, files in os.walk(self.folder):
            for name in (*folders, *files):
                _share(Path(where, name))

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
            try:
                yield
            finally:
                self.share()

    def seed_of(self, lab: str, student: str) -> str:
        """Return the seed of a student's cases, which never changes and cannot be guessed without the secret."""
        return hmac.new(self.secret(), f"{lab}\n{student}".encode(), hashlib.sha256).hexdigest()

    def handed_in(self, lab: str) -> tuple[list[HandedIn], list[str]]:
        """Return the submissions of `lab`, sorted by student id, and a sentence for each that is not judged as it is.

        There is also a sentence for each rejected folder, and for work that is not where the judge reads it.
        """
        found, problems = [], []
        for folder in sorted(self.submitted.iterdir()) if self.submitted.is_dir() else []:
            one, sentences = self._entry(folder, lab)
            found += [one] if one else []
            problems += [f"submitted/{folder.name!r}: {each}" for each in sentences]
        return found, problems

    def _entry(self, folder: Path, lab: str) -> tuple[HandedIn | None, list[str]]:
        """Return the submission of `lab` in one entry of submitted/, if it has one, and what to do there."""
        if not os.path.lexists(folder / lab):
            return None, about_entry(folder, lab, self.course.labs)
        try:
            one = self.handed_in_by(folder.name, lab)
        except BadStudent as problem:
            return None, [*about_entry(folder, lab, self.course.labs), str(problem)]
        if one.why_not:
            return one, [one.why_not]
        copies = about_copies(one.folder, lab, self._released(lab))
        return one, copies or about_entry(folder, lab, self.course.labs)

    def _released(self, lab: str) -> Path:
        return self.root / "labs" / lab / f"{lab}.ipynb"

    def handed_in_by(self, student: str, lab: str) -> HandedIn:
        """Return one student's submission; raises `BadStudent` for a link, which may lead to a classmate's folder.

        A link in place of another lab's folder is rejected, too: the tasks of earlier labs are part of this one.
        """
        folder = self.submitted / student
        student_id(folder)
        for each in dict.fromkeys((lab, *self.course.labs)):
            if os.path.islink(folder / each):
                raise BadStudent(f"{each} is a symbolic link; put the student's own folder there")
        why_not = why_not_judged(folder / lab, lab, self._released(lab))
        return HandedIn(student, folder / lab, folder / lab / f"{lab}.ipynb", why_not)


def _share(path: Path) -> None:
    """Give the group of a file or folder its owner's permissions; links and other people's files stay as they are."""
    status = os.lstat(path)
    if status.st_uid == os.geteuid() and not stat.S_ISLNK(status.st_mode):
        of_group = stat.S_ISGID | 0o070 if stat.S_ISDIR(status.st_mode) else 0o060
        os.chmod(path, stat.S_IMODE(status.st_mode) | of_group)


@lru_cache(maxsize=1)
def _course_of(root: Path, course_yml: bytes | None) -> Course:
    """Return the course, which nbgrader's parts need several times for each student, and which takes 0.1 s to load."""
    return load_course(root)


def student_id(folder: Path) -> str:
    """Return the student id that a folder in submitted/ stands for; raises `BadStudent`."""
    if stat.S_ISLNK(os.lstat(folder).st_mode):
        raise BadStudent("a symbolic link; put the student's own folder there")
    require_student_id(folder.name)
    return folder.name


def require_student_id(name: str) -> None:
    """Raise `BadStudent` unless `name` can be a student's id, and so the name of a folder.

    Quotes, brackets and wildcards have a meaning in nbgrader or in HTML, so they are rejected. Letters of every
    language, spaces, commas, apostrophes, `=`, `@` and `+` are accepted.
    """
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
