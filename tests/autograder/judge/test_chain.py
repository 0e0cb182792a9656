"""A lab that builds on another uses the learner's own earlier task, or the reference as a fallback, and says which."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autograder.checks import StageChecks
from autograder.course import CourseError, load_course
from autograder.inside import DRIVES
from autograder.judge import judge_files, submission_checks
from autograder.judge.request import Request
from autograder.judge.submission_checks import load_agreed_stage
from autograder.sandbox import Sandbox

EARLIER, LATER = "lab99_tiny", "lab98_later"
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
SECRET = "    # only the refe_rence says this\n"
SEARCHES = """
import gc, os, re, sys
from contextlib import suppress
from streamlab import stage

double, found = stage("lab99_tiny").double, []
secret = re.compile(rb"only the refe[_]rence says")

def look(where, content):
    if secret.search(content):
        found.append(where)

def own_memory():
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
        for line in (each for each in maps if " rw-p " in each):
            begin, end = (int(each, 16) for each in line.split()[0].split("-"))
            with suppress(OSError, ValueError, OverflowError):
                memory.seek(begin)
                look("memory", memory.read(end - begin))

def six_times(x):
    if double(2) == 4:
        own_memory()
        found.extend(each for each in sys.modules if each.startswith("stage_"))
        found.extend(each.__name__ for each in gc.get_objects() if getattr(each, "__name__", "") == "double"
                     and hasattr(each, "__code__"))
        for pid in filter(str.isdigit, os.listdir("/proc")):
            for name in ("environ", "cmdline", "fd/0"):
                with suppress(OSError):
                    look(pid, open(f"/proc/{pid}/{name}", "rb").read(100_000))
        for folder, name in (
            (folder, name)
            for top in ("/tmp", "/home", "/kit", "/data", "/dev/shm")
            for folder, _, names in os.walk(top) for name in names
        ):
            with suppress(OSError, ValueError):
                look(name, open(os.path.join(folder, name), "rb").read(1_000_000))
        for name in ("__code__", "__globals__", "__class__", "__call__"):
            with suppress(AttributeError, TypeError):
                found.append(double._peer.attribute("lab99_tiny/double", name))
    return found or 6 * x
"""
LEAVES_TRACES = """
import os
from streamlab import stage

home, double = os.path.expanduser("~"), stage("lab99_tiny").double
for folder in ("/tmp", home):
    open(f"{folder}/trace", "w").close()

def six_times(x):
    return double(home)
"""
LOOKS_AROUND = """
def double(x):
    import os
    programs = [open(f"/proc/{pid}/cmdline").read() for pid in os.listdir("/proc") if pid.isdigit()]
    traces = [folder for folder in ("/tmp", x) if os.path.exists(f"{folder}/trace")]
    return [traces, sum("autograder.inside" in each and "bwrap" not in each for each in programs)]
"""


@pytest.fixture
def chained_root(tiny_root: Path) -> Iterator[Path]:
    """The tiny kit with a second lab that builds on the first."""
    stage = tiny_root / "autograder" / "stages" / LATER
    (stage / "later").mkdir(parents=True)
    (stage / "__init__.py").touch()
    for name, text in {"__init__.py": "", "drive.py": DRIVE, "checks.py": CHECKS}.items():
        (stage / "later" / name).write_text(text)
    with (tiny_root / "course.yml").open("a") as course:
        course.write(ENTRY)
    yield tiny_root
    for name in [each for each in sys.modules if LATER in each]:
        del sys.modules[name]
    DRIVES.pop("six_times", None)


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


def test_the_own_earlier_task_is_used_if_it_passes(chained_root: Path) -> None:
    handed_in(chained_root, EARLIER, DOUBLE)
    results = judged(chained_root, handed_in(chained_root, LATER, SIX))

    assert (results["score"], results["streamlab"]["fallbacks"]) == (3, [])


def test_the_reference_is_the_fallback_if_the_own_task_fails_and_the_points_of_the_chain_are_lost(
    chained_root: Path,
) -> None:
    reference(chained_root)
    handed_in(chained_root, EARLIER, WRONG)
    results = judged(chained_root, handed_in(chained_root, LATER, SIX))

    assert results["score"] == 1
    check = chain_check(results)
    assert check["verdict"] == "fail"
    assert "Expected your own lab99_tiny/double." in check["sentence"]
    assert "the result to be 2" in check["sentence"]
    assert check["sentence"].endswith("The reference solution is used instead.")
    assert check["evidence"]["hint"].endswith("./lab hint lab99_tiny/double")
    assert [each["task"] for each in results["streamlab"]["fallbacks"]] == ["lab99_tiny/double"]


def test_only_the_second_sandbox_gets_the_reference_and_only_the_needed_task(
    chained_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reference(chained_root)
    sent: dict[str, str] = {}
    original = Sandbox.send

    def send(sandbox: Sandbox, command: dict[str, Any]) -> None:
        if "mode" in command:
            sent[command["mode"]] = json.dumps(command)
        original(sandbox, command)

    monkeypatch.setattr(Sandbox, "send", send)
    judged(chained_root, handed_in(chained_root, LATER, SIX))

    assert json.dumps(DOUBLE)[1:-1] in sent["fallback"]
    assert "def double" not in sent["checks"]
    assert "def six_times" not in sent["fallback"]
    assert "the reference of another task" not in json.dumps(sent)


def test_a_submission_that_calls_the_reference_finds_its_code_nowhere(chained_root: Path) -> None:
    reference(chained_root, DOUBLE.replace("\n", f"\n{SECRET}"))
    results = judged(chained_root, handed_in(chained_root, LATER, SEARCHES), "bubblewrap")

    assert (results["score"], chain_check(results)["sentence"][:34]) == (1, "Expected your own lab99_tiny/doubl")


def test_the_two_sandboxes_share_no_file_and_no_process(chained_root: Path) -> None:
    reference(chained_root, LOOKS_AROUND)
    results = judged(chained_root, handed_in(chained_root, LATER, LEAVES_TRACES), "bubblewrap")

    sentences = [check["sentence"] for check in results["streamlab"]["checks"]]
    assert "Expected the result to be 12; yours is [[], 1]." in sentences


def test_a_reference_that_ends_its_sandbox_is_an_error_of_the_case_only(chained_root: Path) -> None:
    reference(chained_root, "def double(x):\n    import os\n    os._exit(3)")
    results = judged(chained_root, handed_in(chained_root, LATER, SIX))

    assert results["score"] == 1
    assert "the reference solution of an earlier lab ended: the process ended" in chain_check(results)["sentence"]


def test_a_mistake_in_the_later_task_is_reported_even_with_the_fallback(chained_root: Path) -> None:
    reference(chained_root)
    results = judged(chained_root, handed_in(chained_root, LATER, SIX.replace("6", "5")))

    assert chain_check(results)["sentence"] == "Expected the result to be 24; yours is 20."


def test_a_missing_earlier_notebook_is_reported_with_its_expected_folder(chained_root: Path) -> None:
    reference(chained_root)
    results = judged(chained_root, handed_in(chained_root, LATER, SIX))

    [fallback] = results["streamlab"]["fallbacks"]
    assert "no notebook lab99_tiny/lab99_tiny.ipynb is next to the folder of this notebook" in fallback["sentence"]


def test_a_kit_without_references_reports_that_and_judges_the_rest(chained_root: Path) -> None:
    handed_in(chained_root, EARLIER, WRONG)
    results = judged(chained_root, handed_in(chained_root, LATER, SIX))

    assert results["score"] == 1
    assert "has no reference solution to use instead" in results["streamlab"]["fallbacks"][0]["sentence"]
    assert chain_check(results)["sentence"].endswith("This kit has no reference solution to use instead.")


def test_an_earlier_notebook_that_is_a_link_is_not_followed(chained_root: Path) -> None:
    reference(chained_root)
    own = handed_in(chained_root, EARLIER, DOUBLE)
    own.rename(chained_root / "elsewhere.ipynb")
    own.symlink_to(chained_root / "elsewhere.ipynb")
    results = judged(chained_root, handed_in(chained_root, LATER, SIX))

    assert "symbolic link" in results["streamlab"]["fallbacks"][0]["sentence"]


def test_a_fault_of_the_judge_in_the_earlier_lab_is_not_charged_to_the_learner(
    chained_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reference(chained_root)
    handed_in(chained_root, EARLIER, DOUBLE)
    plan_of_stage = submission_checks.plan_for

    def fails_for_the_earlier_lab(stage: StageChecks, *rest: Any) -> Any:
        return 1 / 0 if stage.lab == EARLIER else plan_of_stage(stage, *rest)

    monkeypatch.setattr(submission_checks, "plan_for", fails_for_the_earlier_lab)
    results = judged(chained_root, handed_in(chained_root, LATER, SIX))

    assert (results["score"], results["max_score"]) == (1, 1)
    check = chain_check(results)
    assert (check["verdict"], check["points"], check["max_points"]) == ("inconclusive", 0, 0)
    assert "the judge itself failed (ZeroDivisionError" in results["streamlab"]["ungraded"][0]


def test_a_notebook_can_load_the_earlier_lab_with_stage(chained_root: Path) -> None:
    handed_in(chained_root, EARLIER, DOUBLE)
    source = f'from streamlab import stage\nmine = stage("{EARLIER}").double\n{SIX.replace("6 * x", "3 * mine(x)")}'
    results = judged(chained_root, handed_in(chained_root, LATER, source))

    assert results["score"] == 3


def test_a_chain_to_a_lab_that_the_course_does_not_build_on_is_an_error_of_the_course(chained_root: Path) -> None:
    path = chained_root / "course.yml"
    path.write_text(path.read_text().replace("    builds_on: [lab99_tiny]\n", ""))

    with pytest.raises(CourseError, match="does not build on that lab; list it under builds_on"):
        load_agreed_stage(LATER, load_course(chained_root))
