"""A second tiny lab that builds on the first, and what tests of the chain hand in and read."""

import json
from pathlib import Path
from typing import Any

from autograder.course import load_course
from autograder.judge import judge_files
from autograder.judge.request import Request

EARLIER, LATER, LAST = "lab99_tiny", "lab98_later", "lab97_last"
ENTRY = """  lab98_later:
    title: Later
    minutes: 1
    points: 3
    builds_on: [lab99_tiny]
    tasks:
      six_times: {checks: {six_times_the_number: 1, your_own_double_and_threefold: 2}}
"""
DRIVE = """from autograder.inside import drive

@drive("six_times")
def six_times(stage, case, earlier):
    if case.get("chain"):
        return {"got": earlier("lab99_tiny").double(stage.six_times(case["number"]))}
    return {"got": stage.six_times(case["number"])}
"""
CHECKS = """from autograder.checks import check, same_value

def numbers(seed):
    return [{"number": 2}]

def chained(seed):
    return [{"number": 2, "chain": True}]

@check("six_times", cases=numbers)
def six_times_the_number(case, rows):
    return same_value(12, rows["got"], what="the result")

@check("six_times", cases=chained, chain="lab99_tiny/double")
def your_own_double_and_threefold(case, rows):
    return same_value(24, rows["got"], what="the result")
"""
DOUBLE = "def double(x):\n    return 2 * x"
WRONG = "def double(x):\n    return 2 * x + 1"
SIX = "def six_times(x):\n    return 6 * x"


def add_later_lab(root: Path) -> None:
    """Add the lab, and its drive and checks, to the tiny kit."""
    stage = root / "autograder" / "stages" / LATER
    (stage / "later").mkdir(parents=True)
    (stage / "__init__.py").touch()
    for name, text in {"__init__.py": "", "drive.py": DRIVE, "checks.py": CHECKS}.items():
        (stage / "later" / name).write_text(text)
    with (root / "course.yml").open("a") as course:
        course.write(ENTRY)


def add_last_lab(root: Path) -> None:
    """Add a third lab, whose task builds on that of the second one as that builds on the first."""
    later = root / "autograder" / "stages" / LATER
    last = root / "autograder" / "stages" / LAST
    for file in later.rglob("*.py"):
        copy = last / file.relative_to(later)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(_one_lab_on(file.read_text()))
    with (root / "course.yml").open("a") as course:
        course.write(_one_lab_on(ENTRY))


def _one_lab_on(text: str) -> str:
    for old, new in [("six_times", "last_times"), ("double", "six_times"), ("24", "72")]:
        text = text.replace(old, new)
    return text.replace(LATER, LAST).replace(EARLIER, LATER)


def handed_in(root: Path, lab: str, source: str) -> Path:
    folder = root / "work" / lab
    folder.mkdir(parents=True)
    path = folder / f"{lab}.ipynb"
    cells = [{"cell_type": "code", "metadata": {}, "source": source}]
    about = {"streamlab": {"lab": lab, "release": "1"}}
    path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": about, "cells": cells}))
    return path


def reference(root: Path, double: str = DOUBLE) -> None:
    folder = root / "solutions" / EARLIER
    folder.mkdir(parents=True)
    others = '# %% task="triple"\ndef triple(x):\n    return "the reference of another task"\n'
    (folder / f"{EARLIER}.py").write_text(f'# %% task="double"\n{double}\n{others}')


def judged(root: Path, notebook: Path, level: str = "process") -> dict[str, Any]:
    return judge_files([notebook], Request(root, load_course(root), sandbox=level))[0]


def chain_check(results: dict[str, Any]) -> dict[str, Any]:
    return next(check for check in results["streamlab"]["checks"] if "own" in check["check"])
