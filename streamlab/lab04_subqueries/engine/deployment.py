"""The deployment of a query: its instances, the channels between them, and the balancers that route rows."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from streamlab.lab04_subqueries.engine.messages import Plan
from streamlab.lab04_subqueries.engine.operators import Operator
from streamlab.lab04_subqueries.engine.query import Query, first_readers
from streamlab.lab04_subqueries.engine.rows import END_MS, Arrival, Row

SOURCE = "source"  # the only sender that is not an instance
BUCKETS = 32

Balancer = Callable[[Row], Sequence[int]]
Chooser = Callable[[Operator, int, int], Plan]
Route = tuple[str, int]  # a stream and the number of a subquery that reads it
Address = tuple[int, int]  # the number of a subquery and of its instance


def choose_plan(operator: Operator, port: int, instances: int) -> Plan:
    """Return a plan that is right for every operator: in turns, or by key; rows without key fields share an instance.

    Example: choose_plan(Numbered(["word"], "count"), 0, instances=3) -> Plan("route key", ("word",))
    """
    return Plan("route key", tuple(operator.keys(port) or ())) if operator.stateful else Plan("round robin")


def chooser_of(parts: Any) -> Chooser:
    """Return the function that chooses plans: `choose_plan` of `parts`, or the one above."""
    chooser: Chooser = getattr(parts, "choose_plan", choose_plan)
    return chooser


class Deployment:
    """A query cut into subqueries, with `degrees[k]` instances of subquery k.

    parts: an object with the learner's split, balancer and Inbox as attributes, and maybe its own choose_plan.
    names: the names of the instances of each subquery. senders: for each subquery, the senders to its instances.
    """

    def __init__(self, parts: Any, query: Query, degrees: Sequence[int]) -> None:
        self.query, self.degrees = query, list(degrees)
        self.subqueries = list(parts.split(query))
        if len(self.degrees) != len(self.subqueries) or min(self.degrees, default=1) < 1:
            wanted = f"{len(self.subqueries)} subqueries {[each.operators for each in self.subqueries]}"
            raise ValueError(f"expected a number of instances >= 1 for each of {wanted}, got {self.degrees}")
        self.Inbox, self._balancer, self._choose_plan = parts.Inbox, parts.balancer, chooser_of(parts)
        self.names = [[f"SQ{k + 1}/{i}" for i in range(degree)] for k, degree in enumerate(self.degrees)]
        self.senders = [self._senders_to(each.inputs) for each in self.subqueries]

    def _senders_to(self, streams: Iterable[str]) -> list[str]:
        producers = {stream: self.names[k] for k, each in enumerate(self.subqueries) for stream in each.outputs}
        return list(dict.fromkeys(name for stream in streams for name in producers.get(stream, [SOURCE])))

    def readers(self, stream: str) -> list[int]:
        """Return the numbers of the subqueries that read a stream."""
        return [k for k, each in enumerate(self.subqueries) if stream in each.inputs]

    def routes(self, streams: Iterable[str]) -> dict[Route, Balancer]:
        """Create one sender's balancers for the streams that it sends."""
        return {(stream, k): self._route(stream, k) for stream in streams for k in self.readers(stream)}

    def _route(self, stream: str, k: int) -> Balancer:
        degree = self.degrees[k]
        plan = self._choose_plan(*first_readers(self.query, self.subqueries[k])[stream], degree)
        balancer: Balancer = self._balancer(plan, degree, [bucket % degree for bucket in range(BUCKETS)])
        return balancer

    def addressed(self, routes: Mapping[Route, Balancer], arrivals: Iterable[Arrival]) -> dict[Address, list[Arrival]]:
        """Return the arrivals for each instance that a sender with these routes sends to, by the instance's address."""
        to = {(k, i): list[Arrival]() for _, k in routes for i in range(self.degrees[k])}
        for arrival in arrivals:
            for k in self.readers(arrival.stream):
                for instance in routes[arrival.stream, k](arrival.row):
                    to[k, instance].append(arrival)
        return to


def batches_of(query: Query, inputs: Mapping[str, Iterable[Row]], rows: int) -> Iterator[tuple[list[Arrival], int]]:
    """Cut the rows of all sources into batches by time; each comes with the promise (watermark) that holds after it."""
    arrivals = [Arrival(stream, row) for stream in query.sources for row in inputs.get(stream, ())]
    arrivals.sort(key=lambda arrival: arrival.row["t"])
    for at in range(0, max(1, len(arrivals)), rows):
        after = at + rows
        yield arrivals[at:after], arrivals[after].row["t"] if after < len(arrivals) else END_MS
