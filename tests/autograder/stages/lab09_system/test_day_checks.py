"""The checks of the day find a lost, a doubled and an undecided alert, and say which part of the day did not end."""

from typing import Any

import pytest

from autograder.stages.lab09_system.day import cases, checks, oracle

CASE: dict[str, Any] = {"day": "test", "parts": [["quiet", [0, 4, 50, 0.2, 5, 2]], ["broker", [4, 30, 10, 0.0, 0, 0]]]}


@pytest.fixture
def rows() -> dict[str, Any]:
    right = oracle.committed(CASE)
    undecided = [["UNDECIDED", "acc0001", "1700000010000", 900], ["CLEARED", "acc0001", "1700000010000", 900]]
    return {
        **right,
        "alerts": right["alerts"] + undecided,
        "drained": ["quiet", "broker"],
        "undecided": 1,
        "open": 0,
        "cache_looks": 1,
    }


def test_the_right_rows_of_a_day_pass(rows: dict[str, Any]) -> None:
    for check in (
        checks.no_alert_is_lost_and_none_comes_twice,
        checks.the_sum_of_every_window_is_right,
        checks.every_dead_letter_is_written_once,
        checks.the_lag_is_zero_after_each_fault,
        checks.undecided_windows_are_decided_later,
    ):
        assert check.judge(CASE, rows) is None


@pytest.mark.parametrize("place", ["alerts", "dead"])
def test_a_lost_row_and_a_doubled_row_fail(rows: dict[str, Any], place: str) -> None:
    of_alerts, of_dead = checks.no_alert_is_lost_and_none_comes_twice, checks.every_dead_letter_is_written_once
    judge = {"alerts": of_alerts, "dead": of_dead}[place].judge

    assert judge(CASE, {**rows, place: rows[place][1:]})
    assert judge(CASE, {**rows, place: [rows[place][0], *rows[place]]})


def test_a_lag_that_stays_names_its_part_and_the_tasks_that_the_day_runs(rows: dict[str, Any]) -> None:
    wrong = checks.the_lag_is_zero_after_each_fault.judge(CASE, {**rows, "drained": ["quiet"], "problem": "no lag"})

    assert wrong
    assert '"broker"' in wrong.sentence
    assert {"Desk", "repair"} < set(wrong.also_runs)


def test_a_wrong_job_of_four_files_blames_no_other_task() -> None:
    job = cases.job_and_day("public")[0]

    wrong = checks.the_sum_of_every_window_is_right.judge(job, {"returned": "None"})

    assert wrong
    assert not wrong.also_runs
    assert wrong.sentence.startswith("Not judged until `start_job` passes the four files")


@pytest.mark.parametrize("numbers", [{"undecided": 0}, {"open": 1}, {"undecided": None}, {"cache_looks": 0}])
def test_windows_must_be_undecided_and_then_decided(rows: dict[str, Any], numbers: dict[str, Any]) -> None:
    assert checks.undecided_windows_are_decided_later.judge(CASE, rows | numbers)


def test_a_day_holds_enough_of_each_kind() -> None:
    right = oracle.committed(cases.job_and_day("public")[1])

    assert len(right["alerts"]) >= 500
    assert {row[0] for row in right["alerts"]} == {"AWAY", "SPENT"}
    assert {row[0] for row in right["dead"]} == {"ahead", "unreadable"}
