"""Each check of any notebook gets a verdict, and right work keeps its points."""

import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import pytest

from autograder.course import Course
from autograder.judge import judge_files
from autograder.judge.request import Request
from autograder.sandbox import SandboxUnavailable, levels

# The attacks try hostile notebooks in a container (`./lab verify --attacks --sandbox container`).
pytestmark = pytest.mark.parametrize("level", ["bubblewrap", "process"], indirect=True)
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
    """The tiny kit, which judges notebooks."""

    def __init__(self, root: Path, course: Course, level: str) -> None:
        self.root, self.request = root, Request(root, course, sandbox=level)

    def judge(self, *sources: str, **kind: Any) -> dict[str, Any]:
        return judge_files([notebook(self.root, *sources, **kind)], self.request)[0]

    def with_limits(self, **seconds: float) -> Self:
        """Return the same kit with other limits, for tasks that never end."""
        course = self.request.course
        limits = course.limits.model_copy(update=seconds)
        self.request = replace(self.request, course=course.model_copy(update={"limits": limits}))
        return self


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


FIND_THE_CHANNEL = (
    "import gc, os\nchannel = next(o for o in gc.get_objects() if type(o).__name__ == 'Channel')\n"
    "def write(line): os.write(channel._events.fileno(), line.encode() + b'\\n')\n"
)
ROWS = '{"event": "rows", "task": "double", "case": 0, "rows": {"got": 2}, "seconds": %s}'


@pytest.mark.parametrize(
    "line",
    [ROWS % 0, ROWS % ("1" + "0" * 400), ROWS % "1e999", "no event at all", '{"event": "done"}', '{"event": "gone"}'],
    ids=["rows", "a number too large", "infinite", "no event", "done", "gone"],
)
def test_events_that_the_runner_did_not_write_are_ignored_and_noted_once(kit: Kit, line: str) -> None:
    source = f"{FIND_THE_CHANNEL}for _ in range(3): write({line!r})\ndef double(x):\n    write({line!r})\n    return 7"

    results = kit.judge(source, RIGHT["triple"])

    assert verdicts(results) == {"double": "fail", "triple": "pass"}
    notes = results["streamlab"]["notes"]
    assert sum("wrote to the result channel" in note for note in notes) == 1


def test_rows_with_the_token_earn_nothing_unless_they_are_right(kit: Kit) -> None:
    forged = "channel.send('rows', task='double', case=case, rows={'got': 7}, seconds=0.0)"
    source = f"{FIND_THE_CHANNEL}def double(x):\n    for case in range(9): {forged}\n    return 7"

    results = kit.judge(source, RIGHT["triple"])

    assert verdicts(results) == {"double": "fail", "triple": "pass"}


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("[[[[[[[[[[[[[[[[[[[[[[[[[[2 * x]]]]]]]]]]]]]]]]]]]]]]]]]]", "nested over 18"),
        ("[[] for _ in range(250_000)]", "250,002 lists, dicts and brackets"),
        ("'[' * 250_000", "250,001 lists, dicts and brackets"),
        ("float('nan')", "cannot be written as JSON"),
    ],
    ids=["deep", "many lists", "many brackets", "no number"],
)
def test_an_answer_that_is_too_deep_or_too_large_is_an_error_without_a_note(
    kit: Kit, answer: str, message: str
) -> None:
    results = kit.judge(f"def double(x):\n    return {answer}", RIGHT["triple"])

    assert (results["score"], verdicts(results)) == (2, {"double": "error", "triple": "pass"})
    assert message in sentence(results, "double")
    assert results["streamlab"]["notes"] == []


def test_texts_from_a_sandbox_are_shortened_in_the_report(kit: Kit) -> None:
    carries = [f"raise ValueError('{number:03}-' + 'secret ' * 100)" for number in range(30)]
    floods = "def double(x):\n    open('/nowhere/' + 'secret ' * 100)"
    answers = "def triple(x):\n    return 'secret ' * 1_000"

    results = kit.judge(*carries, floods, answers)

    assert "… and 22 more cells stopped with an error." in results["streamlab"]["notes"]
    assert json.dumps(results).count("secret") < 600


def test_events_cannot_extend_the_time_of_an_endless_task(kit: Kit) -> None:
    source = (
        f"{FIND_THE_CHANNEL}import time\ndef double(x):\n"
        "    while True: time.sleep(0.1); channel.send('finding', what='open', subject=str(time.time()), during='')"
    )

    results = kit.with_limits(case_s=2).judge(source, RIGHT["triple"])

    assert verdicts(results) == {"double": "timeout", "triple": "pass"}


def test_a_slow_task_does_not_use_up_the_time_of_another_task(kit: Kit) -> None:
    slow = "import time\ndef double(x):\n    time.sleep(3)\n    return 2 * x"

    results = kit.with_limits(wall_s=12, case_s=5).judge(slow, RIGHT["triple"])

    assert verdicts(results) == {"double": "timeout", "triple": "pass"}
    assert "its share of the time" in sentence(results, "double")


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ("import json\nhonest = json.dumps\njson.dumps = lambda *a, **k: honest(*a, **k)", "json.dumps"),
        ("from autograder.inside import DRIVES\nDRIVES['double'] = DRIVES['triple']", "DRIVES.double"),
        ("import builtins\nhonest = isinstance\nbuiltins.isinstance = lambda *a: honest(*a)", "builtins.isinstance"),
        ("import sys\nsys.settrace(lambda *a: None)", "sys.settrace"),
    ],
)
def test_rows_of_a_sandbox_with_changed_judging_code_do_not_count(kit: Kit, change: str, named: str) -> None:
    results = kit.judge(change, *RIGHT.values())

    assert verdicts(results) == {"double": "error", "triple": "error"}
    assert "changed the judging code in its sandbox" in sentence(results, "double")
    assert any(named in note for note in results["streamlab"]["notes"])


def test_a_task_that_changes_judging_code_fails_with_the_tasks_after_it(kit: Kit) -> None:
    wrap = "json.dumps = (lambda f: lambda *a, **k: f(*a, **k))(json.dumps)"
    change = f"import json\ndef triple(x):\n    {wrap}\n    return 3 * x"

    results = kit.judge(RIGHT["double"], change)

    assert verdicts(results) == {"double": "pass", "triple": "error"}


@pytest.mark.parametrize(
    "answer",
    ["'\\ud800'", "['\\udfff']", "10 ** 4000", "{'\\ud800': 1}"],
)
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


LEAVES_A_HOG = """def double(x):
    import subprocess
    hog = "x = bytes(bytearray(b'1') * 600_000_000); import time; time.sleep(60)"
    subprocess.Popen(["python3", "-c", hog, "a-hog-that-double-left"])
    return 2 * x"""
WAITS_FOR_ITS_END = """def triple(x):
    import pathlib, time

    def is_hog(command):
        try:
            return b"a-hog-that-double-left" in command.read_bytes()
        except OSError:
            return False

    while any(map(is_hog, pathlib.Path("/proc").glob("[0-9]*/cmdline"))):
        time.sleep(0.02)
    return 3 * x"""


def test_a_process_that_one_task_leaves_does_not_cost_the_next_task_points(kit: Kit) -> None:
    results = kit.judge(LEAVES_A_HOG, WAITS_FOR_ITS_END)

    assert verdicts(results)["triple"] == "pass"
    assert results["streamlab"]["timing"]["sandboxes"] == 2
