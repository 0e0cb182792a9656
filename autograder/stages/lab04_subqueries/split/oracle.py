"""The right cut from its definition: reachability is computed again for every operator."""

from typing import Any

Node = list[Any]  # name, stateful, inputs, outputs


def reaches(case: dict[str, Any], name: str) -> set[str]:
    """Return the names of all operators that an operator's rows can reach, without itself."""
    nodes: list[Node] = case["operators"]
    found: set[str] = set()
    frontier = [name]
    while frontier:
        outputs = next(set(node[3]) for node in nodes if node[0] == frontier[-1])
        frontier.pop()
        new = [node[0] for node in nodes if not outputs.isdisjoint(node[2]) and node[0] not in found]
        found.update(new)
        frontier += new
    return found


def subqueries(case: dict[str, Any]) -> list[list[str]]:
    """Return the names of the operators of each subquery, in the order of the query."""
    nodes: list[Node] = case["operators"]
    after_stateful = set().union(*(reaches(case, node[0]) for node in nodes if node[1]))
    head: dict[str, str] = {}  # operator -> the one that its subquery starts with; "" before all stateful ones
    for name, stateful, inputs, _ in nodes:
        if stateful or (name in after_stateful and len(inputs) > 1):
            head[name] = name
        elif name in after_stateful:
            head[name] = next(head[other[0]] for other in nodes if inputs[0] in other[3])
        else:
            head[name] = ""
    return [[name for name in head if head[name] == each] for each in dict.fromkeys(head.values())]


def crossing(case: dict[str, Any], operators: list[str]) -> tuple[list[str], list[str]]:
    """Return the streams that enter a subquery and those that leave it, sorted."""
    inside = [node for node in case["operators"] if node[0] in operators]
    outside = [node for node in case["operators"] if node[0] not in operators]
    made = {stream for node in inside for stream in node[3]}
    read_inside, read_outside = ({stream for node in some for stream in node[2]} for some in (inside, outside))
    leaving = {stream for stream in made if stream in read_outside or stream not in read_inside}
    return sorted(read_inside - made), sorted(leaving)
