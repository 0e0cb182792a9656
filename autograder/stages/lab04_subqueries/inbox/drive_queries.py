"""Build the query that a case describes, and the parts that a simulation needs, from the case.

Plans and balancers have another form than those of the tasks: a plan is the fields of a stream or None, and the sum of
a row's letters decides.
"""

from collections.abc import Callable
from typing import Any

from streamlab.lab04_subqueries.engine import Demux, Filter, Map, Numbered, Operator, Query, Row, Subquery, Union

Route = list[str] | None  # the fields that decide, or None: any instance


def query_of(case: Any) -> Query:
    """Return the query that `case["operators"]` describes: [name, kind, argument, inputs, outputs]."""
    query = Query(*case["sources"])
    for name, kind, argument, inputs, outputs in case["operators"]:
        query.add(name, _operator(kind, argument), inputs, outputs)
    return query


def _operator(kind: str, argument: Any) -> Operator:
    makers: dict[str, Callable[[], Operator]] = {
        "map": lambda: Map(lambda row: {**row, "v": row["v"] + argument}),
        "filter": lambda: Filter(lambda row: row["v"] % argument != 0),
        "demux": lambda: Demux([lambda row: row["v"] % 2 == 0, lambda row: row["v"] > argument]),
        "union": lambda: Union(argument),
        "numbered": lambda: Numbered(argument, "v"),
    }
    return makers[kind]()


class CaseParts:
    """The parts of a deployment: the inbox is the learner's, all others come from the case."""

    def __init__(self, case: Any, inbox: Any) -> None:
        self.Inbox, self._subqueries, self._routes = inbox, case["subqueries"], case["routes"]

    def split(self, query: Query) -> list[Subquery]:
        """Return the subqueries of the case; each operator stores the names of the streams that it reads."""
        for node in query.nodes:
            vars(node.operator)["streams_read"] = node.inputs
        return [Subquery(*(tuple(part) for part in parts)) for parts in self._subqueries]

    def choose_plan(self, operator: Operator, port: int, instances: int) -> Route:
        """Return the fields that the case gives for this input."""
        route: Route = self._routes[vars(operator)["streams_read"][port]]
        return route

    def balancer(self, fields: Route, instances: int, owners: Any) -> Callable[[Row], list[int]]:
        """Return a function that chooses one of the first four instances by the sum of the fields' letters.

        Without fields it takes turns, from the last instance on.
        """
        turn = 0

        def chosen(row: Row) -> list[int]:
            nonlocal turn
            turn += 1
            letters = "".join(str(row[field]) for field in fields or ())
            return [(sum(map(ord, letters)) % 4 if fields is not None else -turn) % instances]

        return chosen
