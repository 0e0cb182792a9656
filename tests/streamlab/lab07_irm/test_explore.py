"""The number of event orders, and a stranded message that is found with its trace."""

from typing import Any

import pytest

from streamlab.lab07_irm.datatypes import Order
from streamlab.lab07_irm.explore import SCENARIOS, explore


class Strands:
    """One engine; a message that arrives in the backlog is queued, even if the engine is idle."""

    def __init__(self) -> None:
        self.queue: list[str] = []
        self.free: list[str] = []

    def offer(self, message: str, image: str) -> list[Order]:
        return [Order("push", message, self.free.pop())] if self.free else [Order("store", message)]

    def stored(self, message: str) -> list[Order]:
        """Queue the message even if an engine is idle: the bug."""
        self.queue.append(message)
        return []

    def idle(self, engine: str, *_: Any) -> list[Order]:
        if self.queue:
            return [Order("hand", self.queue.pop(0), engine)]
        self.free.append(engine)
        return []

    def done(self, engine: str, message: str) -> list[Order]:
        return [Order("forget", message), *self.idle(engine)]


def test_each_order_of_events_is_played_once() -> None:
    found = explore(Strands, SCENARIOS["one message, one engine"])

    assert sum(each.schedules for each in found.values()) == 3


def test_a_stranded_message_is_found_with_its_trace() -> None:
    found = explore(Strands, SCENARIOS["one message, one engine"])

    [stranded] = [each for outcome, each in found.items() if outcome.messages == (("m1", 0, 0, 0, 1),)]
    assert stranded.story == ["m1 is offered: store m1", "e1 is idle: no order", "m1 arrives in the backlog: no order"]


@pytest.mark.parametrize("most", [1, 40])
def test_no_more_schedules_are_played_than_allowed(most: int) -> None:
    found = explore(Strands, SCENARIOS["two messages, one engine"], most)

    assert sum(each.schedules for each in found.values()) == most
