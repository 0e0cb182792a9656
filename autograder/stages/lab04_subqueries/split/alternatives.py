"""Another correct solution of `split`, which must get full marks."""

from autograder.checks.mutant_markers import alternative
from streamlab.lab04_subqueries.engine import Subquery


# Walks upwards from each operator to the operators before it.
@alternative("asks_upwards")
def split(query):
    makers = {stream: node for node in query.nodes for stream in node.outputs}

    def is_behind(node):
        before = [makers[stream] for stream in node.inputs if stream in makers]
        return any(each.operator.stateful or is_behind(each) for each in before)

    def head(node):
        if node.operator.stateful or (is_behind(node) and len(node.inputs) > 1):
            return node.name
        return head(makers[node.inputs[0]]) if is_behind(node) else ""

    groups = {}
    for node in query.nodes:
        groups.setdefault(head(node), []).append(node)
    return [_named(query, group) for group in groups.values()]


def _named(query, group):
    made = [stream for node in group for stream in node.outputs]
    read = [stream for node in group for stream in node.inputs]
    elsewhere = {stream for node in query.nodes if node not in group for stream in node.inputs}
    entering = tuple(sorted(set(read) - set(made)))
    leaving = tuple(stream for stream in made if stream in elsewhere or stream not in read)
    return Subquery(tuple(node.name for node in group), entering, leaving)
