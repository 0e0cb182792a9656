"""A race compares rates in turns; a wrong, dead or cheating turn earns nothing."""

from pathlib import Path
from typing import Any

import pytest

from autograder.course import load_course
from autograder.judge import judge_files
from autograder.judge.judging import Request

RACE_DRIVE = """
@drive("double.race")
def double_race(stage, case):
    return {"got": stage.double(int(open(case["path"]).read()))}
"""
RACE_CHECK = """
from autograder.checks import race

def numbers_as_text(seed):
    return str(sum(map(ord, seed))).encode(), 100

@race("double", workload=numbers_as_text, unit="numbers")
def doubling_is_fast(content, rows):
    return same_value(2 * int(content), rows["got"], what="the result")
"""
SLOW = "import time\ndef double(x):\n    time.sleep(0.03 if x > 10 else 0)\n    return 2 * x"
TRIPLE = "def triple(x):\n    return 3 * x"


@pytest.fixture
def root(tiny_root: Path) -> Path:
    """The tiny kit with a race: bar 1.5, 2 points."""
    stage = tiny_root / "autograder/stages/lab99_tiny"
    (stage / "yardsticks").mkdir()
    (stage / "yardsticks" / "slow.py").write_text(f"# %%\n{SLOW}\n")
    (stage / "drive.py").write_text((stage / "drive.py").read_text() + RACE_DRIVE)
    (stage / "checks.py").write_text((stage / "checks.py").read_text() + RACE_CHECK)
    course = (tiny_root / "course.yml").read_text().replace("points: 4", "points: 6")
    rule = "{checks: {twice_the_number: 2}, race: {yardstick: slow, bar: 1.5, points: 2}}"
    (tiny_root / "course.yml").write_text(course.replace("{checks: {twice_the_number: 2}}", rule))
    return tiny_root


def raced(root: Path, level: str, double: str) -> tuple[dict[str, Any], dict[str, Any]]:
    path = root / "lab99_tiny.py"
    path.write_text(f"# %%\n{double}\n# %%\n{TRIPLE}\n")
    results = judge_files([path], Request(root, load_course(root), sandbox=level))[0]
    return results, results["streamlab"]["races"][0]


def test_work_that_is_faster_than_the_bar_gets_full_points(root: Path, level: str) -> None:
    results, race = raced(root, level, "import time\ndef double(x):\n    time.sleep(0.01)\n    return 2 * x")

    assert (results["score"], race["points"], race["pairs"]) == (6, 2, 9)
    assert race["low"] <= race["ratio"] <= race["high"]
    assert len(race["samples"]) == 9


def test_work_as_fast_as_the_yardstick_gets_none(root: Path, level: str) -> None:
    results, race = raced(root, level, SLOW)

    assert (results["score"], race["verdict"]) == (4, "fail")
    assert "Expected 1.5×" in race["sentence"]


@pytest.mark.parametrize(
    ("double", "said"),
    [
        ("def double(x):\n    return 2 * x if x < 10 else 7", "gave a wrong result. Expected the result to be"),
        ("import os\ndef double(x):\n    return 2 * x if x < 10 else os._exit(0)", "ended by itself"),
        ("def double(x):\n    while x > 10: pass\n    return 2 * x", "no answer within"),
        ("def double(x):\n    return 2 * x if x < 10 else undefined", "NameError"),
    ],
)
def test_a_turn_that_is_wrong_dead_or_endless_ends_the_race_without_points(
    root: Path, level: str, double: str, said: str
) -> None:
    results, race = raced(root, level, double)

    assert (results["score"], race["points"]) == (4, 0)
    assert said in race["sentence"]


def test_the_race_of_a_task_that_is_not_written_is_left_out(root: Path, level: str) -> None:
    _, race = raced(root, level, "def double(x):\n    raise NotImplementedError")

    assert race["verdict"] == "skipped"


def test_a_side_that_waits_is_stopped_and_cannot_work_ahead(root: Path, level: str) -> None:
    """A thread that counts while the other side has its turn would count on; stopped, it stands still."""
    ticking = (
        "import threading, time\nticks = 0\n"
        "def tick():\n    global ticks\n    while True:\n        time.sleep(0.002)\n        ticks += 1\n"
        "threading.Thread(target=tick, daemon=True).start()\n"
        "def double(x):\n    global ticks\n    before, ticks = ticks, 0\n"
        "    if x > 10 and before > 12: raise RuntimeError(f'{before} ticks')\n    return 2 * x"
    )

    _, race = raced(root, level, ticking)

    assert race["verdict"] == "pass", race["sentence"]
