"""Drive `split` with queries whose operators do nothing."""

from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, plain, type_name
from streamlab.lab04_subqueries.engine import Operator, Query


class Box(Operator):
    """An operator that does nothing; only its kind and its numbers of inputs and outputs matter."""

    def __init__(self, stateful: bool, inputs: int, outputs: int) -> None:
        super().__init__()
        self.stateful, self.inputs, self.outputs = stateful, inputs, outputs


@drive("split")
def split(stage: Any, case: Any) -> Rows:
    """Return the three parts of each subquery."""
    query = Query(*case["sources"])
    for name, stateful, inputs, outputs in case["operators"]:
        query.add(name, Box(stateful, len(inputs), len(outputs)), inputs, outputs)
    subqueries = stage.split(query)
    if not isinstance(subqueries, list):
        return {"returned": type_name(subqueries)}
    return {"subqueries": [_parts(each) for each in subqueries]}


def _parts(subquery: Any) -> Any:
    """Return the three fields of a subquery, or the kind of anything else."""
    try:
        return [plain(list(part)) for part in (subquery.operators, subquery.inputs, subquery.outputs)]
    except (AttributeError, TypeError):
        return type_name(subquery)
