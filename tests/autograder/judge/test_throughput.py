"""A throughput check compares rates in turns; a wrong, dead or cheating turn earns nothing."""

from pathlib import Path
from typing import Any

import pytest

from autograder.course import load_course
from autograder.judge import judge_files, local_backend
from autograder.judge.request import Request
from autograder.judge.throughput import PAIRS, PAIRS_MAX, PAIRS_MIN
from autograder.judge.throughput_side import NeverStarted, Side, TurnLost

ALONE = pytest.mark.alone  # for tests in which a rate decides, since other tests would slow it down
THROUGHPUT_DRIVE = """
@drive("double.throughput")
def double_throughput(stage, case):
    return {"got": stage.double(int(open(case["path"]).read()))}
"""
THROUGHPUT_CHECK = """
from autograder.checks import throughput

def numbers_as_text(seed):
    return str(sum(map(ord, seed))).encode(), 100

@throughput("double", workload=numbers_as_text, unit="numbers")
def doubling_is_fast(content, rows):
    return same_value(2 * int(content), rows["got"], what="the result")
"""
SLOW = "import time\ndef double(x):\n    time.sleep(0.2 if x > 10 else 0)\n    return 2 * x"
TRIPLE = "def triple(x):\n    return 3 * x"


@pytest.fixture
def root(tiny_root: Path) -> Path:
    """The tiny kit with a throughput check: threshold 1.5, 2 points."""
    stage = tiny_root / "autograder/stages/lab99_tiny"
    (stage / "baselines").mkdir()
    (stage / "baselines" / "slow.py").write_text(f"# %%\n{SLOW}\n")
    (stage / "numbers/drive.py").write_text((stage / "numbers/drive.py").read_text() + THROUGHPUT_DRIVE)
    (stage / "numbers/checks.py").write_text((stage / "numbers/checks.py").read_text() + THROUGHPUT_CHECK)
    course = (tiny_root / "course.yml").read_text().replace("points: 4", "points: 6")
    rule = "{checks: {twice_the_number: 2}, throughput: {baseline: slow, threshold: 1.5, points: 2}}"
    (tiny_root / "course.yml").write_text(course.replace("{checks: {twice_the_number: 2}}", rule))
    return tiny_root


def measured(root: Path, level: str, double: str) -> tuple[dict[str, Any], dict[str, Any]]:
    path = root / "lab99_tiny.py"
    path.write_text(f"# %%\n{double}\n# %%\n{TRIPLE}\n")
    results = judge_files([path], Request(root, load_course(root), sandbox=level))[0]
    return results, results["streamlab"]["throughput"][0]


@pytest.mark.slow
@ALONE
def test_work_that_is_above_the_threshold_gets_full_points(root: Path, level: str) -> None:
    results, throughput = measured(root, level, "import time\ndef double(x):\n    time.sleep(0.01)\n    return 2 * x")

    assert (results["score"], throughput["points"]) == (6, 2)
    assert throughput["pairs"] in range(PAIRS, PAIRS_MAX + 1, PAIRS)  # a busy machine may need more of them
    assert throughput["low"] <= throughput["ratio"] <= throughput["high"]
    assert throughput["baseline"] == "slow"
    assert len(throughput["samples"]) == throughput["pairs"]


@pytest.mark.slow
@ALONE
def test_work_as_fast_as_the_baseline_gets_no_points(root: Path, level: str) -> None:
    results, throughput = measured(root, level, SLOW)

    assert (results["score"], throughput["verdict"]) == (4, "fail")
    assert "Expected 1.5×" in throughput["sentence"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("double", "message"),
    [
        ("def double(x):\n    return 2 * x if x < 10 else 7", "gave a wrong result. Expected the result to be"),
        ("import os\ndef double(x):\n    return 2 * x if x < 10 else os._exit(0)", "ended by itself"),
        ("def double(x):\n    while x > 10: pass\n    return 2 * x", "no answer within"),
        ("def double(x):\n    return 2 * x if x < 10 else undefined", "NameError"),
    ],
)
def test_a_wrong_dead_or_endless_turn_ends_the_check_without_points(
    root: Path, level: str, double: str, message: str
) -> None:
    results, throughput = measured(root, level, double)

    assert (results["score"], throughput["points"]) == (4, 0)
    assert message in throughput["sentence"], throughput


def test_the_throughput_check_of_a_task_that_is_not_written_is_skipped(root: Path, level: str) -> None:
    _, throughput = measured(root, level, "def double(x):\n    raise NotImplementedError")

    assert throughput["verdict"] == "skipped"


@pytest.mark.slow
@pytest.mark.parametrize(
    "baseline",
    [
        "def double(x):\n    return 2 * x if x < 10 else 7",
        "import os\ndef double(x):\n    return 2 * x if x < 10 else os._exit(0)",
        "def double(x):\n    while x > 10: pass\n    return 2 * x",
        "double = undefined",
    ],
    ids=["wrong", "dead", "endless", "broken"],
)
def test_a_baseline_that_fails_neither_costs_nor_gives_points(root: Path, baseline: str) -> None:
    (root / "autograder/stages/lab99_tiny/baselines/slow.py").write_text(f"# %%\n{baseline}\n")
    results, throughput = measured(root, "process", SLOW)

    assert (throughput["verdict"], throughput["points"], throughput["max_points"]) == ("inconclusive", 0, 0)
    assert (results["score"], results["max_score"]) == (4, 4)
    assert results["streamlab"]["ungraded"] == [f"double/doubling_is_fast: {throughput['sentence']}"]
    assert results["streamlab"]["notes"] == []


@pytest.mark.parametrize(("seconds", "verdict"), [(1.5, "inconclusive"), (0.1, "fail")])
def test_a_turn_that_takes_too_long_is_a_mistake_only_if_the_baseline_is_quick_here(
    root: Path, seconds: float, verdict: str
) -> None:
    (root / "course.yml").write_text((root / "course.yml").read_text().replace("case_s: 20", "case_s: 2"))
    baseline = root / "autograder/stages/lab99_tiny/baselines/slow.py"
    baseline.write_text(f"# %%\n{SLOW.replace('0.2', str(seconds))}\n")
    _, throughput = measured(root, "process", "def double(x):\n    while x > 10: pass\n    return 2 * x")

    assert throughput["verdict"] == verdict
    assert "double gave no answer within 2 s" in throughput["sentence"]


@pytest.mark.parametrize(("failing", "verdict"), [(("double",), "fail"), (("double", "the baseline"), "inconclusive")])
def test_a_side_that_never_begins_is_at_fault_unless_one_without_its_cells_does_not_begin_either(
    root: Path, monkeypatch: pytest.MonkeyPatch, failing: tuple[str, ...], verdict: str
) -> None:
    ready, begun = Side.wait_until_ready, list[str]()

    def wait_until_ready(side: Side) -> None:
        begun.append(side.who)
        if side.who in failing and begun != ["the baseline"]:
            raise NeverStarted(side.who, "could not begin: Spark did not start within 90 s")
        ready(side)

    monkeypatch.setattr(Side, "wait_until_ready", wait_until_ready)
    _, throughput = measured(root, "process", SLOW)

    assert begun == ["the baseline", "double", "the baseline"]
    assert (throughput["verdict"], throughput["points"]) == (verdict, 0)


def test_measuring_stops_when_no_points_are_left_to_win(root: Path) -> None:
    _, throughput = measured(root, "process", SLOW.replace("0.2", "0.6"))

    assert (throughput["verdict"], throughput["pairs"]) == ("fail", PAIRS_MIN)


def test_a_baseline_that_does_not_start_beside_the_learners_side_starts_again_alone(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, ready = list[str](), Side.wait_until_ready

    def wait_until_ready(side: Side) -> None:
        started.append(side.who)
        if started == ["the baseline"]:
            raise TurnLost(side.who, "gave no answer within 90 s")
        ready(side)

    monkeypatch.setattr(Side, "wait_until_ready", wait_until_ready)
    _, throughput = measured(root, "process", "def double(x):\n    return 2 * x if x < 10 else 7")

    assert started == ["the baseline", "the baseline", "double"]
    assert throughput["sentence"].startswith("The throughput check was not finished: double gave a wrong result.")


def test_disturbing_the_baseline_costs_the_learner_the_points(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def moved(side: Side) -> None:
        raise TurnLost(side.who, "would not wait for its turn: it used 1.0 s of processor time")

    (root / "autograder/stages/lab99_tiny/baselines/slow.py").write_text("# %%\ndouble = undefined\n")
    monkeypatch.setattr(Side, "require_idle", moved)
    _, throughput = measured(root, "process", SLOW)

    assert (throughput["verdict"], throughput["points"], throughput["max_points"]) == ("fail", 0, 2)
    assert "double would not wait for its turn" in throughput["sentence"]


@pytest.mark.parametrize("answer", ["10 ** 400", "[[x]]", "{'x': [True]}", "None"])
def test_rows_that_the_judge_cannot_compare_cost_only_the_throughput_check(root: Path, answer: str) -> None:
    checks = root / "autograder/stages/lab99_tiny/numbers/checks.py"
    checks.write_text(checks.read_text().replace('rows["got"], what="the result")', 'rows["got"] / 1, what="it")'))
    results, throughput = measured(root, "process", f"def double(x):\n    return 2 * x if x < 10 else {answer}")

    assert (results["score"], throughput["verdict"], throughput["max_points"]) == (4, "fail", 2)
    assert "has a form that this check cannot read" in throughput["sentence"]


def test_a_fault_of_the_judge_in_a_throughput_check_does_not_affect_other_checks(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_backend, "measure_throughput", lambda *_, **__: 1 / 0)
    results, throughput = measured(root, "process", SLOW)

    assert (results["score"], results["max_score"], throughput["verdict"]) == (4, 4, "inconclusive")
    assert "The judge itself failed (ZeroDivisionError" in results["streamlab"]["ungraded"][0]


BURNS_ON = """import ctypes, os, signal
def double(x):
    return 2 * x
class SignalEvent(ctypes.Structure):
    _fields_ = [("v", ctypes.c_void_p), ("s", ctypes.c_int), ("n", ctypes.c_int), ("r", ctypes.c_char * 48)]
if os.fork() == 0:
    signal.signal(signal.SIGCONT, lambda *_: None)
    C = ctypes.CDLL(None)
    for number in range(1, 900):
        timer, first = ctypes.c_void_p(), (ctypes.c_long * 4)(0, 0, number // 20, number % 20 * 50_000_000)
        C.timer_create(0, ctypes.byref(SignalEvent(None, int(signal.SIGCONT), 0, b"")), ctypes.byref(timer))
        C.timer_settime(timer, 0, ctypes.byref(first), None)
    while True: pass
"""
FORKS_ON = """import os, time
def double(x):
    time.sleep(0.2 if x > 10 else 0)  # no faster than the baseline, unless that is slowed down
    return 2 * x
if os.fork() == 0:
    while True:
        end = time.monotonic() + 0.001
        while time.monotonic() < end: pass
        try: forked = os.fork()
        except OSError: continue
        if forked: os._exit(0)
"""
READS_ITS_INPUT = """import os
def double(x):
    if x < 10: return 2 * x
    folder = next(f for f in ("/data", os.path.expanduser("~/../data")) if os.path.isdir(f))
    return 2 * int(open(os.path.join(folder, os.listdir(folder)[0])).read())
"""
REMEMBERS = "kept = []\ndef double(x):\n    kept.append(2 * x)\n    return 2 * x if x < 10 else kept[0]"
LIES_ABOUT_TIME = """import os, stat, threading, time
def double(x):
    return 2 * x
def write():
    while True:
        for fd in range(3, 40):
            try:
                if stat.S_ISFIFO(os.fstat(fd).st_mode):
                    os.write(fd, b'{"event": "rows", "task": "double.throughput", "case": 1, "rows": {}}\\n')
            except OSError: pass
        time.sleep(0.01)
threading.Thread(target=write, daemon=True).start()
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("double", "message"),
    [
        pytest.param(BURNS_ON, "would not wait for its turn", marks=ALONE),
        # the throughput check may or may not catch it; it earns no points either way
        pytest.param(FORKS_ON, "", marks=ALONE),
        (READS_ITS_INPUT, "read the throughput check's input itself"),
        (REMEMBERS, "gave a wrong result"),
        (LIES_ABOUT_TIME, "wrote to the result channel"),
    ],
    ids=["timers", "forks", "reads its input", "remembers", "lies about time"],
)
def test_the_threshold_is_not_reached_by_cheating(root: Path, double: str, message: str) -> None:
    _, throughput = measured(root, "bubblewrap", double)

    assert throughput["points"] == 0
    assert message in throughput["sentence"], throughput


@pytest.mark.slow
@ALONE
def test_a_waiting_side_is_stopped_and_cannot_work_ahead(root: Path, level: str) -> None:
    """A thread would count during the other side's turn; it does not while it is stopped.

    It counts until it is stopped and after it resumes: 0.4 s in all for a container on a busy machine.
    """
    ticking = (
        "import threading, time\nticks = 0\n"
        "def tick():\n    global ticks\n    while True:\n        time.sleep(0.002)\n        ticks += 1\n"
        "threading.Thread(target=tick, daemon=True).start()\n"
        "def double(x):\n    global ticks\n    before, ticks = ticks, 0\n"
        "    if x > 10 and before > 400: raise RuntimeError(f'{before} ticks')\n    return 2 * x"
    )

    (root / "autograder/stages/lab99_tiny/baselines/slow.py").write_text(f"# %%\n{SLOW.replace('0.2', '1.8')}\n")
    _, throughput = measured(root, level, ticking)  # the other side's turn of 1.8 s would give 900 ticks

    assert throughput["verdict"] == "pass", throughput["sentence"]
