"""A job that recovers: its oracle, its checks on handmade rows, and the stub of its drive."""

from types import SimpleNamespace
from typing import Any

import pytest

from autograder.checks import load_stage
from autograder.stages.lab02_windows.recovery import oracle
from autograder.stages.lab02_windows.recovery.drive import FIRST_TOTAL, totals_from
from autograder.stages.lab02_windows.windows.oracle import running_totals
from tests.autograder.stages.lab02_windows.driven import LAB

STAGE = load_stage(LAB)
CHECKS = {check.name: check for check in STAGE.checks}
CASE = {"files": [["a b"], ["a"]], "kill_after_files": None}


def test_words_in_files_are_separated_by_white_space() -> None:
    assert oracle.words_of_files([["to be,  or"], [], ["", "to Be"]]) == {"to": 2, "be,": 1, "or": 1, "Be": 1}


@pytest.mark.parametrize(
    ("totals", "right"),
    [
        ({"a": 2, "b": 1}, True),
        ({"a": FIRST_TOTAL + 2, "b": FIRST_TOTAL + 1}, True),  # of a job that calls the stub of running_counts
        ({"a": 1, "b": 1}, False),
        ({"a": FIRST_TOTAL + 1, "b": FIRST_TOTAL + 1}, False),
        ({"a": 2}, False),
        (None, False),
        ([["a", 2], ["b", 1]], False),
    ],
)
def test_totals_are_right_with_and_without_the_first_total_of_the_stub(totals: Any, right: bool) -> None:
    rows = {"totals": totals, "restarts": 0, "files_of_totals": 2}

    assert (CHECKS["totals_cover_the_words_of_all_files"].judge(CASE, rows) is None) == right


def test_fewer_files_of_totals_than_batches_with_lines_fail_the_check() -> None:
    check = CHECKS["every_batch_writes_its_own_file_of_totals"]
    judged = [check.judge(CASE, {"totals": {}, "restarts": 0, "files_of_totals": number}) for number in (1, 2)]

    assert [mismatch is None for mismatch in judged] == [False, True]


@pytest.mark.parametrize("check", STAGE.of_task("running_counts"), ids=lambda check: check.name)
def test_the_stub_of_running_counts_passes_no_check(check: Any) -> None:
    update = totals_from(FIRST_TOTAL)(SimpleNamespace(updateStateByKey=lambda function: function))
    first = update([], None)

    def rows(case: dict[str, Any]) -> dict[str, Any]:
        answers = running_totals(case["batches"])
        return {"slides": [{"rows": [[key, first + total] for key, total in each.items()]} for each in answers]}

    assert any(check.judge(case, rows(case)) for case in check.cases("a seed of this test"))
