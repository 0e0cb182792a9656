"""What instances of subqueries send each other, and the plan by which rows find their way."""

from typing import NamedTuple

from streamlab.engine.rows import Arrival


class Plan(NamedTuple):
    """How rows are distributed over the instances of the next subquery.

    kind: "point to point", "round robin", "route key" (by `fields`) or "broadcast".
    """

    kind: str
    fields: tuple[str, ...] = ()


class Message(NamedTuple):
    """What one sender sends to one receiver.

    number: 0, 1, 2, … of this sender to this receiver. until_ms: the promise that no later arrival of this sender is
    before it (elsewhere called a watermark or a punctuation).
    """

    sender: str
    number: int
    arrivals: list[Arrival]
    until_ms: int
