"""A small class for the tests of exports, and a reader for exported files."""

import csv
import io
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from autograder.classroom.marks import ClassMarks, StudentMark, WrittenMark
from autograder.grading.exports import write_export

Rows = list[list[str]]


@pytest.fixture
def small_class() -> Callable[..., ClassMarks]:
    """Marks of the given students, by default of three: complete, in need of a manual grade, absent."""

    def marks(*students: StudentMark, title: str = "Word count on a socket") -> ClassMarks:
        return ClassMarks("StreamLab", "lab01_wordcount", title, "2026.1", 40.0, students or THREE)

    return marks


@pytest.fixture
def exported(tmp_path: Path) -> Callable[..., Rows]:
    """Export, and read the file back as plain CSV in UTF-8."""

    def rows(marks: ClassMarks, format_name: str) -> Rows:
        path = tmp_path / "marks.csv"
        write_export(marks, format_name, path)
        return list(csv.reader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))

    return rows


def written(choose: float | None, dbms: float | None) -> tuple[WrittenMark, ...]:
    """Return the marks of both written answers of the lab."""
    return (WrittenMark("choose_a_model", choose, 4.0), WrittenMark("dbms_same_question", dbms, 2.0))


THREE = (
    StudentMark(
        "ana",
        40.0,
        judged_points=31.5,
        late_penalty=2.0,
        written=written(4.0, 1.5),
        results={"score": 31.5},
        submitted_at=datetime(2026, 3, 9, 17, 5, tzinfo=timezone(timedelta(hours=1))),
        first_name="Ána",
        last_name="Núñez",
        email="ana@example.org",
        lms_id="4711",
    ),
    StudentMark("ben", 40.0, judged_points=12.0, written=written(None, 0.0), results={"score": 12.0}),
    StudentMark("carla", 40.0, written=written(None, None), first_name="Carla", last_name="Ruiz", lms_id="12b"),
)
