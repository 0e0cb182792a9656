"""Reads a class list as spreadsheets and Canvas save it, for `nbgrader db student import`.

nbgrader itself reads only commas, without a byte order mark, and in the encoding of this machine. Here, the delimiter
may also be a semicolon or a tab. A file of an unknown encoding is rejected, since a guess would garble names.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.apps.dbapp import DbBaseApp, DbStudentImportApp

from autograder.classroom.folder import Classroom
from autograder.intake.safe_text import safe
from autograder.record.gradebook_file import UnusableGradebook, require_usable

COLUMNS = ("id", "first_name", "last_name", "email", "lms_user_id")
DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs"}
BYTE_ORDER_MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}  # of Excel's "Unicode text"
CANVAS_LOGIN, CANVAS_ID, CANVAS_NAME = "SIS Login ID", "ID", "Student"
WORKBOOK = b"PK\x03\x04"
SHOWN_CHARS = 60
_DELIMITER_LINE = re.compile(r"sep=(.)\r?\n")  # Excel's own first line
Student = dict[str, str | None]


class BadClassList(ValueError):
    """A class list that cannot be imported; the text names the file, what was expected, what came, and what to do."""


def accept_spreadsheets() -> None:
    """Let `nbgrader db student import` read its file with `read_class_list`; nbgrader has no setting for it."""
    DbStudentImportApp.start = _start


@dataclass(frozen=True)
class ClassList:
    """The students, with those columns that the file has (None for an empty cell), and the columns that are ignored."""

    students: list[Student]
    ignored: list[str]


def read_class_list(path: Path) -> ClassList:
    """Return the students in a CSV file; raises `BadClassList`."""
    text = _text(path)
    delimiter, text = _delimiter(text)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        headings = [each.strip() for each in next(rows, [])]
        _require_id(path, headings, delimiter)
        found = [
            (rows.line_num, _cells(path, rows.line_num, headings, row)) for row in rows if any(map(str.strip, row))
        ]
    except csv.Error as problem:
        raise BadClassList(f"{path}, line {rows.line_num}: {problem}; expected CSV") from None
    ignored = [] if CANVAS_NAME in headings else [each for each in headings if each and each not in COLUMNS]
    return ClassList(list(_students(path, found)), ignored)


def _text(path: Path) -> str:
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise BadClassList(f"{path}: cannot be read ({problem.strerror})") from None
    if content.startswith(WORKBOOK):
        raise BadClassList(f'{path}: expected CSV, got an Excel workbook; save it as "CSV UTF-8"')
    encoding = BYTE_ORDER_MARKS.get(content[:2], "utf-8-sig")
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        shown = safe(content.splitlines()[line - 1].decode("cp1252", "replace"), SHOWN_CHARS)
        got = f"expected the encoding UTF-8, got byte 0x{content[problem.start]:02x} in line {line} (perhaps {shown!r})"
        raise BadClassList(f'{path}: {got}; save it as "CSV UTF-8" and import it again') from None


def _delimiter(text: str) -> tuple[str, str]:
    """Return the delimiter that occurs most often in the headings, and the text without Excel's line `sep=;`."""
    if found := _DELIMITER_LINE.match(text):
        return found[1], text[found.end() :]
    first = text.partition("\n")[0]
    return max(DELIMITERS, key=first.count), text


def _require_id(path: Path, headings: list[str], delimiter: str) -> None:
    missing = CANVAS_LOGIN if CANVAS_NAME in headings else "id"
    if missing in headings:
        return
    got = _quoted(headings) or "an empty file"
    by = DELIMITERS.get(delimiter, repr(delimiter))
    raise BadClassList(f"{path}: expected a column {missing!r}, got {got} (separated by {by})")


def _quoted(headings: list[str]) -> str:
    return ", ".join(repr(safe(each, SHOWN_CHARS)) for each in headings)


def _cells(path: Path, line: int, headings: list[str], row: list[str]) -> dict[str, str]:
    if len(row) > len(headings) and any(each.strip() for each in row[len(headings) :]):
        raise BadClassList(f"{path}, line {line}: expected {len(headings)} cells, as in the headings, got {len(row)}")
    return dict(zip(headings, map(str.strip, row), strict=False))


def _students(path: Path, rows: list[tuple[int, dict[str, str]]]) -> Iterator[Student]:
    seen: dict[str, int] = {}
    for line, cells in rows:
        if _is_points_possible(cells):
            continue
        student = _of_canvas(cells) if CANVAS_NAME in cells else _of_columns(cells)
        name = student.get("id")
        if not name:
            column = CANVAS_LOGIN if CANVAS_NAME in cells else "id"
            raise BadClassList(
                f"{path}, line {line}: no {column}; it is the name of the student's folder in submitted/"
            )
        if name in seen:
            raise BadClassList(f"{path}, line {line}: id {safe(name, SHOWN_CHARS)!r} is in line {seen[name]}, too")
        seen[name] = line
        yield student


def _is_points_possible(cells: Mapping[str, str]) -> bool:
    """Return whether this is the row of a Canvas export that has maximum points instead of a student."""
    return cells.get(CANVAS_NAME) == "Points Possible"


def _of_columns(cells: Mapping[str, str]) -> Student:
    return {name: cells[name] or None for name in COLUMNS if name in cells}


def _of_canvas(cells: Mapping[str, str]) -> Student:
    """Return a student of a Canvas export, in which our own export finds the same students again."""
    last, _, first = cells[CANVAS_NAME].partition(",")
    number = cells.get(CANVAS_ID) or None
    login = cells.get(CANVAS_LOGIN) or None
    return {"id": login, "first_name": first.strip() or None, "last_name": last or None, "lms_user_id": number}


def _start(app: DbStudentImportApp) -> None:
    """Import the class list that the command line names; replaces nbgrader's method."""
    DbBaseApp.start(app)
    if len(app.extra_args) != 1:
        app.fail("Path to CSV file not provided.")
    path = Path(app.extra_args[0])
    try:
        found = read_class_list(path)
        require_usable(Classroom.of_this_kit().gradebook, to_write=True)
    except (BadClassList, UnusableGradebook) as problem:
        app.fail("%s", problem)
    with Gradebook(app.coursedir.db_url, app.course_id, app.authenticator) as gradebook:
        for student in found.students:
            known = {name: value for name, value in student.items() if name != "id"}
            gradebook.update_or_create_student(student["id"], **known)
    if found.ignored:
        app.log.warning("%s: columns that nbgrader does not know: %s", path, _quoted(found.ignored))
    app.log.info("imported from %s, number of students: %d", path, len(found.students))
