"""Drives `waiting_ms` with the bursts of a case, as an iterator that can be read once."""

from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain


@drive("waiting_ms")
def waiting_ms(stage: Any, case: Any) -> Rows:
    """Return the waiting time of each message, or the error."""
    bursts = [(at_ms, messages) for at_ms, messages in case["bursts"]]
    arguments = [case[name] for name in ("partitions", "brokers", "enough", "linger_ms")]
    return or_rejected(lambda: {"waited_ms": plain(stage.waiting_ms(iter(bursts), *arguments))})
