"""All instances of a query in one process; a seed decides which message is delivered next, so runs are repeatable."""

import random
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from streamlab.lab04_subqueries.engine.deployment import SOURCE, Deployment, batches_of
from streamlab.lab04_subqueries.engine.instance import Instance
from streamlab.lab04_subqueries.engine.messages import Message
from streamlab.lab04_subqueries.engine.query import Query
from streamlab.lab04_subqueries.engine.rows import Arrival, Row, in_order

Channel = tuple[str, str]  # sender and receiver


class Simulation:
    """A query with `degrees[k]` instances of each subquery k. `parts` is as for `Deployment`.

    Messages between two instances keep their order, as in TCP; messages of other senders may overtake them.
    After a run, `moved` holds the number of rows sent per stream, and `most_kept` the largest number of rows that
    inboxes held back at one time.

    Example: Simulation(parts, query, degrees=[2, 3], seed=1).run({"visits": rows}) == centralized(query, …)
    """

    def __init__(self, parts: Any, query: Query, degrees: Sequence[int], seed: object = 0, batch_rows: int = 7) -> None:
        self._to, self._query, self._batch_rows = Deployment(parts, query, degrees), query, batch_rows
        self._random = random.Random(repr(seed))
        self.moved, self.most_kept, self._kept = Counter[str](), 0, 0
        self._numbers, self._channels = Counter[Channel](), dict[Channel, deque[Message]]()
        self._inboxes: dict[str, Any] = {}
        self._instances: dict[str, Instance] = {}
        self._results: dict[str, list[Row]] = {stream: [] for stream in query.results}
        self._routes = {SOURCE: self._to.routes(query.sources)}
        for names, senders, subquery in zip(self._to.names, self._to.senders, self._to.subqueries, strict=True):
            for name in names:
                self._inboxes[name], self._instances[name] = parts.Inbox(list(senders)), Instance(query, subquery)
                self._routes[name] = self._to.routes(subquery.outputs)

    def run(self, inputs: Mapping[str, Iterable[Row]]) -> dict[str, list[Row]]:
        """Run the query over the rows of its sources and return the rows of each result stream in order."""
        for arrivals, until_ms in batches_of(self._query, inputs, self._batch_rows):
            self._random.shuffle(arrivals)
            self._send(SOURCE, arrivals, until_ms)
        while waiting := [channel for channel, messages in self._channels.items() if messages]:
            self._deliver(self._random.choice(waiting))
        return {stream: in_order(stream, rows) for stream, rows in self._results.items()}

    def _deliver(self, channel: Channel) -> None:
        name, message = channel[1], self._channels[channel].popleft()
        inbox = self._inboxes[name]
        ready = inbox.take(message)
        self._kept += len(message.arrivals) - len(ready)
        self.most_kept = max(self.most_kept, self._kept)
        self._send(name, self._instances[name].run(ready, inbox.until_ms), inbox.until_ms)

    def _send(self, sender: str, arrivals: list[Arrival], until_ms: int) -> None:
        for arrival in arrivals:
            if arrival.stream in self._results:
                self._results[arrival.stream].append(arrival.row)
        for (k, i), some in self._to.addressed(self._routes[sender], arrivals).items():
            self.moved.update(arrival.stream for arrival in some)
            channel = sender, self._to.names[k][i]
            message = Message(sender, self._numbers[channel], some, until_ms)  # an empty one carries its promise
            self._channels.setdefault(channel, deque()).append(message)
            self._numbers[channel] += 1
