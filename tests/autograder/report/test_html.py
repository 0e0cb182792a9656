"""The HTML file is complete, escapes all text, and has the same bytes each time."""

from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from autograder.report.html import command, duration, render_html, timing, write_html
from autograder.report.pages import anchor
from autograder.report.results_view import read_report
from tests.autograder.report.html_page import Page

Results = dict[str, Any]


@pytest.fixture
def three(sample: Callable[[str], Results]) -> list[Results]:
    """Three submissions of one lab."""
    return [sample(name) for name in ("every_verdict", "full_marks", "starter")]


def test_the_same_results_give_the_same_bytes(three: list[Results], tmp_path: Path) -> None:
    write_html(three, tmp_path / "a.html")
    write_html(three, tmp_path / "b.html")

    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_the_file_needs_no_other_file(three: list[Results]) -> None:
    page = Page(render_html(three))

    assert not {tag for tag, _ in page.tags} & {"script", "link", "img", "iframe", "object", "embed", "base", "form"}
    assert all(link.startswith("#") for link in [*page.values("href"), *page.values("xlink:href")])
    assert not page.values("src")
    assert "url(" not in render_html(three)
    assert "@import" not in render_html(three)


def test_the_page_forbids_scripts_and_requests_before_anything_else(three: list[Results]) -> None:
    html = render_html(three)
    head = [(tag, attrs) for tag, attrs in Page(html).tags if tag in {"meta", "style"}]

    assert html.startswith("<!doctype html>")
    assert head[0][1] == {"charset": "utf-8"}
    assert (head[1][1]["content"] or "").startswith("default-src 'none'; style-src 'unsafe-inline'")


def test_every_jump_link_has_a_target_and_every_id_is_unique(three: list[Results]) -> None:
    page = Page(render_html(three))

    ids = Counter(page.values("id"))
    assert {link[1:] for link in page.values("href")} <= set(ids)
    assert {name for names in page.values("aria-labelledby") for name in names.split()} <= set(ids)
    assert max(ids.values()) == 1


def test_no_heading_level_is_skipped(three: list[Results]) -> None:
    levels = Page(render_html(three)).headings

    assert (levels[0], levels.count(1)) == (1, 1)
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_every_element_is_closed(three: list[Results]) -> None:
    assert Page(render_html(three)).unbalanced == []


def test_each_verdict_is_shown_as_a_word(sample: Callable[[str], Results]) -> None:
    html = render_html([sample("every_verdict")])

    for verdict in ("pass", "fail", "error", "timeout", "inconclusive", "skipped"):
        assert f'<use href="#icon-{verdict}"/></svg>{verdict}</span>' in html


def test_a_failing_check_shows_sentence_both_sides_smallest_case_invariant_and_hint(
    sample: Callable[[str], Results],
) -> None:
    text = Page(render_html([sample("every_verdict")])).text

    for part in (
        'Expected ("don\'t", 2); your counts have ("don\'t", 1) and ("t", 1).',
        "lines = [\"don't DON'T\"], partitions = 2",
        "Invariant 2: an apostrophe inside a word belongs to it.",
        "Hint 1 of 3: ./lab hint lab01_wordcount/count_words",
    ):
        assert part in text


def test_a_throughput_check_is_shown_as_two_pictures_and_a_table(sample: Callable[[str], Results]) -> None:
    page = Page(render_html([sample("full_marks")]))

    assert page.values("class").count("chart") == 2
    assert "Rates of each pair in words per second" in page.text
    assert sum(tag == "tr" for tag, _ in page.tags) == 1 + 9 + 6  # heading and pairs, heading and timing


def test_one_submission_needs_no_index_and_several_have_one(three: list[Results]) -> None:
    assert "index" not in Page(render_html(three[:1])).values("class")
    assert Page(render_html(three)).values("href").count("#s2") == 1


def test_a_page_without_submissions_says_so() -> None:
    assert "No submissions" in Page(render_html([])).text


@pytest.mark.parametrize("results", [{}, {"streamlab": {"checks": [{}], "throughput": [{}], "timing": {"odd": 1}}}])
def test_results_that_are_cut_short_give_a_page(results: Results) -> None:
    assert Page(render_html([results])).unbalanced == []


def test_a_submission_cannot_add_elements_attributes_or_links(
    hostile_results: list[Results], sample: Callable[[str], Results]
) -> None:
    allowed = {tag for tag, _ in Page(render_html([sample("every_verdict")])).tags}

    for results in hostile_results:
        page = Page(render_html([results]))
        assert {tag for tag, _ in page.tags} <= allowed
        assert page.unbalanced == []
        assert not [name for _, attrs in page.tags for name in attrs if name.startswith("on") or name == "style"]
        assert all(link.startswith("#") for link in page.values("href"))


def test_hostile_text_is_shown_as_text(one_check: Callable[..., Results], hostile: list[str]) -> None:
    for text in hostile[:6]:
        assert text in Page(render_html([one_check(sentence=text)])).text


def test_no_invisible_character_reaches_the_page(hostile_results: list[Results]) -> None:
    html = render_html(hostile_results)

    assert not any((ord(each) < 32 and each != "\n") or 127 <= ord(each) <= 160 for each in html)
    assert not set(html) & set("\u202e\u2066\u200b\u2028\ufeff\ud800")


def test_a_page_of_very_long_texts_stays_small(one_check: Callable[..., Results]) -> None:
    flood = "x" * 1_000_000
    evidence = {"expected": flood, "got": flood + "y", "smallest_case": flood, "invariant": flood, "hint": flood}

    html = render_html([one_check(ours={"notes": [flood] * 1000}, sentence=flood, title=flood, evidence=evidence)])

    assert len(html) < 250_000
    assert "(1 000 000 characters in all)" in html


@pytest.mark.parametrize(("sandbox", "warned"), [("process", True), ("bubblewrap", False)])
def test_judging_without_isolation_is_a_warning(sandbox: str, warned: bool, one_check: Callable[..., Results]) -> None:
    assert ("No isolation" in render_html([one_check(ours={"sandbox": sandbox})])) is warned


def test_an_anchor_has_only_characters_that_need_no_escaping() -> None:
    assert anchor("s1", 'a" onclick=x') == "s1-a_onclick_x"


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("Hint 1 of 3: ./lab hint lab01/words", "Hint 1 of 3: <code>./lab hint lab01/words</code>"),
        ("<b>", "&lt;b&gt;"),
        ("./lab hint <b>", "./lab hint &lt;b&gt;"),
    ],
)
def test_a_command_is_marked_as_code_and_everything_is_escaped(text: str, html: str) -> None:
    assert command(text) == html


@pytest.mark.parametrize(("seconds", "shown"), [(0.0123, "12 ms"), (3.61, "3.6 s"), (312.4, "312 s")])
def test_a_duration_has_only_significant_digits(seconds: float, shown: str) -> None:
    assert duration(seconds) == shown


def test_measured_values_have_a_name_and_a_unit(one_check: Callable[..., Results]) -> None:
    report = read_report(one_check(ours={"timing": {"spark_start_s": 3.61, "peak_mb": 1812.3, "turns": 9}}))

    assert timing(report) == [("spark start", "3.6 s"), ("peak memory", "1 812 MB"), ("turns", "9")]


def test_a_timeout_shows_its_limit_and_no_measured_time(one_check: Callable[..., Results]) -> None:
    late = one_check(
        verdict="timeout",
        sentence="words timed out: no answer within 30 s.",
        ours={"timing": {"checks_s": {"words/case_is_folded": 0.0}}},
    )

    html = render_html([late])

    assert '<span class="seconds">limit 30 s</span>' in html
    assert "0 ms" not in html


def test_failing_tasks_come_first_and_passing_checks_are_folded(sample: Callable[[str], Results]) -> None:
    html = render_html([sample("every_verdict")])

    main = html.partition("</nav>")[2]
    assert main.index('id="s1-words"') < main.index('id="s1-on_word"')  # on_word passes
    assert '<details class="task-line" id="s1-on_word">' in html
    assert "<summary>2 checks that pass</summary>" in html  # of words


def test_tasks_not_written_are_one_line_each(sample: Callable[[str], Results]) -> None:
    page = Page(render_html([sample("starter")]))

    assert page.values("class").count("task-line") == len(read_report(sample("starter")).tasks)
    assert page.values("class").count("card task") == 0


def test_each_failing_task_has_a_command_to_paste(one_check: Callable[..., Results]) -> None:
    html = render_html([one_check(evidence={"hint": "Hint 1 of 3: ./lab hint lab01_wordcount/words"})])

    assert "<code>./lab check lab01_wordcount/words</code>" in html
    assert html.count("<code>./lab hint lab01_wordcount/words</code>") == 1


def test_the_summary_counts_out_of_the_points_of_the_lab_and_lists_what_is_not_included(
    one_check: Callable[..., Results],
) -> None:
    about = {"lab": 4, "manual": 2, "throughput": {}, "tasks_not_judged": 0}

    text = Page(render_html([one_check(ours={"points": about})])).text

    assert "0 of 4 points" in text
    assert "0 of 1 checks pass. Not included: manual grading (2 points)." in text


def test_the_use_of_a_reference_task_is_called_a_fallback(sample: Callable[[str], Results]) -> None:
    assert "Fallback to the reference solution" in Page(render_html([sample("every_verdict")])).text
