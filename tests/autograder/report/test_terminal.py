"""Verdicts on a terminal and in a pipe, with text that cannot be trusted."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from autograder.report import render_html
from autograder.report.terminal import print_overview, print_results

Results = dict[str, Any]
SAMPLES = Path(__file__).with_name("samples")


def _printed(results: Results, **settings: Any) -> str:
    page = io.StringIO()
    print_results(results, Console(file=page, **settings))
    return page.getvalue()


def test_a_pipe_gets_exactly_the_lines_of_the_sample(sample: Callable[[str], Results]) -> None:
    printed = _printed(sample("every_verdict"))

    assert printed == (SAMPLES / "every_verdict.txt").read_text(encoding="utf-8")


def test_a_pipe_gets_no_colour_boxes_or_wrapped_lines(one_check: Callable[..., Results]) -> None:
    printed = _printed(one_check(sentence="word " * 60), width=40)

    assert not set(printed) & set("\x1b╭│╰━●")
    assert ("word " * 60).strip() in printed


def test_a_bonus_task_alone_has_no_line_about_points_of_the_core(one_check: Callable[..., Results]) -> None:
    printed = _printed({**one_check(ours={"bonus": {"tasks": ["words"]}}), "max_score": 0})

    assert "0/0" not in printed
    assert "Bonus: 0 of 2 points" in printed


def test_a_terminal_gets_colour_and_a_table_of_totals(
    sample: Callable[[str], Results], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)

    printed = _printed(sample("every_verdict"), force_terminal=True, width=90, color_system="standard")

    assert "\x1b[32mpass" in printed
    assert "╭" in printed


def test_no_color_shows_verdicts_as_words_without_colour(
    sample: Callable[[str], Results], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    printed = _printed(sample("every_verdict"), force_terminal=True, width=90, color_system="standard")

    assert not any(f"\x1b[{start}{colour}m" in printed for start in ("", "1;") for colour in range(30, 38))
    assert all(verdict in printed for verdict in ("pass", "fail", "error", "timeout", "skipped", "inconclusive"))


@pytest.mark.parametrize("width", [40, 60, 90, 300])
def test_no_line_is_wider_than_the_terminal(width: int, sample: Callable[[str], Results]) -> None:
    printed = _printed(sample("every_verdict"), force_terminal=True, width=width, color_system=None)

    assert max(map(cell_len, printed.splitlines())) <= min(width, 100)


def test_a_command_to_copy_is_not_broken_over_lines(sample: Callable[[str], Results]) -> None:
    printed = _printed(sample("every_verdict"), force_terminal=True, width=80, color_system=None)

    assert "./lab hint lab01_wordcount/count_words\n" in printed


@pytest.mark.parametrize("title", ["plain words", "単語を数える", "naïve café", "🎈 counts"])
def test_points_are_aligned_in_one_column_for_letters_of_any_width(
    title: str, one_check: Callable[..., Results]
) -> None:
    line = next(line for line in _printed(one_check(title=title)).splitlines() if title in line)

    assert (cell_len(line), line[-9:]) == (78, "fail  0/2")


def test_a_throughput_check_shows_ratio_interval_threshold_pairs_and_both_rates(
    sample: Callable[[str], Results],
) -> None:
    printed = _printed(sample("full_marks"))

    assert "Ratio 1.48 (95 % interval 1.44 to 1.60), threshold 1.25, 9 pairs" in printed
    assert "yours 792 000 words/s, the baseline's 534 000 words/s" in printed


def test_a_throughput_check_is_drawn_on_a_terminal(sample: Callable[[str], Results]) -> None:
    printed = _printed(sample("full_marks"), force_terminal=True, width=100, color_system=None)

    assert "┃···━●━━━" in printed


def test_a_throughput_check_that_was_not_run_shows_no_figures(sample: Callable[[str], Results]) -> None:
    printed = _printed(sample("starter"))

    assert "Not measured: count_words gives wrong counts." in printed
    assert "Ratio" not in printed


def test_checks_that_are_not_graded_are_listed(one_check: Callable[..., Results]) -> None:
    spoilt = "words/case_is_folded: Spark does not come up"
    results = one_check(ours={"ungraded": [spoilt]}, verdict="inconclusive", points=0, max_points=0)

    assert f"Not graded: {spoilt}" in _printed(results)
    assert spoilt in render_html([results])
    assert "inconclusive  0/0" in _printed(results)


def test_verdicts_with_the_same_message_show_their_headlines_and_the_message_once(
    sample: Callable[[str], Results],
) -> None:
    lines = _printed(sample("starter")).splitlines()

    words = [line for line in lines if line.startswith("words · ")]
    at = lines.index(words[0])
    assert lines[at : at + len(words)] == words
    assert lines[at + len(words)].strip() == "words is not written yet."
    assert lines.count("  words is not written yet.") == 1


def test_the_total_counts_out_of_the_points_of_the_lab_and_lists_what_is_not_included(
    one_check: Callable[..., Results],
) -> None:
    about = {"lab": 40, "manual": 6, "throughput": {"words": 3}, "tasks_not_judged": 0, "spoilt": 29}

    last = _printed(one_check(ours={"points": about})).splitlines()[-1]

    assert last == (
        "0/40 points; 0 of 1 checks pass. Not included: throughput checks that were not run (3 points), "
        "29 points still to be judged, manual grading (6 points)."
    )


@pytest.mark.parametrize(("sandbox", "warned"), [("process", True), ("bubblewrap", False), ("container", False)])
def test_judging_without_isolation_is_a_warning(sandbox: str, warned: bool, one_check: Callable[..., Results]) -> None:
    assert ("No isolation" in _printed(one_check(ours={"sandbox": sandbox}))) is warned


@pytest.mark.parametrize("terminal", [True, False])
def test_no_text_of_a_submission_controls_the_terminal(terminal: bool, hostile_results: list[Results]) -> None:
    for results in hostile_results:
        printed = _printed(results, force_terminal=terminal, width=90, color_system=None)

        assert not any((ord(each) < 32 and each != "\n") or 127 <= ord(each) < 160 for each in printed)
        assert not set(printed) & set("\u202e\u2066\u200b\u2028\ufeff\ud800")
        assert len(printed) < 80_000


def test_brackets_are_not_interpreted_as_styles(one_check: Callable[..., Results]) -> None:
    assert "[red]a[/red] :boom:" in _printed(one_check(sentence="[red]a[/red] :boom:"), force_terminal=True, width=90)


def test_an_ascii_terminal_can_show_verdicts(sample: Callable[[str], Results]) -> None:
    page = io.TextIOWrapper(io.BytesIO(), encoding="ascii")

    for is_terminal in (True, False):
        print_results(sample("every_verdict"), Console(file=page, force_terminal=is_terminal, width=90))


def test_an_overview_has_one_line_per_submission(sample: Callable[[str], Results]) -> None:
    page = io.StringIO()

    print_overview([sample("every_verdict"), sample("full_marks")], Console(file=page))

    first, second = page.getvalue().splitlines()
    assert first.startswith("ada_lab01.ipynb · lab01_wordcount · no isolation ")
    assert first.endswith(" 11.5/28")
    assert second.startswith("lab01_wordcount.py · lab01_wordcount ")
    assert second.endswith(" 28/28")
