"""The messages between instances of subqueries, and the plan that routes rows to instances."""

from typing import NamedTuple

from streamlab.lab04_subqueries.engine.rows import Arrival


class Plan(NamedTuple):
    """How rows are distributed over the instances of the next subquery.

    kind: "point to point", "round robin", "route key" (by `fields`) or "broadcast".
    """

    kind: str
    fields: tuple[str, ...] = ()


class Message(NamedTuple):
    """A message from one sender to one receiver.

    number: 0, 1, 2, … for each pair of sender and receiver. until_ms: the sender's promise that none of its later
    arrivals is before this time (elsewhere called a watermark or a punctuation).
    """

    sender: str
    number: int
    arrivals: list[Arrival]
    until_ms: int
