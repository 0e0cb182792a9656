"""What the policy of a class leaves out is shown as left out on the class page."""

from autograder.report.class_page import render_class_page
from tests.autograder.report.class_page.conftest import check, marks_of, results, student
from tests.autograder.report.html_page import Page


def _text(page: str) -> str:
    return " ".join(Page(page).text.split())


def test_an_excused_student_has_not_handed_in_nothing() -> None:
    ana = student("ana", results(check("pass")), 1.0)

    text = _text(render_class_page(marks_of(ana, student("ben", None).as_excused(), student("eve", None))))

    assert "Excused · 1" in text
    assert "Nothing handed in · 1" in text
    assert "without 1 student who handed in nothing" in text
    assert "ben excused" in text


def test_a_dropped_check_is_shown_as_not_graded_and_not_among_those_to_talk_about() -> None:
    wrong = student("ana", results(check("fail", "no", task="words", name="hard")), 0.0)

    text = _text(render_class_page(marks_of(wrong, dropped=frozenset({"words/hard"}))))

    assert "1 check not graded in this course" in text
    assert "Checks with wrong answers" not in text


def test_a_page_with_discrimination_explains_it() -> None:
    members = [student(f"s{at}", results(check("pass" if at > 4 else "fail", "no")), float(at)) for at in range(10)]

    assert "discrimination 0.8" in _text(render_class_page(marks_of(*members)))
    assert "Discrimination is the correlation of" in _text(render_class_page(marks_of(*members)))
    assert "iscrimination" not in _text(render_class_page(marks_of(*members[:9])))
