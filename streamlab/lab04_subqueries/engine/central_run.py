"""The centralized run: one operator after another over all rows. Every parallel run must produce the same rows."""

import copy
from collections.abc import Iterable, Mapping

from streamlab.lab04_subqueries.engine.operators import Operator
from streamlab.lab04_subqueries.engine.query import Node, Query
from streamlab.lab04_subqueries.engine.rows import END_MS, START_MS, Arrival, Row, in_order, order_of

Streams = dict[str, list[Row]]


def centralized(query: Query, inputs: Mapping[str, Iterable[Row]]) -> Streams:
    """Run a query in one place, operator by operator, and return the rows of each result stream in order.

    inputs: the rows of each source, in any order. The run works on copies of the query's operators.
    """
    streams = {name: list(inputs.get(name, ())) for name in query.sources}
    for node in query.nodes:
        streams.update(_outputs_of(node, streams))
    return {name: in_order(name, streams[name]) for name in query.results}


def _outputs_of(node: Node, streams: Mapping[str, list[Row]]) -> Streams:
    operator, now_ms = copy.deepcopy(node.operator), START_MS
    emitted: list[list[Row]] = [[] for _ in node.outputs]
    rows = [(order_of(Arrival(name, row)), port, row) for port, name in enumerate(node.inputs) for row in streams[name]]
    for (time_ms, *_), port, row in sorted(rows, key=lambda each: each[:2]):
        if time_ms > now_ms:
            _emit(operator, operator.on_time(time_ms), emitted)
            now_ms = time_ms
        _emit(operator, operator.on_row(row, port), emitted)
    _emit(operator, operator.on_time(END_MS), emitted)
    return dict(zip(node.outputs, emitted, strict=True))


def _emit(operator: Operator, rows: Iterable[Row], emitted: list[list[Row]]) -> None:
    for row in rows:
        for output in operator.streams_of(row):
            emitted[output].append(row)
