"""Task changes: the tasks that changed between two saves of a notebook, and the news in its verdicts."""

from pathlib import Path
from typing import Any

import pytest

from autograder.cli.task_changes import News, merged, news, task_digests

SOURCE = """# %% role="given" name="setup"
LIMIT = 3

# %%
%%time
%matplotlib inline
def helper(n):
    return n + LIMIT

# %% task="double"
%%time
def double(n):
    return helper(n)

# %% task="triple"
def triple(n):
    return 3 * n

# %% role="show" name="look"
print(triple(2))
"""
TASKS = ("double", "triple")


def _changed(tmp_path: Path, old: str, new: str) -> set[str]:
    notebook = tmp_path / "lab.py"
    notebook.write_text(SOURCE)
    before = task_digests(notebook, TASKS)
    assert old in SOURCE
    notebook.write_text(SOURCE.replace(old, new))
    after = task_digests(notebook, TASKS)
    return {task for task in TASKS if before[task] != after[task]}


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("return 3 * n", "return n * 3", {"triple"}),
        ("return n + LIMIT", "return LIMIT + n", {"double"}),  # a cell that the learner added, and that double uses
        ("LIMIT = 3", "LIMIT = 4", {"double"}),  # used by the helper that double uses
        ("print(triple(2))", "print(triple(3))", set()),  # only shows
        ("return 3 * n", "return 3 *", {"triple"}),  # half typed: its own task and no other
        ("def triple(n)", "def triple(n, n)", {"triple"}),  # not valid, although it can be parsed
        ("return n + LIMIT", "%timeit LIMIT\n    return n + LIMIT", {"double"}),
        ("return n + LIMIT", "return n +", {"double"}),  # the helper is gone for now
    ],
)
def test_a_task_changes_with_its_cell_and_the_cells_that_it_uses(
    old: str, new: str, changed: set[str], tmp_path: Path
) -> None:
    assert _changed(tmp_path, old, new) == changed


def _results(digest: str = "now", **verdicts: str) -> dict[str, Any]:
    task_of = {"a": "double", "b": "double", "c": "triple"}
    points = {"a": 1.0, "b": 1.0, "c": 2.0}
    checks = [{"task": task_of[n], "check": n, "title": f"claim {n}", "verdict": v} for n, v in verdicts.items()]
    tests = [
        {"name": f"lab/{task_of[n]}/{n}", "score": points[n] * (v == "pass"), "max_score": points[n]}
        for n, v in verdicts.items()
    ]
    details: dict[str, Any] = {"checks": checks, "throughput": [], "notes": [], "fallbacks": [], "timing": {}}
    details["digests"] = {"notebook": "", "earlier": {}, "tasks": {each["task"]: digest for each in checks}}
    totals = {"score": sum(t["score"] for t in tests), "max_score": sum(t["max_score"] for t in tests)}
    return {**totals, "tests": tests, "streamlab": {**details, "limits_hit": [], "ungraded": []}}


def test_new_results_of_a_task_replace_its_old_ones() -> None:
    results = merged(_results(a="fail", b="pass", c="pass"), _results(a="pass", b="pass"))

    assert (results["score"], results["max_score"]) == (4, 4)
    assert [test["name"] for test in results["tests"]] == ["lab/double/a", "lab/double/b", "lab/triple/c"]
    assert [each["verdict"] for each in results["streamlab"]["checks"]] == ["pass", "pass", "pass"]


def test_a_task_keeps_the_digest_with_which_it_was_judged() -> None:
    results = merged(_results("then", a="fail", c="pass"), _results("now", a="pass"))

    assert results["streamlab"]["digests"]["tasks"] == {"double": "now", "triple": "then"}


def test_limits_hit_by_a_task_that_was_judged_again_are_removed_and_those_of_others_stay() -> None:
    before = _results(a="timeout", c="timeout")
    before["streamlab"]["limits_hit"] = ["double: no answer within 30 s", "triple: no answer within 30 s"]

    results = merged(before, _results(a="pass"))

    assert results["streamlab"]["limits_hit"] == ["triple: no answer within 30 s"]


def test_news_are_the_checks_that_changed_sides() -> None:
    found = news(_results(a="skipped", b="pass", c="pass"), _results(a="pass", b="error", c="pass"))

    assert found == News(passing=[("double", "claim a")], failing=[("double", "claim b")])


def test_another_kind_of_failure_is_not_news() -> None:
    assert news(_results(a="fail"), _results(a="timeout")) == News()
