"""The reference of an earlier task runs in a second sandbox: a submission calls it, and finds its code nowhere."""

import json
from pathlib import Path
from typing import Any

import pytest

from autograder.checks import load_stage
from autograder.course import load_course
from autograder.sandbox import Sandbox
from tests.autograder.judge.chained_kit import DOUBLE, LATER, SIX, chain_check, handed_in, judged, reference

ROOT = Path(__file__).resolve().parents[3]
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


def test_the_memory_of_both_sandboxes_counts(chained_root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sandbox, "peak_mb", property(lambda sandbox: 100))
    reference(chained_root)
    results = judged(chained_root, handed_in(chained_root, LATER, SIX))

    assert results["streamlab"]["timing"]["peak_mb"] == 200


def test_the_guide_for_instructors_names_every_task_whose_reference_a_notebook_can_read() -> None:
    section = (ROOT / "docs/instructors.md").read_text("utf-8").partition("## Labs that build on earlier ones")[2]
    table = [line.split("|") for line in section.partition("\n## ")[0].splitlines() if line.startswith("|")]
    for lab, entry in load_course(ROOT).labs.items():
        named = " ".join(line[2] for line in table if str(int(lab[3:5])) in line[1])
        inside = {each.partition("/")[2] for each in load_stage(lab).inside_of(list(entry.tasks))}

        assert {task for task in inside if f"`{task}`" not in named} == set()
