"""How `split` is fed: queries of boxes that do nothing."""

from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, a_kind, plain
from streamlab.engine import Operator, Query


class Box(Operator):
    """An operator without work; only its kind and its numbers of streams are looked at."""

    def __init__(self, stateful: bool, inputs: int, outputs: int) -> None:
        super().__init__()
        self.stateful, self.inputs, self.outputs = stateful, inputs, outputs


@drive("split")
def split(stage: Any, case: Any) -> Rows:
    """The three parts of each subquery."""
    query = Query(*case["sources"])
    for name, stateful, inputs, outputs in case["operators"]:
        query.add(name, Box(stateful, len(inputs), len(outputs)), inputs, outputs)
    subqueries = stage.split(query)
    if not isinstance(subqueries, list):
        return {"returned": a_kind(subqueries)}
    return {"subqueries": [_parts(each) for each in subqueries]}


def _parts(subquery: Any) -> Any:
    """The three fields of a subquery; of anything else its kind."""
    try:
        return [plain(list(part)) for part in (subquery.operators, subquery.inputs, subquery.outputs)]
    except (AttributeError, TypeError):
        return a_kind(subquery)
