"""Drives `service_levels` with one report, and `post_mortem` with one timeline."""

from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain
from streamlab.lab09_system import Objective, Sample

CALM = {
    "offered": [100, 100],
    "lag": [1, 1],
    "log_errors": 0,
    "store_errors": 0,
    "store_ms": 2,
    "epoch": 1,
    "term": 1,
    "retries": 0,
    "unreadable": 0,
    "ahead": 0,
}


@drive("service_levels")
def service_levels(stage: Any, case: Any) -> Rows:
    """Return the report as a list, or the error."""
    percent, limit_ms, windows = case["objective"]
    objective = Objective(percent, limit_ms, tuple(map(tuple, windows)))
    seen = [tuple(each) for each in case["seen"]]
    expected = dict(case["expected"])
    return or_rejected(lambda: {"report": plain(stage.service_levels(expected, seen, case["now_ms"], objective))})


@drive("post_mortem")
def post_mortem(stage: Any, case: Any) -> Rows:
    """Return the incidents as lists; without "pause_s" the default holds."""
    samples = [_sample(case, at_s) for at_s in range(*case["seconds"])]
    pause = {"pause_s": case["pause_s"]} if "pause_s" in case else {}
    return {"incidents": plain(stage.post_mortem(samples, **pause))}


def _sample(case: Any, at_s: int) -> Sample:
    """Return the sample of a second: calm, changed by each span [from_s, to_s, fields] that contains it."""
    fields: dict[str, Any] = dict(CALM)
    for from_s, to_s, changes in case["changes"]:
        fields |= changes if from_s <= at_s < to_s else {}
    return Sample(at_s, **fields | {"offered": tuple(fields["offered"]), "lag": tuple(fields["lag"])})
