"""Finds the student whose file an archive holds, by the class list in nbgrader's gradebook.

Canvas's number is the user's and decides. Moodle's number is the participant's in one assignment, which another student
may have as `lms_user_id` by chance, so there the name must agree.
"""

import unicodedata
import warnings
from collections.abc import Iterable
from dataclasses import dataclass

from nbgrader.api import Gradebook

from autograder.classroom.folder import BadStudent, Classroom, require_student_id
from autograder.intake.safe_text import safe
from autograder.record.course_site.entry_names import SiteFile
from autograder.record.gradebook_file import require_usable

NAME_CHARS = 60


class UnknownStudent(ValueError):
    """No student, or more than one, can be the owner of a file; the text says why."""


@dataclass(frozen=True)
class Student:
    """A student of the class list; `lms_id` is the site's number, as text."""

    id: str
    first_name: str = ""
    last_name: str = ""
    lms_id: str = ""

    @property
    def names(self) -> set[str]:
        """The full name in both orders, in its simplest spelling; empty if it is unknown."""
        orders = (f"{self.first_name}{self.last_name}", f"{self.last_name}{self.first_name}")
        return {_plain(each) for each in orders} - {""}


def students_of(classroom: Classroom) -> list[Student]:
    """Return the class list, sorted by id; raises `UnusableGradebook`."""
    require_usable(classroom.gradebook, to_write=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with Gradebook(classroom.database) as gradebook:
            found = [
                Student(each.id, each.first_name or "", each.last_name or "", (each.lms_user_id or "").strip())
                for each in gradebook.students
            ]
    return sorted(found, key=lambda each: each.id)


class Roster:
    """The students of a class, by the site's number and by name."""

    def __init__(self, students: Iterable[Student]) -> None:
        self.students = list(students)

    def owner_on(self, site: str, file: SiteFile) -> str:
        """Return the id of the student who handed in `file`; raises `UnknownStudent`."""
        student = self._by_number(file) if site == "canvas" else self._by_name(file)
        try:
            require_student_id(student.id)
        except BadStudent as problem:
            raise UnknownStudent(f"{safe(student.id, NAME_CHARS)!r} in the class list: {problem}") from None
        return student.id

    def _by_number(self, file: SiteFile) -> Student:
        found = self._with_number(file.number)
        if len(found) > 1:
            raise UnknownStudent(f"{_listed(found)} have the same lms_user_id, {file.number}")
        if not found:
            raise UnknownStudent(f"no student with lms_user_id {file.number} in the class list")
        return found[0]

    def _by_name(self, file: SiteFile) -> Student:
        numbered = self._with_number(file.number)
        named = self._with_name(file.owner)
        both = [each for each in named if each in numbered]
        words = _words_of(file.owner)
        similar = [
            each for each in numbered if not each.names or words & _words_of(f"{each.first_name} {each.last_name}")
        ]
        for found in (both, named, similar):
            if len(found) == 1:
                return found[0]
        shown = repr(safe(file.owner, NAME_CHARS))
        if named:
            why = f"{_listed(named)} are all called {shown}; lms_user_id {file.number} would tell them apart"
            raise UnknownStudent(why)
        raise UnknownStudent(f"no student called {shown} in the class list (a group's name, or another spelling)")

    def _with_number(self, number: int) -> list[Student]:
        return [each for each in self.students if each.lms_id.isdecimal() and int(each.lms_id) == number]

    def _with_name(self, owner: str) -> list[Student]:
        """Return the students of this name; before it, a group's name with a hyphen may stand."""
        parts = owner.split("-")
        for start in range(len(parts)):
            name = _plain("-".join(parts[start:]))
            if found := [each for each in self.students if name in each.names]:
                return found
        return []


def _plain(name: str) -> str:
    """Return the letters and digits of a name, without accents and case. Example: _plain("O'Néill") -> "oneill"."""
    return "".join(each for each in unicodedata.normalize("NFKD", name).casefold() if each.isalnum())


def _words_of(name: str) -> set[str]:
    return {_plain(each) for each in name.replace("-", " ").split()} - {""}


def _listed(students: list[Student]) -> str:
    return " and ".join(each.id for each in students)
