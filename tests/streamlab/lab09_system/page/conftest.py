"""A small system for the page: it counts seconds and remembers faults."""

from typing import Any, cast

from streamlab.lab09_system.page.message import Message


def message(at_s: int, **fields: Any) -> Message:
    """Return a message of a system with two partitions that is at rest."""
    numbers = dict.fromkeys(("offered", "admitted", "done", "epoch", "term", "workers", "calls", "errors"), 0)
    unknown = dict.fromkeys(("hit_rate", "p50_ms", "p99_ms", "budget_left"))
    lists: dict[str, Any] = {"lags": [0, 0], "starting": [], "down": [], "pages": [], "fresh": [], "incidents": []}
    dicts: dict[str, Any] = {"waiting": {}, "instances": {}, "breakers": {}, "dead": {}}
    all_ = {"at_s": at_s, "alerts": 0, "undecided": 0, **numbers, **unknown, **lists, **dicts}
    return cast(Message, all_ | fields)


class Counting:
    """A source of messages without content. `fields`: what they have in addition."""

    kind, remark, pace_s = "virtual", "It counts.", 0.01
    tasks: tuple[str, ...] = ()

    def __init__(self, **fields: Any) -> None:
        self.at_s, self.faults, self.has_ended, self._fields = 0, list[str](), False, fields

    def step(self) -> Message:
        self.at_s += 1
        return message(self.at_s, **self._fields)

    def inject(self, fault: str) -> str:
        self.faults.append(fault)
        return f"{fault} begins"

    def end(self) -> None:
        self.has_ended = True
