"""Whatever a notebook holds, each of its checks gets a verdict, and what is right keeps its points."""

import json
from pathlib import Path
from typing import Any

import pytest

from autograder.course import Course
from autograder.judge import judge_files
from autograder.judge.judging import Request

RIGHT = {"double": "def double(x):\n    return 2 * x", "triple": "def triple(x):\n    return 3 * x"}


def notebook(folder: Path, *sources: str, name: str = "lab99_tiny.ipynb", roles: bool = True) -> Path:
    cells = []
    for source in sources:
        task = next((t for t in RIGHT if source.startswith(f"def {t}(")), None)
        about = {"streamlab": {"role": "task", "name": task}} if task and roles else {}
        cells.append({"cell_type": "code", "metadata": about, "source": source})
    path = folder / name
    about = {"streamlab": {"lab": "lab99_tiny", "release": "1"}}
    path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": about, "cells": cells}))
    return path


class Kit:
    """The tiny kit, judging."""

    def __init__(self, root: Path, course: Course, level: str) -> None:
        self.root, self.request = root, Request(root, course, sandbox=level)

    def judge(self, *sources: str, **kind: Any) -> dict[str, Any]:
        return judge_files([notebook(self.root, *sources, **kind)], self.request)[0]


@pytest.fixture
def kit(tiny_root: Path, tiny_course: Course, level: str) -> Kit:
    return Kit(tiny_root, tiny_course, level)


def verdicts(results: dict[str, Any]) -> dict[str, str]:
    return {check["task"]: check["verdict"] for check in results["streamlab"]["checks"]}


def sentence(results: dict[str, Any], task: str) -> str:
    return next(check["sentence"] for check in results["streamlab"]["checks"] if check["task"] == task)


def test_right_work_gets_all_points(kit: Kit) -> None:
    results = kit.judge(*RIGHT.values())

    assert (results["score"], results["max_score"]) == (4, 4)


@pytest.mark.parametrize(
    "sources",
    [
        [RIGHT["triple"], RIGHT["double"]],
        ["\n\n".join(RIGHT.values())],
        ["def double(x):\n    return 0", *RIGHT.values()],
        [*RIGHT.values(), *RIGHT.values()],
        ["%matplotlib inline", "!ls", "display(1)", *RIGHT.values()],
        ["1 / 0", *RIGHT.values()],
        ["input('your name? ')", *RIGHT.values()],
        ["import sys; sys.exit(0)", *RIGHT.values()],
        [source.replace("\n", "\r\n") for source in RIGHT.values()],
    ],
    ids=["moved", "joined", "redefined", "duplicated", "magics", "an error", "input", "exit", "windows"],
)
def test_cells_in_any_order_or_form_cost_nothing(kit: Kit, sources: list[str]) -> None:
    assert kit.judge(*sources)["score"] == 4


def test_cells_that_lost_their_metadata_cost_nothing(kit: Kit) -> None:
    assert kit.judge(*RIGHT.values(), roles=False)["score"] == 4


def test_a_wrong_answer_costs_its_own_points_and_shows_the_smallest_case(kit: Kit) -> None:
    results = kit.judge("def double(x):\n    return x * x + 1", RIGHT["triple"])

    assert verdicts(results) == {"double": "fail", "triple": "pass"}
    check = results["streamlab"]["checks"][0]
    assert check["evidence"]["smallest_case"] == "number = 2"
    assert check["sentence"] == "Expected the result to be 4; yours is 5."


@pytest.mark.parametrize(
    ("source", "verdict", "said"),
    [
        ("def double(x):\n    raise NotImplementedError('double: …')", "skipped", "not written yet"),
        ("def other(x):\n    return 1", "error", "no cell of the notebook defines it"),
        ("def double(x):\n    return x.nothing", "error", "line 2"),
        ("def double(x:\n    return 2", "error", "SyntaxError"),
        ("def double(x):\n    return {1, 2}", "error", "TypeError"),
        ("def double(x):\n    return float('nan')", "error", "ValueError"),
        ("def double(x):\n    while True: pass", "timeout", "no answer within 2 s"),
        ("import os\ndef double(x):\n    os._exit(0)", "error", "ended by itself"),
        ("import os\ndef double(x):\n    os.kill(os.getpid(), 9)", "error", "SIGKILL"),
        ("def double(x):\n    return 'x' * 3_000_000", "error", "limit"),
        ("def double(x):\n    for _ in range(40): print('x' * 100_000)\n    return 2 * x", "error", "printed over"),
        (
            "def double(x):\n    held = [b'x' * (50_000_000 + n) for n in range(30)]\n    while held: pass",
            "error",
            "memory",
        ),
        ("import time, signal\nsignal.signal(15, signal.SIG_IGN)\ndef double(x):\n    time.sleep(60)", "timeout", ""),
    ],
)
def test_a_task_that_misbehaves_gets_its_verdict_and_the_other_task_keeps_its_own(
    kit: Kit, source: str, verdict: str, said: str
) -> None:
    results = kit.judge(source, RIGHT["triple"])

    assert verdicts(results) == {"double": verdict, "triple": "pass"}
    assert said in sentence(results, "double")


def test_a_cell_that_hangs_on_loading_is_left_out_and_named(kit: Kit) -> None:
    results = kit.judge("while True: pass", *RIGHT.values())

    assert results["score"] == 4
    assert any("while True" in note and "left out" in note for note in results["streamlab"]["notes"])


def test_a_file_that_is_no_notebook_gets_results_of_its_own_and_the_batch_goes_on(kit: Kit) -> None:
    (kit.root / "bad").mkdir()
    bad = kit.root / "bad" / "lab99_tiny.ipynb"
    bad.write_text("not json")
    good = notebook(kit.root, *RIGHT.values())

    results = judge_files([bad, good, bad], kit.request)

    assert [each["score"] for each in results] == [0, 4, 0]
    assert "not JSON" in results[0]["streamlab"]["notes"][0]


def test_equal_inputs_give_equal_bytes_but_for_timing(kit: Kit) -> None:
    runs = [kit.judge("def double(x):\n    return 1", RIGHT["triple"]) for _ in range(2)]
    for run in runs:
        run["streamlab"].pop("timing")

    assert json.dumps(runs[0]) == json.dumps(runs[1])
