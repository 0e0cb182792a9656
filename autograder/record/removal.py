"""Removes one student from every file of the class's folder.

Folders and files that are named after the student go as a whole, and so do pages and exports, which the kit can write
again. From files about several students, only what is the student's goes. SQLite's databases are rewritten, since a
deleted row stays in the file until then. Nothing outside the class's folder is touched.
"""

import json
import os
import re
import shutil
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from autograder.classroom.folder import Classroom
from autograder.classroom.policy_file import FILE as POLICY
from autograder.record import journal
from autograder.record.policy_text import without_student

SQLITE = b"SQLite format 3\0"
ALWAYS = re.compile(r"\.collecting-[^/]*|exports/[^/]*-jplag|leaderboard-[^/]*\.html")  # may have only the pseudonym
WRITTEN_AGAIN = re.compile(r"exports/.*|class-[^/]*\.html")
OF_OTHERS = "NOT removed: mentions the student, but is of somebody else; read it, and decide"
# Colours of code in a page: there, `s1` and `s2` are strings in quotes.
STYLE = re.compile(r"<style\b.*?</style>|\sclass=\"[^\"]*\"", re.DOTALL)
NAME_CHARS_MIN = 3  # a shorter word is in too many files to say that they are about the student
_OF_THE_STUDENT = """
DELETE FROM grade WHERE notebook_id IN (SELECT id FROM submitted_notebook WHERE assignment_id IN (
    SELECT id FROM submitted_assignment WHERE student_id = :student));
DELETE FROM comment WHERE notebook_id IN (SELECT id FROM submitted_notebook WHERE assignment_id IN (
    SELECT id FROM submitted_assignment WHERE student_id = :student));
DELETE FROM submitted_notebook WHERE assignment_id IN (
    SELECT id FROM submitted_assignment WHERE student_id = :student);
DELETE FROM submitted_assignment WHERE student_id = :student;
DELETE FROM student WHERE id = :student
"""


@dataclass(frozen=True)
class Removed:
    """Where something of the student is, relative to the class's folder, and what happens there."""

    path: str
    what: str


@dataclass(frozen=True)
class Identity:
    """The id of a student, and the names, addresses and numbers by which other files may mention the same person.

    `is_registered` says whether the gradebook has the student.
    """

    student: str
    others: tuple[str, ...] = ()
    is_registered: bool = False

    def is_in(self, text: str) -> bool:
        """Return whether the text mentions the student, as whole words."""
        return self._pattern.search(text) is not None

    def cut_from(self, text: str) -> str:
        """Return the text without the mentions."""
        return self._pattern.sub("(forgotten)", text)

    @property
    def _pattern(self) -> re.Pattern[str]:
        """Return a pattern for the id as it is written, and for the others in any case."""
        others = "|".join(map(re.escape, sorted(self.others, key=len, reverse=True)))
        own = re.escape(self.student)
        return re.compile(rf"(?<!\w)(?:{own}|(?i:{others}))(?!\w)" if others else rf"(?<!\w){own}(?!\w)")


def identity_of(classroom: Classroom, student: str) -> Identity:
    """Return what the gradebook knows about a student."""
    row: tuple[str | None, ...] | None = None
    if classroom.gradebook.exists():
        with closing(sqlite3.connect(classroom.gradebook)) as database:
            about = "SELECT first_name, last_name, email, lms_user_id FROM student WHERE id = ?"
            row = database.execute(about, (student,)).fetchone()
    first, last, email, number = ((each or "").strip() for each in row or ("",) * 4)
    names = (f"{first} {last}", f"{last}, {first}", f"{last},{first}", f"{last}{first}") if first and last else ()
    return Identity(
        student, tuple(each for each in (*names, email, number) if len(each) >= NAME_CHARS_MIN), row is not None
    )


def is_known(classroom: Classroom, student: str) -> bool:
    """Return whether the class has a student of this id: in the gradebook, the policy, or as the name of a folder."""
    if (classroom.submitted / student).exists() or identity_of(classroom, student).is_registered:
        return True
    path = classroom.folder / POLICY
    return path.exists() and without_student(text := path.read_text(encoding="utf-8"), student) != text


def forget(classroom: Classroom, who: Identity, *, dry_run: bool = False) -> list[Removed]:
    """Remove a student from the class's folder, and return where; with `dry_run`, change nothing."""
    return list(_Removal(classroom, who, dry_run).run())


class _Removal:
    def __init__(self, classroom: Classroom, who: Identity, dry_run: bool) -> None:
        self._root, self._who, self._dry_run = classroom.folder, who, dry_run

    def run(self) -> Iterator[Removed]:
        for where, folders, files in os.walk(self._root):
            for name in sorted([*folders, *files]):
                path = Path(where, name)
                if self._is_own(name) or ALWAYS.fullmatch(path.relative_to(self._root).as_posix()):
                    folders[:] = [each for each in folders if each != name]
                    yield self._done(path, "removed", partial(_remove, path))
                elif path.is_file() and not path.is_symlink() and not self._is_kits(path):
                    yield from self._in_file(path)

    def _is_kits(self, path: Path) -> bool:
        """Return whether the file is a notebook that the kit hands out, in which a word may look like an id."""
        return path.relative_to(self._root).parts[0] in ("source", "release")

    def _is_own(self, name: str) -> bool:
        """Return whether a folder or file has the student's name: s17, s17.json, .s17.partial."""
        return re.fullmatch(rf"\.?{re.escape(self._who.student)}(\.\w+)*", name) is not None

    def _in_file(self, path: Path) -> Iterator[Removed]:
        content = path.read_bytes()
        if content.startswith(SQLITE):
            if any(each.encode() in content for each in (self._who.student, *self._who.others)):
                yield self._in_database(path)
        elif zipfile.is_zipfile(path):
            yield from self._in_archive(path)
        else:
            text = content.decode("utf-8", "replace")
            if self._who.is_in(STYLE.sub("", text) if path.suffix == ".html" else text):
                yield from self._in_text(path, text)

    def _in_database(self, path: Path) -> Removed:
        """Clear a gradebook or a copy of one; in the raw bytes, no space separates a name from the next value."""
        with closing(sqlite3.connect(path)) as database:
            tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
        if not {"student", "submitted_assignment", "submitted_notebook", "grade", "comment"} <= tables:
            return Removed(path.relative_to(self._root).as_posix(), OF_OTHERS)
        return self._done(path, "rows removed, file rewritten", lambda: _clear_database(path, self._who.student))

    def _in_text(self, path: Path, text: str) -> Iterator[Removed]:
        name = path.relative_to(self._root).as_posix()
        if WRITTEN_AGAIN.fullmatch(name):
            yield self._done(path, "removed; the kit writes it again", path.unlink)
        elif name == POLICY:
            yield self._done(path, "mentions removed", lambda: _replace(path, self._policy(text)))
        elif name == journal.FILE:
            yield self._done(path, "lines removed", lambda: _replace(path, self._journal(text)))
        elif name.startswith("collected/"):
            yield self._done(path, "entry removed", lambda: _replace(path, self._collected(text)))
        elif path.suffix in (".csv", ".log"):
            is_in = self._is_in_row if path.suffix == ".csv" else self._who.is_in
            lines = [each for each in text.splitlines(keepends=True) if not is_in(each)]
            yield self._done(path, "lines removed", lambda: _replace(path, "".join(lines)))
        else:
            yield Removed(name, OF_OTHERS)

    def _in_archive(self, path: Path) -> Iterator[Removed]:
        """Remove an archive of the kit's, and from any other the files that are named after the student."""
        with zipfile.ZipFile(path) as archive:
            own = {each for each in archive.namelist() if any(map(self._who.is_in, re.split(r"[/_]", each)))}
            is_in_one = own or any(
                self._who.is_in(archive.read(each).decode("utf-8", "replace")) for each in archive.namelist()
            )
        if is_in_one and WRITTEN_AGAIN.fullmatch(path.relative_to(self._root).as_posix()):
            yield self._done(path, "removed; the kit writes it again", path.unlink)
        elif own:
            yield self._done(path, f"{len(own)} files in it removed", lambda: _without_entries(path, own))
        elif is_in_one:
            yield Removed(path.relative_to(self._root).as_posix(), OF_OTHERS)

    def _is_in_row(self, line: str) -> bool:
        """Return whether a cell of a row in a class list is the id, a name, an address or a number of the student."""
        cells = [each.strip(' "\r\n') for each in re.split("[,;\t]", line)]
        return self._who.student in cells or any(each in self._who.others for each in cells)

    def _policy(self, text: str) -> str:
        """Return the policy without the student; comments lose the mentions."""
        edited = without_student(text, self._who.student)
        return re.sub("#.*", lambda comment: self._who.cut_from(comment[0]), edited)

    def _journal(self, text: str) -> str:
        """Return the journal without the student's lines; those about others lose the mentions."""
        kept = []
        for entry in map(json.loads, text.splitlines()):
            if entry["student"] == self._who.student:
                continue
            if entry["what"] == POLICY:
                entry |= {key: self._policy(entry[key]) for key in ("before", "after")}
            entry["because"] = self._who.cut_from(entry["because"])
            kept.append(json.dumps(entry, ensure_ascii=False))
        return "".join(f"{each}\n" for each in kept)

    def _collected(self, text: str) -> str:
        """Return the record of collected files without the student's; names of a group's files lose the mentions."""
        found = {name: one for name, one in json.loads(text).items() if name != self._who.student}
        for one in found.values():
            one["entry"] = self._who.cut_from(one["entry"])
        return json.dumps(found, ensure_ascii=False, indent=1) + "\n"

    def _done(self, path: Path, what: str, action: Callable[[], object]) -> Removed:
        if not self._dry_run:
            action()
        return Removed(path.relative_to(self._root).as_posix(), what)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def _replace(path: Path, text: str) -> None:
    draft = path.with_name(f".{path.name}.partial")
    draft.write_text(text, encoding="utf-8")
    shutil.copymode(path, draft)
    os.replace(draft, path)


def _clear_database(path: Path, student: str) -> None:
    """Delete the student's rows, and rewrite the file, which would keep their bytes otherwise."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA secure_delete = ON")
        database.execute("BEGIN IMMEDIATE")
        for statement in _OF_THE_STUDENT.split(";"):
            database.execute(statement, {"student": student})
        database.execute("COMMIT")
        database.execute("VACUUM")


def _without_entries(path: Path, names: set[str]) -> None:
    draft = path.with_name(f".{path.name}.partial")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as new:
        for each in old.infolist():
            if each.filename not in names:
                new.writestr(each, old.read(each))
    os.replace(draft, path)
