"""`./lab watch` judges everything once, then the tasks that changed, and reports what is new."""

from pathlib import Path
from typing import Any

import pytest

from autograder.cli import learner
from autograder.cli.context import ROOT, course
from autograder.cli.watch import WatchedWork
from autograder.judge import judge_files
from autograder.judge.request import Request

LAB = "lab01_wordcount"
SOURCE = """# %% task="words"
def words(line):
    return line.split()

# %% task="count_words"
def count_words(lines):
    return lines.flatMap(words)

# %% task="deliver"
def deliver():
    return 1
"""


class FakeJudge:
    """A test double that records the tasks it is asked to judge; checks of the tasks in `right` pass."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, ...]] = []
        self.right: set[str] = set()
        self.details: dict[str, Any] = {}  # of the whole file

    def __call__(self, tasks: tuple[str, ...]) -> dict[str, Any]:
        self.asked.append(tasks)
        lab = course().labs[LAB]
        names = [(task, check) for task in tasks or lab.tasks for check in lab.tasks[task].checks]
        checks = [
            {
                "task": task,
                "check": check,
                "title": check.replace("_", " "),
                "verdict": "pass" if task in self.right else "fail",
                "points": 1.0 * (task in self.right),
                "max_points": 1.0,
                "sentence": f"{task} is wrong.",
            }
            for task, check in names
        ]
        tests = [{"name": f"{LAB}/{t}/{c}", "score": 1.0 * (t in self.right), "max_score": 1.0} for t, c in names]
        empty: dict[str, Any] = {"throughput": [], "notes": [], "fallbacks": [], "limits_hit": [], "ungraded": []}
        empty["digests"] = {"tasks": {}}
        score = sum(test["score"] for test in tests)
        details = {"lab": LAB, "checks": checks, "timing": {}, "points": {"lab": 40}, **empty, **self.details}
        return {"score": score, "max_score": len(tests), "tests": tests, "streamlab": details}


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[WatchedWork, FakeJudge, Path]:
    """A watched notebook that was judged once, its judge, and its file."""
    monkeypatch.setattr(learner, "WORK", tmp_path)
    notebook = tmp_path / LAB / f"{LAB}.py"
    notebook.parent.mkdir()
    notebook.write_text(SOURCE)
    judge = FakeJudge()
    work = WatchedWork(LAB, notebook, judge)
    work.judge_changes()
    return work, judge, notebook


def test_the_first_look_judges_everything_and_later_ones_judge_the_changed_task_and_those_that_use_it(
    watched: Any,
) -> None:
    work, judge, notebook = watched

    notebook.write_text(SOURCE.replace("line.split()", "line.lower().split()"))
    work.judge_changes()
    notebook.write_text(SOURCE.replace("line.split()", "line.lower().split()").replace("return 1", "return 2"))
    work.judge_changes()

    assert judge.asked == [(), ("words", "count_words"), ("deliver",)]


def test_a_save_that_changes_no_task_judges_nothing(watched: Any, capsys: pytest.CaptureFixture[str]) -> None:
    work, judge, notebook = watched

    notebook.write_text(SOURCE + "\n# %% [markdown]\n# A note.\n")
    work.judge_changes()

    assert judge.asked == [()]
    assert "no task changed" in capsys.readouterr().out


def test_newly_passing_and_newly_failing_checks_are_shown(watched: Any, capsys: pytest.CaptureFixture[str]) -> None:
    work, judge, notebook = watched
    judge.right = {"deliver"}
    notebook.write_text(SOURCE.replace("return 1", "return 2"))
    work.judge_changes()
    passing = capsys.readouterr().out
    judge.right = set()
    notebook.write_text(SOURCE.replace("return 1", "return 3"))
    work.judge_changes()

    assert "newly passing: deliver · messages leave in order of arrival" in passing
    assert "9/40 points, 9 of 31 checks pass" in passing
    assert "newly failing: deliver · messages leave in order of arrival" in capsys.readouterr().out


def test_an_incomplete_file_is_reported_and_the_next_save_is_judged(
    watched: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    work, judge, notebook = watched
    notebook.write_text("")
    work.judge_changes()
    notebook.write_text(SOURCE)
    work.judge_changes()

    assert "the file is empty" in capsys.readouterr().out
    assert judge.asked == [()]


REJECTED = {"judge_failed": False}  # a half-written file, or outputs of more than 500,000 parts
FAILED = {"judge_failed": True}


@pytest.mark.parametrize("reason", [REJECTED, FAILED], ids=["rejected file", "fault of the judge"])
def test_the_next_save_after_a_rejection_judges_everything_even_if_no_task_changed(
    watched: Any, reason: dict[str, bool], capsys: pytest.CaptureFixture[str]
) -> None:
    work, judge, notebook = watched
    judge.details = reason
    notebook.write_text(SOURCE.replace("return 1", "return 2"))
    work.judge_changes()
    judge.details = {}
    work.judge_changes()
    work.judge_changes()

    assert judge.asked == [(), ("deliver",), ()]
    assert capsys.readouterr().out.count("no task changed") == 1


def test_the_first_save_after_a_start_with_a_rejected_file_judges_everything(watched: Any) -> None:
    _, judge, notebook = watched
    work = WatchedWork(LAB, notebook, judge)
    judge.details = REJECTED
    work.judge_changes()
    judge.details = {}
    work.judge_changes()

    assert judge.asked == [(), (), ()]


def test_an_ungraded_task_is_judged_at_the_next_save(watched: Any) -> None:
    work, judge, notebook = watched
    judge.details = {"ungraded": ["deliver/messages_leave_in_order_of_arrival: The machine was too slow."]}
    notebook.write_text(SOURCE.replace("line.split()", "line.lower().split()").replace("return 1", "return 2"))
    work.judge_changes()
    judge.details = {}
    for _ in range(2):
        work.judge_changes()

    assert judge.asked == [(), ("words", "count_words", "deliver"), ("deliver",)]


def test_the_judge_marks_the_results_of_a_rejected_file(tmp_path: Path) -> None:
    notebook = tmp_path / f"{LAB}.ipynb"
    notebook.write_text('{"cells": [')

    results = judge_files([notebook], Request(ROOT, course(), LAB, throughput=False, sandbox="process"))

    assert results[0]["streamlab"]["judge_failed"] is False


def test_the_report_of_the_whole_lab_is_kept_up_to_date(watched: Any, tmp_path: Path) -> None:
    work, judge, notebook = watched
    judge.right = {"deliver"}
    notebook.write_text(SOURCE.replace("return 1", "return 2"))
    work.judge_changes()

    assert "9 of 31 checks pass" in (tmp_path / "report.html").read_text()
