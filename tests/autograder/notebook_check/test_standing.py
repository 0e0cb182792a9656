"""A learner's progress is the newest verdict on each check; unreadable files do not count."""

import json
import os
from pathlib import Path

import pytest

from autograder.course.model import Lab
from autograder.notebook_check.standing import (
    CHECKED,
    RESULTS,
    Standing,
    TaskVerdicts,
    newest_verdicts,
    next_task,
    standing_in,
)

LAB = Lab.model_validate(
    {
        "title": "Sums",
        "minutes": 30,
        "points": 12,
        "tasks": {
            "sliding": {
                "checks": {"right": 2, "empty": 1},
                "throughput": {"baseline": "plain", "threshold": 2, "points": 3},
            },
            "near": {"checks": {"edge": 1, "far": 1}},
        },
        "written": {"why": 4},
    }
)
NOTHING = Standing(0, 12, 0, 4, False)


def _judged(folder: Path, verdicts: dict[str, str], at_s: float = 1_000.0, throughput: float = 0.0) -> None:
    checks = [dict(zip(("task", "check"), name.split("/"), strict=True), verdict=v) for name, v in verdicts.items()]
    measured = [{"task": "sliding", "points": throughput}] if throughput else []
    (folder / RESULTS).write_text(json.dumps({"streamlab": {"checks": checks, "throughput": measured}}))
    os.utime(folder / RESULTS, (at_s, at_s))


def _checked(folder: Path, found: object, at_s: float = 1_000.0) -> None:
    (folder / CHECKED).write_text(json.dumps(found))
    os.utime(folder / CHECKED, (at_s, at_s))


def test_checks_in_the_notebook_count(tmp_path: Path) -> None:
    _checked(tmp_path, {"sliding": {"right": "pass", "empty": "fail"}, "near": {"edge": "pass"}})

    assert standing_in(tmp_path, LAB) == Standing(3, 12, 2, 4, True)


@pytest.mark.parametrize(("checked_at_s", "points"), [(2_000.0, 1), (500.0, 3)])
def test_the_newer_file_decides_on_a_task_that_is_in_both(checked_at_s: float, points: float, tmp_path: Path) -> None:
    _judged(tmp_path, {"sliding/right": "pass", "sliding/empty": "fail", "near/edge": "pass"})
    _checked(tmp_path, {"sliding": {"right": "fail", "empty": "fail"}}, checked_at_s)

    assert standing_in(tmp_path, LAB).points == points


@pytest.mark.parametrize(("checked_at_s", "digest"), [(2_000.0, "live"), (500.0, "judged")])
def test_the_digest_of_a_cell_is_that_of_its_newest_verdicts(checked_at_s: float, digest: str, tmp_path: Path) -> None:
    checks = [{"task": "near", "check": "edge", "verdict": "pass"}]
    judged = {"streamlab": {"checks": checks, "digests": {"tasks": {"near": "judged"}}}}
    (tmp_path / RESULTS).write_text(json.dumps(judged))
    os.utime(tmp_path / RESULTS, (1_000.0, 1_000.0))
    _checked(tmp_path, {"near": {"edge": "pass", "cell": "live"}}, checked_at_s)

    assert newest_verdicts(tmp_path) == {"near": TaskVerdicts({"edge"}, digest, set())}


def test_a_task_that_only_waits_for_an_earlier_lab_comes_after_the_others(tmp_path: Path) -> None:
    _checked(tmp_path, {"sliding": {"right": "pass", "empty": "skipped"}})
    assert next_task(tmp_path, LAB) == "near"

    _checked(tmp_path, {"sliding": {"right": "pass", "empty": "skipped"}, "near": {"edge": "pass", "far": "pass"}})
    assert next_task(tmp_path, LAB) == "sliding"


@pytest.mark.parametrize("damaged", ["[]", "3", '{"tasks": 3}', '{"tasks": {"near": [3]}}'])
def test_verdicts_without_a_readable_digest_count_all_the_same(damaged: str, tmp_path: Path) -> None:
    checks = '[{"task": "near", "check": "edge", "verdict": "pass"}]'
    (tmp_path / RESULTS).write_text(f'{{"streamlab": {{"checks": {checks}, "digests": {damaged}}}}}')

    assert standing_in(tmp_path, LAB).passed == 1


def test_points_of_throughput_checks_come_from_the_judge_and_never_exceed_the_maximum(tmp_path: Path) -> None:
    _judged(tmp_path, {"sliding/right": "pass"}, throughput=1.5)
    assert standing_in(tmp_path, LAB).points == 3.5

    _judged(tmp_path, {"sliding/right": "pass"}, throughput=99)
    assert standing_in(tmp_path, LAB).points == 5


def test_a_check_that_is_not_in_the_lab_does_not_count(tmp_path: Path) -> None:
    _checked(tmp_path, {"sliding": {"older": "pass"}, "gone": {"right": "pass"}})

    assert standing_in(tmp_path, LAB) == Standing(0, 12, 0, 4, True)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff\xfe", b"[]", b"null", b"[" * 100_000, b'{"sliding": 3}', b'{"sliding": {"right": ["pass"]}}'],
)
def test_files_that_cannot_be_read_count_as_not_passed(content: bytes, tmp_path: Path) -> None:
    for name in (RESULTS, CHECKED):
        (tmp_path / name).write_bytes(content)

    assert standing_in(tmp_path, LAB).passed == 0


@pytest.mark.parametrize(
    "content",
    [
        "[]",
        "3",
        "null",
        '"pass"',
        "NaN",
        "[" * 100_000,
        '{"a":' * 100_000,
        '{"sliding": [1]}',
        '{"sliding": {"x": []}}',
    ],
    ids=lambda content: content[:20],
)
def test_a_checked_json_without_a_verdict_counts_as_not_checked(content: str, tmp_path: Path) -> None:
    (tmp_path / CHECKED).write_text(content)

    assert standing_in(tmp_path, LAB) == NOTHING


@pytest.mark.parametrize(
    ("points", "counted"),
    [("1" + "0" * 400, 3), ("-1" + "0" * 400, 0), ("NaN", 0), ("1e999", 3), ("true", 0), ('"3"', 0), ("[3]", 0)],
    ids=lambda value: str(value)[:6],
)
def test_points_of_a_throughput_check_that_no_judge_writes_stay_between_0_and_the_maximum(
    points: str, counted: float, tmp_path: Path
) -> None:
    (tmp_path / RESULTS).write_text(f'{{"streamlab": {{"throughput": [{{"task": "sliding", "points": {points}}}]}}}}')

    assert standing_in(tmp_path, LAB).points == counted


def test_an_empty_folder_is_not_checked(tmp_path: Path) -> None:
    assert standing_in(tmp_path, LAB) == NOTHING


def test_a_lab_is_complete_when_all_checks_pass_without_throughput_and_questions(tmp_path: Path) -> None:
    _checked(tmp_path, {"sliding": {"right": "pass", "empty": "pass"}, "near": {"edge": "pass", "far": "pass"}})

    assert standing_in(tmp_path, LAB).is_complete
