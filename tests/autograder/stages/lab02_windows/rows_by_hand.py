"""Small cases of Lab 2 and rows for them, written by hand, for the tests of its checks."""

from typing import Any

from autograder.checks import load_stage

LAB = "lab02_windows"
STAGE = load_stage(LAB)
CHECKS = {check.name: check for check in STAGE.checks}

TWO = {"batches": [[["a", 1]], [["b", 2]]], "window_batches": 1, "slide_batches": 1}
STEPS = [["add", 5], ["add", 3], ["expire"], ["result"]]
TALK = {"batches": [["Yale is great"]], "name": "Yale", "window_batches": 1, "slide_batches": 1}
EVENTS = {
    "files": [[{"id": "1", "key": "edge", "event_time_s": 1010.0}], [{"id": "2", "key": "z", "event_time_s": 2000.0}]],
    "window_s": 10,
    "watermark_s": 30,
}
COLUMNS = ["start", "end", "key", "count"]
BOSTON = {"name": "Boston", "west": -71.25, "south": 42.25, "east": -70.75, "north": 42.5}


def slides(*counts: Any, field: str = "counts") -> dict[str, Any]:
    return {"slides": [{"at_batch": number, field: each} for number, each in enumerate(counts, 1)]}


def sentence(name: str, case: dict[str, Any], rows: dict[str, Any]) -> str | None:
    """What a check says, or None where it holds."""
    mismatch = CHECKS[name].judge(case, rows)
    return mismatch.sentence if mismatch else None
