"""Drive buckets with rows, choices of plans with operators, and rebalancing with loads and owners."""

from typing import Any

from autograder.inside import drive
from autograder.inside.new_process import answers_of_new_process
from autograder.inside.parts import FIRST, SECOND
from autograder.inside.rows import Rows, or_rejected, plain, type_name
from autograder.stages.lab04_subqueries.balancing.drive_keys import rows_of_keys
from streamlab.lab04_subqueries.engine import Operator, Plan


@drive("bucket_of")
def bucket_of(stage: Any, case: Any) -> Rows:
    """Return the bucket of each row; if the case asks for it, also in another process with other hashes of texts.

    In a second sandbox, only that process computes them.
    """
    inputs = case.get("rows") or rows_of_keys(case)
    of_case = case["fields"]
    calls = [(_plain_row(row), list(row.get("fields", of_case)), case["buckets"]) for row in inputs]

    def buckets() -> Rows:
        return {"buckets": plain([stage.bucket_of(*call) for call in calls])}

    rows = {} if case.get("part") == SECOND else or_rejected(buckets)  # in this process, which the audit observes
    is_alone = not case.get("processes") or case.get("part") == FIRST
    return rows if is_alone else rows | {"elsewhere": answers_of_new_process(stage.bucket_of, calls)}


def _plain_row(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in ("group", "fields")}


class Keyed(Operator):
    """An operator that does nothing and only declares whether it is stateful, and its key fields."""

    def __init__(self, stateful: bool, keys: list[Any]) -> None:
        super().__init__()
        self.stateful, self._keys, self.inputs = stateful, keys, len(keys)

    def keys(self, port: int) -> tuple[str, ...] | None:
        """Return the key fields that the case gives for this input."""
        fields = self._keys[port]
        return None if fields is None else tuple(fields)


@drive("balancer_for")
def balancer_for(stage: Any, case: Any) -> Rows:
    """Return the plan for each input."""
    operator = Keyed(case["stateful"], case["keys"])
    plans = [stage.balancer_for(operator, port, case["instances"]) for port in range(operator.inputs)]
    return {
        "plans": [
            [plan.kind, plain(list(plan.fields))] if isinstance(plan, Plan) else type_name(plan) for plan in plans
        ]
    }


@drive("rebalance")
def rebalance(stage: Any, case: Any) -> Rows:
    """Return the new owners, and whether the arguments are unchanged."""
    loads, owners = list(case["loads"]), list(case["owners"])

    def new_owners() -> Rows:
        new = stage.rebalance(loads, owners, case["instances"])
        if not isinstance(new, list | tuple):
            return {"returned": type_name(new)}
        return {"owners": plain(list(new)), "unchanged": [loads, owners] == [case["loads"], case["owners"]]}

    return or_rejected(new_owners)
