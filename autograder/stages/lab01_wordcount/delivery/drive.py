"""How `deliver` is fed."""

from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, a_kind, or_rejected, plain

FIELDS = ("delivered", "dropped", "queued", "blocked_ms", "longest_queue")


@drive("deliver")
def deliver(stage: Any, case: Any) -> Rows:
    """What became of every message."""
    return or_rejected(lambda: _fields(stage.deliver(*case.values())))


def _fields(delivery: Any) -> Rows:
    if not all(hasattr(delivery, name) for name in FIELDS):
        return {"returned": a_kind(delivery)}
    return {name: plain(getattr(delivery, name)) for name in FIELDS}
