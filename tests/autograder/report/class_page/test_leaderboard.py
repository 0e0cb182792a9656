"""The leaderboard shows ranks under pseudonyms, and nothing that identifies a student."""

from pathlib import Path

import pytest

from autograder.classroom.marks import ClassMarks
from autograder.report.class_page import pseudonyms_of, render_leaderboard, write_leaderboard
from autograder.report.class_page.leaderboard import places
from autograder.report.class_page.members import members_of
from tests.autograder.report.class_page.conftest import check, marks_of, results, student, throughput
from tests.autograder.report.html_page import Page


def test_equal_values_share_a_rank_and_are_ordered_by_pseudonym() -> None:
    names = {"ana": "witty wren", "ben": "calm crane", "carla": "bold birch", "dora": "apt ash"}
    members = members_of(marks_of(*(student(each, results()) for each in names)), pseudonym=names.__getitem__)

    found = places(zip(members, (7.0, 7.0, 9.0, 3.0), strict=True))

    assert [(each.rank, each.pseudonym) for each in found] == [
        *((1, "bold birch"), (2, "calm crane"), (2, "witty wren"), (4, "apt ash"))
    ]


def test_it_holds_no_id_name_or_text_of_a_submission() -> None:
    evidence = {"sentence": "SENTENCE", "expected": "EXPECTED", "got": "GOT", "smallest_case": "CASE"}
    found = results(
        check("fail", **evidence),
        throughput=[throughput(1.5, "fail", "THROUGHPUT")],
        notes=["NOTE"],
        limits_hit=["LIMIT"],
    )
    found["streamlab"]["submission"] = "FILE"
    who = {"first_name": "FIRST", "last_name": "LAST", "email": "EMAIL", "lms_id": "LMS"}
    marks = marks_of(student("STUDENT", found, 4.0, **who))

    html = render_leaderboard(marks, pseudonyms_of(b"secret", ["STUDENT"]).__getitem__)

    private_texts = (
        "SENTENCE",
        "EXPECTED",
        "GOT",
        "CASE",
        "THROUGHPUT",
        "NOTE",
        "LIMIT",
        "FILE",
        *who.values(),
        "STUDENT",
    )
    assert not [each for each in private_texts if each in html]
    assert "1.50" in html


def test_a_student_without_a_submission_is_not_on_it(four: ClassMarks) -> None:
    names = pseudonyms_of(b"secret", [each.student for each in four.students])

    text = Page(render_leaderboard(four, names.__getitem__)).text

    assert [names[each] in text for each in ("ana", "ben", "carla", "dmitri")] == [True, True, True, False]


def test_pseudonyms_are_escaped(hostile_class: ClassMarks) -> None:
    page = Page(render_leaderboard(hostile_class, lambda student: student))

    assert page.unbalanced == []
    assert not {tag for tag, _ in page.tags} & {"script", "img"}


@pytest.mark.parametrize("marks", [marks_of(), marks_of(student("ana", None))])
def test_an_empty_leaderboard_says_so(marks: ClassMarks) -> None:
    assert "Nobody is on the leaderboard yet" in Page(render_leaderboard(marks, str)).text


def test_the_same_marks_give_the_same_bytes(four: ClassMarks, tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_leaderboard(four, tmp_path / name, lambda student: f"calm {student}")

    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
