"""An instance is one running copy of the operators of a subquery."""

import copy
from collections.abc import Iterable, Mapping
from typing import Any

from streamlab.lab04_subqueries.engine.query import Node, Query, Subquery
from streamlab.lab04_subqueries.engine.rows import START_MS, Arrival, Row

State = dict[str, dict[Any, Any]]  # the state of each stateful operator, by its name


class Instance:
    """One copy of the operators of a subquery. It shares nothing with the query or with other instances."""

    def __init__(self, query: Query, subquery: Subquery) -> None:
        nodes = [node for node in query.nodes if node.name in subquery.operators]
        self._nodes = [node._replace(operator=copy.deepcopy(node.operator)) for node in nodes]
        self._leaving, self._now_ms = frozenset(subquery.outputs), START_MS

    @property
    def state(self) -> State:
        """The current state of its stateful operators. An instance that it is assigned to continues from there."""
        return {node.name: node.operator.state for node in self._nodes if node.operator.stateful}

    @state.setter
    def state(self, saved: Mapping[str, dict[Any, Any]]) -> None:
        for node in self._nodes:
            if node.name in saved:
                node.operator.state = saved[node.name]

    def run(self, arrivals: Iterable[Arrival], until_ms: int) -> list[Arrival]:
        """Process arrivals in the given order, let time pass until `until_ms`, and return the output."""
        output: list[Arrival] = []
        for arrival in arrivals:
            self._pass_time(arrival.row["t"], output)
            self._push(arrival.stream, arrival.row, output)
        self._pass_time(until_ms, output)
        return output

    def _pass_time(self, now_ms: int, output: list[Arrival]) -> None:
        if now_ms > self._now_ms:
            self._now_ms = now_ms
            for node in self._nodes:
                if node.operator.stateful:
                    self._emit(node, node.operator.on_time(now_ms), output)

    def _push(self, stream: str, row: Row, output: list[Arrival]) -> None:
        for node in self._nodes:
            for port, name in enumerate(node.inputs):
                if name == stream:
                    self._emit(node, node.operator.on_row(row, port), output)

    def _emit(self, node: Node, rows: Iterable[Row], output: list[Arrival]) -> None:
        for row in rows:
            for number in node.operator.streams_of(row):
                stream = node.outputs[number]
                if stream in self._leaving:
                    output.append(Arrival(stream, row))
                self._push(stream, row, output)
