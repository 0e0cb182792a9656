"""The checks of Lab 3 on rows made by the oracles: right rows pass, and rows of a wrong form are no error."""

import hashlib
from pathlib import Path
from typing import Any

import pytest

from autograder.checks import Check
from autograder.checks.agreement import agree
from autograder.checks.teaching import invariants
from autograder.course import load_course
from autograder.stages.lab03_log import oracle_log
from streamlab.wire.batches import at_offset, batch_of
from tests.autograder.stages.lab03_log.rows_by_hand import CHECKS, LAB, RIGHT, STAGE

ROOT = Path(oracle_log.__file__).resolve().parents[3]
SEEDS = ["public", "another", "a third"]


def test_course_gives_points_to_just_these_checks() -> None:
    labs = load_course(ROOT).labs
    if LAB not in labs:
        pytest.skip(f"{LAB} is not in course.yml yet")
    agree(LAB, labs[LAB], STAGE)


def test_every_check_names_one_of_the_invariants_and_every_invariant_has_a_check() -> None:
    assert {check.invariant for check in STAGE.checks} == set(invariants(LAB))


def test_no_two_checks_have_one_name() -> None:
    assert len(CHECKS) == len(STAGE.checks)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("check", STAGE.checks, ids=lambda each: each.name)
def test_right_rows_pass(check: Check, seed: str) -> None:
    for case in check.cases(seed):
        assert check.judge(case, RIGHT[check.task](case)) is None, case


@pytest.mark.parametrize("check", STAGE.checks, ids=lambda each: each.name)
def test_rows_that_name_another_type_than_was_promised_fail(check: Check) -> None:
    judged = [check.judge(case, {"returned": "<NoneType>"}) for case in check.cases("public")]

    assert all(judged)


@pytest.mark.parametrize("check", STAGE.checks, ids=lambda each: each.name)
def test_rows_of_a_task_that_refuses_everything_with_another_error_fail(check: Check) -> None:
    judged = [check.judge(case, {"rejected": "NotImplementedError"}) for case in check.cases("public")]

    assert all(judged)


# Wrong forms: each field of right rows in turn holds something odd

ODD: list[Any] = [None, 7, "text", True, [None], [["a"]], [["a", "b"]], {}, {"a": 1}, [[["a"], 1, 2, 3]], [{"a": []}]]


@pytest.mark.parametrize("check", STAGE.checks, ids=lambda each: each.name)
@pytest.mark.parametrize("odd", ODD)
def test_fields_of_a_wrong_form_are_no_error(check: Check, odd: Any) -> None:
    for case in check.cases("public")[:4]:
        rows = RIGHT[check.task](case)
        for name in rows:
            check.judge(case, {**rows, name: odd})


@pytest.mark.parametrize("odd", ODD)
def test_answers_of_a_log_of_a_wrong_form_are_a_mismatch_and_no_error(odd: Any) -> None:
    for name in ("the_index_finds_an_offset_without_a_scan", "reading_outside_the_log_says_where_it_begins_and_ends"):
        for case in CHECKS[name].cases("public")[:3]:
            right = RIGHT["PartitionLog"](case)["answers"]
            for at in range(len(right)):
                rows = {"answers": [*right[:at], odd, *right[at + 1 :]]}
                assert CHECKS[name].judge(case, rows), (case["script"][at], odd)
                for field in right[at]:
                    CHECKS[name].judge(case, {"answers": [*right[:at], {**right[at], field: odd}, *right[at + 1 :]]})


# The throughput check


def _turn() -> tuple[bytes, dict[str, Any]]:
    batches = [batch_of([(None, b"a"), (None, b"b")]), batch_of([(None, b"c")])]
    digest = hashlib.sha256(at_offset(batches[0], 0) + at_offset(batches[1], 2)).hexdigest()
    return b"".join(batches), {"end_offset": 3, "segments": 1, "digest": digest}


def test_race_accepts_batches_at_their_offsets() -> None:
    content, rows = _turn()

    assert STAGE.throughput_checks[0].judge(content, rows) is None


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ({"end_offset": 2}, "Expected end_offset after all batches to be 3; yours is 2."),
        ({"digest": "00"}, 'the bytes of yours have the SHA-256 "00".'),
        ({"digest": None}, "the bytes of yours have the SHA-256 None."),
    ],
)
def test_race_is_lost_by_one_wrong_byte(wrong: dict[str, Any], expected: str) -> None:
    content, rows = _turn()

    mismatch = STAGE.throughput_checks[0].judge(content, {**rows, **wrong})

    assert mismatch is not None
    assert mismatch.sentence.endswith(expected)
