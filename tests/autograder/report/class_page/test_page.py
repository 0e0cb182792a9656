"""The class page as a file: it is complete, escaped and small."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest

from autograder.classroom.marks import ClassMarks
from autograder.report.class_page import render_class_page, write_class_page
from tests.autograder.report.class_page.conftest import check, marks_of, results, student
from tests.autograder.report.html_page import Page


def _read(html: str) -> str:
    """Return the page's text, with one space between cells."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html.partition("</style>")[2])).split())


def test_it_begins_with_the_document_type_and_forbids_scripts_and_requests(four: ClassMarks) -> None:
    html = render_class_page(four)

    assert html.startswith("<!doctype html>")
    assert "content=\"default-src 'none'; style-src 'unsafe-inline'" in html.partition("<style>")[0]


def test_the_file_needs_no_other_file(four: ClassMarks) -> None:
    page = Page(render_class_page(four))

    assert not {tag for tag, _ in page.tags} & {"script", "link", "img", "iframe", "object", "embed", "base", "form"}
    assert all(link.startswith("#") for link in page.values("href"))
    assert not page.values("src")


def test_every_jump_link_has_a_target_and_every_id_is_unique(four: ClassMarks) -> None:
    page = Page(render_class_page(four))

    ids = Counter(page.values("id"))
    assert {link[1:] for link in page.values("href")} <= set(ids)
    assert {name for names in page.values("aria-labelledby") for name in names.split()} <= set(ids)
    assert max(ids.values()) == 1


def test_no_heading_level_is_skipped_and_every_element_is_closed(four: ClassMarks) -> None:
    page = Page(render_class_page(four))

    assert (page.headings[0], page.headings.count(1), page.unbalanced) == (1, 1, [])
    assert all(after <= before + 1 for before, after in pairwise(page.headings))


def test_a_wrong_answer_is_shown_once_with_both_sides_and_its_students(four: ClassMarks) -> None:
    text = Page(render_class_page(four)).text

    assert text.count('Expected "a"; yours is "A".') == 1
    assert "1 of 3 pass" in text
    assert "2 ×" in text
    for part in ("ben, carla", "Expected", "Got"):
        assert part in " ".join(text.split())


def test_an_unwritten_check_does_not_count_as_a_check_that_nobody_got_wrong() -> None:
    written, open_ = check("pass"), check("skipped", task="near", name="a_box_decides")
    page = Page(render_class_page(marks_of(*(student(f"s{at}", results(written, open_), 1.0) for at in range(3)))))

    text = " ".join(page.text.split())

    assert "1 check that nobody got wrong" in text
    assert "1 check of tasks that nobody has written" in text


def test_throughput_checks_that_were_not_run_are_reported_as_missing() -> None:
    found = results(check("pass"), points={"lab": 10, "manual": 2, "throughput": {"count": 3}, "tasks_not_judged": 0})

    text = _read(render_class_page(marks_of(student("ana", found, 1.0), student("ben", found, 1.0))))

    assert "Throughput checks that were not run (3 points) are missing for 2 students." in text


def test_manual_grading_missing_work_and_limits_are_listed_with_names(four: ClassMarks) -> None:
    text = _read(render_class_page(four))

    assert "Manual grading: why_local_2 · 1 to grade, 0 graded ben" in text
    assert "Nothing handed in · 1 dmitri" in text
    assert "limit words: no answer in 30 s carla" in text


def test_work_that_is_not_graded_yet_is_something_to_do() -> None:
    handed_in = replace(student("eve", None), submitted_at=datetime(2026, 3, 9, tzinfo=UTC))

    text = " ".join(_read(render_class_page(marks_of(student("ana", results(check("pass")), 1.0), handed_in))).split())

    assert "Not graded yet: run ./lab grade again · 1 eve" in text
    assert "Every submission is judged" not in text
    assert "eve not graded yet" in text


def test_each_student_has_a_row_with_points_and_verdicts(four: ClassMarks) -> None:
    text = _read(render_class_page(four))

    assert "ana Ana Núñez 6 /10 6 2 pass" in text
    assert "ben 3 /10 3 1 to grade 2 fail" in text
    assert "dmitri 0 /10 nothing handed in" in text


def test_the_throughput_check_is_shown_in_words_and_as_a_table(four: ClassMarks) -> None:
    text = _read(render_class_page(four))

    assert "2 ratios from 1.10 to 2.00, median 1.55; 1 of 2 are at or over the threshold of 1.25." in text
    assert "Ana Núñez 2.00 1.80 to 2.20" in text


def test_only_students_with_feedback_have_a_link_to_it(four: ClassMarks) -> None:
    links = Page(render_class_page(four, feedback={"ana": "feedback/ana/x.html", "ben": "/etc/passwd"})).values("href")

    assert [each for each in links if not each.startswith("#")] == ["feedback/ana/x.html"]


def test_pseudonyms_are_shown_only_with_a_leaderboard(four: ClassMarks) -> None:
    assert "calm ana" not in render_class_page(four)
    assert "calm ana" in render_class_page(four, pseudonym=lambda student: f"calm {student}")


def test_an_empty_class_says_what_to_do() -> None:
    page = Page(render_class_page(marks_of()))

    assert ("0 students" in page.text, "./lab grade" in page.text, page.unbalanced) == (True, True, [])


def test_texts_on_a_class_of_one_are_in_the_singular() -> None:
    text = _read(render_class_page(marks_of(student("ana", results(check("pass")), 4.0))))

    assert "1 student " in text
    assert "Mean and median of 1 mark." in text
    assert "No check has a wrong answer." in text


def test_a_student_cannot_add_elements_attributes_or_links(hostile_class: ClassMarks, four: ClassMarks) -> None:
    allowed = {tag for tag, _ in Page(render_class_page(four)).tags}

    page = Page(
        render_class_page(hostile_class, feedback={each.student: each.student for each in hostile_class.students})
    )

    assert {tag for tag, _ in page.tags} <= allowed
    assert page.unbalanced == []
    assert not [name for _, attrs in page.tags for name in attrs if name.startswith("on") or name == "style"]
    assert not [link for link in page.values("href") if ":" in link or link.startswith("/")]


def test_no_invisible_character_reaches_the_page(hostile_class: ClassMarks) -> None:
    html = render_class_page(hostile_class)

    assert not any((ord(each) < 32 and each != "\n") or 127 <= ord(each) <= 160 for each in html)
    assert not set(html) & set("\u202e\u2066\u200b\u2028\ufeff\ud800")


def test_the_page_of_a_class_of_200_stays_below_a_megabyte_and_a_half(large_class: Callable[[int], ClassMarks]) -> None:
    html = render_class_page(large_class(200))

    assert len(html.encode()) < 1_500_000


def test_texts_of_the_maximum_length_do_not_make_a_large_page() -> None:
    long = '"<script>&' * 300
    students = [
        student(
            f"{at}{long}",
            results(
                *(check("fail", f"{at}{long}", name=f"c{n}", expected=long, got=f"{at}{long}") for n in range(31)),
                notes=[f"{at}{long}"] * 50,
            ),
        )
        for at in range(100)
    ]

    assert len(render_class_page(marks_of(*students)).encode()) < 1_500_000


@pytest.mark.parametrize("found", [{}, {"streamlab": {"checks": [{}], "throughput": [{}]}}])
def test_results_that_are_cut_short_give_a_page(found: dict) -> None:  # type: ignore[type-arg]
    assert Page(render_class_page(marks_of(student("ana", found)))).unbalanced == []


def test_the_same_marks_give_the_same_bytes(four: ClassMarks, tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_class_page(four, tmp_path / name)

    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
