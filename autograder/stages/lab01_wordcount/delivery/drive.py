"""Drive `deliver`."""

from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain, type_name

FIELDS = ("delivered", "dropped", "queued", "blocked_ms", "longest_queue")


@drive("deliver")
def deliver(stage: Any, case: Any) -> Rows:
    """Return the fields of the Delivery, or the rejection."""
    return or_rejected(lambda: _fields(stage.deliver(*case.values())))


def _fields(delivery: Any) -> Rows:
    if not all(hasattr(delivery, name) for name in FIELDS):
        return {"returned": type_name(delivery)}
    return {name: plain(getattr(delivery, name)) for name in FIELDS}
