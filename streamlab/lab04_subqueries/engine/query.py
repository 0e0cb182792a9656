"""A query connects operators by named streams; a subquery is a part of it that runs in one place."""

from collections.abc import Sequence
from typing import NamedTuple

from streamlab.lab04_subqueries.engine.operators import Operator


class Node(NamedTuple):
    """An operator of a query with its name and the names of its streams."""

    name: str
    operator: Operator
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


class Query:
    """Operators connected by named streams. `nodes` lists them so that each comes after its inputs.

    Example:
        query = Query("visits")
        query.add("long", Filter(lambda row: row["duration_s"] > 10), inputs=["visits"], outputs=["long_visits"])
    """

    def __init__(self, *sources: str) -> None:
        if not sources or len(set(sources)) < len(sources):
            raise ValueError(f"a query has one or more sources with different names, got {list(sources)}")
        self.sources, self.nodes = sources, list[Node]()

    def add(self, name: str, operator: Operator, inputs: Sequence[str], outputs: Sequence[str]) -> "Query":
        """Add an operator after those that produce its inputs, and return the query.

        Raises ValueError for a name that is taken, an input that no operator produces yet (so no query has a cycle), an
        output that exists already, and a number of streams that does not fit the operator.
        """
        if any(name == node.name for node in self.nodes):
            raise ValueError(f"the query already has an operator {name!r}; give this one another name")
        known = {*self.sources, *(stream for node in self.nodes for stream in node.outputs)}
        for stream in inputs:
            if stream not in known:
                names = ", ".join(sorted(known))
                raise ValueError(f"{name} reads {stream!r}, which no earlier operator produces; known streams: {names}")
        for stream in outputs:
            if stream in known:
                raise ValueError(f"{name} produces {stream!r}, which exists already; give its output another name")
        _require_streams("reads", name, operator.inputs, inputs)
        _require_streams("produces", name, operator.outputs, outputs)
        self.nodes.append(Node(name, operator, tuple(inputs), tuple(outputs)))
        return self

    @property
    def results(self) -> tuple[str, ...]:
        """The streams that no operator reads; they are the results of the query."""
        read = {stream for node in self.nodes for stream in node.inputs}
        return tuple(stream for node in self.nodes for stream in node.outputs if stream not in read)


def _require_streams(verb: str, name: str, expected: int, streams: Sequence[str]) -> None:
    if len(set(streams)) < len(streams):
        raise ValueError(f"{name} {verb} a stream twice: {list(streams)}; put a Map before one of them")
    if len(streams) != expected:
        number = "1 stream" if expected == 1 else f"{expected} streams"
        raise ValueError(f"{name} {verb} {number}, got {list(streams)}")


class Subquery(NamedTuple):
    """The names of some operators, in the order of their query, and of the streams that enter and leave them."""

    operators: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


def first_readers(query: Query, subquery: Subquery) -> dict[str, tuple[Operator, int]]:
    """Return, for each stream that enters a subquery, the first operator that reads it and the port of that input."""
    found: dict[str, tuple[Operator, int]] = {}
    for node in query.nodes:
        if node.name in subquery.operators:
            for port, stream in enumerate(node.inputs):
                if stream in subquery.inputs:
                    found.setdefault(stream, (node.operator, port))
    return found
