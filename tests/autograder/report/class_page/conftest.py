"""Classes for the tests of the class page, with small results written by hand."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from autograder.classroom.marks import ClassMarks, StudentMark, WrittenMark

Results = dict[str, Any]
THROUGHPUT = {"task": "count", "check": "faster", "title": "counting is faster", "max_points": 3.0, "threshold": 1.25}


def check(verdict: str, sentence: str = "", task: str = "words", name: str = "case_is_folded", **more: Any) -> Results:
    """Return one verdict as the judge writes it."""
    points = 1.0 if verdict == "pass" else 0.0
    verdict_parts = {"verdict": verdict, "sentence": sentence, "points": points, "max_points": 1.0, "evidence": more}
    return {"task": task, "check": name, "title": name.replace("_", " "), **verdict_parts}


def throughput(ratio: float | None, verdict: str = "pass", sentence: str = "") -> Results:
    """Return one throughput check as the judge writes it."""
    interval = {"low": ratio and ratio * 0.9, "high": ratio and ratio * 1.1}
    return {**THROUGHPUT, "ratio": ratio, **interval, "verdict": verdict, "points": 0.0, "sentence": sentence}


def results(*checks: Results, **ours: Any) -> Results:
    """Return a results object with these checks; `ours` replaces parts of `streamlab`."""
    score = sum(each["points"] for each in checks)
    return {"score": score, "max_score": len(checks), "streamlab": {"lab": "lab01", "checks": list(checks), **ours}}


def student(name: str, found: Results | None, judged: float = 0.0, **more: Any) -> StudentMark:
    """Return one student's mark."""
    at = datetime(2026, 3, 9, tzinfo=UTC) if found else None
    return StudentMark(name, 10.0, judged_points=judged, results=found, submitted_at=at, **more)


def marks_of(*students: StudentMark, **more: Any) -> ClassMarks:
    """Return a class in a lab of ten points."""
    about = {"course": "Course", "lab": "lab01", "lab_title": "Word count", "release": "2026.1", "max_points": 10.0}
    return ClassMarks(**{**about, **more}, students=students)


@pytest.fixture
def four() -> ClassMarks:
    """A class of four: one is right, two have the same wrong answer, one handed in nothing."""
    wrong = 'Expected "a"; yours is "A".'
    evidence = {"expected": '"a"', "got": '"A"', "smallest_case": 'text = "A"'}
    by_hand = (WrittenMark("why_local_2", None, 2.0),)
    return marks_of(
        student("ana", results(check("pass"), throughput=[throughput(2.0)]), 6.0, first_name="Ana", last_name="Núñez"),
        student(
            "ben", results(check("fail", wrong, **evidence), throughput=[throughput(1.1, "fail")]), 3.0, written=by_hand
        ),
        student("carla", results(check("fail", wrong, **evidence), limits_hit=["words: no answer in 30 s"]), 3.0),
        student("dmitri", None),
    )


@pytest.fixture
def hostile_class(hostile: list[str]) -> ClassMarks:
    """A class in which every text that comes from a student is hostile."""
    return marks_of(*(_hostile(text, at) for at, text in enumerate(hostile)))


def _hostile(text: str, at: int) -> StudentMark:
    evidence = {"expected": text, "got": text, "smallest_case": text}
    found = results(
        check("fail", text, **evidence),
        throughput=[throughput(1.0 + at, "fail", text)],
        notes=[text],
        limits_hit=[text],
    )
    who = {"first_name": text, "last_name": text, "email": text, "lms_id": text}
    return student(text, found, 1.0, written=(WrittenMark("why", None, 2.0),), **who)


@pytest.fixture
def large_class() -> Callable[[int], ClassMarks]:
    """A class of any size, with 31 checks, a throughput check, and long evidence that differs from student to
    student."""

    def build(size: int) -> ClassMarks:
        return marks_of(*(_one_of_many(at) for at in range(size)))

    return build


def _one_of_many(at: int) -> StudentMark:
    def one(number: int) -> Results:
        long = f"{at} " * 600
        verdict = ("pass", "fail", "error", "skipped")[(at + number) % 4]
        return check(verdict, f"kind {at % 9}", name=f"check_{number}", expected=long, got=f"{long}x")

    checks = [one(number) for number in range(31)]
    written = (WrittenMark("why", None if at % 2 else 1.0, 2.0),)
    found = results(*checks, throughput=[throughput(0.8 + at / 100)], notes=[f"note {at % 60}"])
    return student(f"s{at:03}", found, 5.0, first_name="Maximiliane", last_name="Öztürk", written=written)
