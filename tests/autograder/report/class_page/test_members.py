"""Members of the class page: safe names, relative links, and the state of each student."""

import pytest

from autograder.classroom.marks import StudentMark, WrittenMark
from autograder.report.class_page.members import Member, members_of, relative_href, shortened
from tests.autograder.report.class_page.conftest import check, marks_of, results, student


def _only(mark: StudentMark) -> Member:
    return members_of(marks_of(mark))[0]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ana Núñez", "Ana Núñez"),
        ("  Ana \n Núñez ", "Ana Núñez"),
        ("Ana\x1b[31m", "Ana\\x1b[31m"),
        ("\u202eanA", "\\u202eanA"),
        ("x" * 300, "x" * 19 + "…"),
        ("\x1b" * 300, "\\x1b\\x1b\\x1b\\x1b\\x1b…"[:19] + "…"),
    ],
)
def test_a_name_is_made_safe_and_short(text: str, shown: str) -> None:
    assert shortened(text, 20) == shown


@pytest.mark.parametrize(
    ("path", "href"),
    [
        ("feedback/ana/lab01/lab01.html", "feedback/ana/lab01/lab01.html"),
        ("feedback/a b?#%/x.html", "feedback/a%20b%3F%23%25/x.html"),
        ("javascript:alert(1)", "javascript%3Aalert%281%29"),
        ('feedback/"><script>/x', "feedback/%22%3E%3Cscript%3E/x"),
        ("https://example.org/x", "https%3A//example.org/x"),
        ("//example.org/x", ""),
        ("/etc/passwd", ""),
        ("feedback/../../x", ""),
        ("\\\\example.org\\x", ""),
        ("", ""),
    ],
)
def test_a_link_cannot_leave_the_folder_of_the_page(path: str, href: str) -> None:
    assert relative_href(path) == href


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ((), ""),
        ((WrittenMark("a", 4.0, 4.0), WrittenMark("b", 1.5, 2.0)), "5.5"),
        ((WrittenMark("a", 4.0, 4.0), WrittenMark("b", None, 2.0)), "4 + 1 to grade"),
        ((WrittenMark("a", None, 4.0), WrittenMark("b", None, 2.0)), "2 to grade"),
        ((WrittenMark("a", 4.0, 4.0, changed_since=True),), "4 + 1 to grade"),
    ],
)
def test_manual_grades_show_points_and_the_number_of_answers_to_grade(
    answers: tuple[WrittenMark, ...], expected: str
) -> None:
    assert _only(student("ana", results(), written=answers)).by_hand == expected


def test_verdicts_are_counted_in_a_fixed_order() -> None:
    found = results(*(check(each, name=f"c{at}") for at, each in enumerate(["skipped", "fail", "pass", "fail"])))

    assert _only(student("ana", found)).counts == [("pass", 1), ("fail", 2), ("skipped", 1)]


@pytest.mark.parametrize(
    ("mark", "state"),
    [
        (student("ana", results(check("pass"))), (True, True, False)),
        (student("ana", results(check("error", "Not judged: no cell found."))), (True, False, True)),
        (student("ana", None), (False, False, False)),
    ],
)
def test_handed_in_judged_and_rejected_work_is_distinguished(mark: StudentMark, state: tuple[bool, bool, bool]) -> None:
    member = _only(mark)

    assert (member.handed_in, member.judged, member.rejected) == state


def test_a_student_without_a_name_is_shown_by_id() -> None:
    assert [_only(student("s1", None)).label, _only(student("s1", None, first_name="Ana")).label] == ["s1", "Ana"]
