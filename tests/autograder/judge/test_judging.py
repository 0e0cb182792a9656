"""Each check of any notebook gets a verdict, and right work keeps its points."""

import json
import os
import sys
from pathlib import Path

import pytest

from autograder.judge import judge_files
from autograder.sandbox import SandboxUnavailable, levels
from tests.autograder.judge.tiny_kit import RIGHT, Kit, notebook, sentence, verdicts

# The attacks try hostile notebooks in a container (`./lab verify --attacks --sandbox container`).
pytestmark = pytest.mark.parametrize("level", ["bubblewrap", "process"], indirect=True)


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
        [
            "import asyncio\nfactor = await asyncio.sleep(0, 2)",
            "def double(x):\n    return factor * x",
            RIGHT["triple"],
        ],
        ["%%time\n" + RIGHT["double"], "%timeit -n 10 -r 3 double(2)\n" + RIGHT["triple"]],
        ["import asyncio\nraise asyncio.CancelledError", *RIGHT.values()],
        ["1 / 0", *RIGHT.values()],
        ["input('your name? ')", *RIGHT.values()],
        ["import sys; sys.exit(0)", *RIGHT.values()],
        [source.replace("\n", "\r\n") for source in RIGHT.values()],
    ],
    ids=[
        "moved",
        "joined",
        "redefined",
        "duplicated",
        "magics",
        "await",
        "timed",
        "cancelled",
        "an error",
        "input",
        "exit",
        "windows",
    ],
)
def test_cells_in_any_order_or_form_cost_nothing(kit: Kit, sources: list[str]) -> None:
    assert kit.judge(*sources)["score"] == 4


def test_cells_without_metadata_cost_nothing(kit: Kit) -> None:
    assert kit.judge(*RIGHT.values(), roles=False)["score"] == 4


def test_a_wrong_answer_costs_its_own_points_and_shows_the_smallest_case(kit: Kit) -> None:
    results = kit.judge("def double(x):\n    return x * x + 1", RIGHT["triple"])

    assert verdicts(results) == {"double": "fail", "triple": "pass"}
    check = results["streamlab"]["checks"][0]
    assert check["evidence"]["smallest_case"] == "number = 2"
    assert check["sentence"] == "Expected the result to be 4; yours is 5."


@pytest.mark.parametrize(
    ("source", "verdict", "message"),
    [
        ("def double(x):\n    raise NotImplementedError('double: …')", "skipped", "not written yet"),
        ("def other(x):\n    return 1", "error", "its cell is missing, was not run, or ended with an error"),
        ("def double(x):\n    return x.nothing", "error", "line 2"),
        ("def double(x:\n    return 2", "error", "SyntaxError"),
        ("def double(x):\n    return {1, 2}", "error", "TypeError"),
        ("def double(x):\n    return float('nan')", "error", "cannot be written as JSON"),
        ("import os\ndef double(x):\n    os._exit(0)", "error", "ended by itself"),
        ("import os\ndef double(x):\n    os.kill(os.getpid(), 9)", "error", "SIGKILL"),
        ("def double(x):\n    return 'x' * 3_000_000", "error", "limit"),
        ("def double(x):\n    for _ in range(40): print('x' * 100_000)\n    return 2 * x", "error", "printed over"),
        (
            "def double(x):\n    held = [b'x' * (50_000_000 + n) for n in range(30)]\n    while held: pass",
            "error",
            "memory",
        ),
    ],
)
def test_a_task_that_misbehaves_gets_its_verdict_and_the_other_task_keeps_its_own(
    kit: Kit, source: str, verdict: str, message: str
) -> None:
    results = kit.judge(source, RIGHT["triple"])

    assert verdicts(results) == {"double": verdict, "triple": "pass"}
    assert message in sentence(results, "double")


@pytest.mark.parametrize(
    "source",
    [
        "def double(x):\n    while True: pass",
        "import time, signal\nsignal.signal(15, signal.SIG_IGN)\ndef double(x):\n    time.sleep(60)",
    ],
)
def test_a_task_that_hangs_is_ended_and_the_other_task_keeps_its_verdict(kit: Kit, source: str) -> None:
    results = kit.with_limits(case_s=2).judge(source, RIGHT["triple"])

    assert verdicts(results) == {"double": "timeout", "triple": "pass"}
    assert "no answer within 2 s" in sentence(results, "double")


@pytest.mark.slow
def test_a_slow_task_does_not_use_up_the_time_of_another_task(kit: Kit) -> None:
    slow = "import time\ndef double(x):\n    time.sleep(9)\n    return 2 * x"

    results = kit.with_limits(wall_s=30, case_s=15).judge(slow, RIGHT["triple"])

    assert verdicts(results) == {"double": "timeout", "triple": "pass"}
    assert "its share of the time" in sentence(results, "double")


@pytest.mark.parametrize("answer", ["'\\ud800'", "['\\udfff']", "10 ** 4000", "{'\\ud800': 1}"])
def test_results_can_always_be_written(kit: Kit, answer: str) -> None:
    results = kit.judge(f"def double(x):\n    return {answer}", RIGHT["triple"])

    assert verdicts(results)["double"] in ("fail", "error")
    json.dumps(results, ensure_ascii=False, allow_nan=False).encode("utf-8")


def test_a_file_whose_name_is_not_utf8_gets_results_that_can_be_written(kit: Kit) -> None:
    path = Path(os.fsdecode(os.fsencode(kit.root) + b"/\xff.ipynb"))
    path.write_text("{}")

    results = judge_files([path], kit.request)[0]

    assert "not UTF-8" in results["streamlab"]["notes"][0]
    json.dumps(results, ensure_ascii=False).encode("utf-8")


def test_a_cell_that_hangs_on_loading_is_left_out_with_a_note(kit: Kit) -> None:
    results = kit.with_limits(load_s=2).judge("while True: pass", *RIGHT.values())

    assert results["score"] == 4
    assert any("while True" in note and "left out" in note for note in results["streamlab"]["notes"])


def test_a_file_that_is_not_a_notebook_gets_results_and_the_batch_continues(kit: Kit) -> None:
    (kit.root / "bad").mkdir()
    bad = kit.root / "bad" / "lab99_tiny.ipynb"
    bad.write_text("not json")
    good = notebook(kit.root, *RIGHT.values())

    results = judge_files([bad, good, bad], kit.request)

    assert [each["score"] for each in results] == [0, 4, 0]
    assert "not JSON" in results[0]["streamlab"]["notes"][0]


def test_equal_inputs_give_equal_bytes_except_for_timing(kit: Kit) -> None:
    runs = [kit.judge("def double(x):\n    return 1", RIGHT["triple"]) for _ in range(2)]
    for run in runs:
        run["streamlab"].pop("timing")

    assert json.dumps(runs[0]) == json.dumps(runs[1])


def test_a_sandbox_that_does_not_start_is_an_error_of_the_machine_and_gives_no_results(
    kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(levels, "PROGRAM", [sys.executable, "-c", "raise SystemExit('no such library')"])

    with pytest.raises(SandboxUnavailable, match="no sandbox started: no such library"):
        kit.judge(*RIGHT.values())


LEAVES_A_HOG = """hogs = []

def double(x):
    import subprocess
    hog = "x = bytes(bytearray(b'1') * 600_000_000); import time; time.sleep(60)"
    hogs.append(subprocess.Popen(["python3", "-c", hog]))
    return 2 * x"""

WAITS_FOR_ITS_END = """def triple(x):
    import time
    if hogs:
        time.sleep(60)
    return 3 * x"""  # it waits only in the sandbox that the hog brings down


def test_a_process_that_one_task_leaves_does_not_cost_the_next_task_points(kit: Kit) -> None:
    results = kit.judge(LEAVES_A_HOG, WAITS_FOR_ITS_END)

    assert verdicts(results)["triple"] == "pass"
    assert results["streamlab"]["timing"]["sandboxes"] == 2
