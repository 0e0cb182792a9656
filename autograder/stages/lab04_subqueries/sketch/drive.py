"""Drive `distinct_count` with values, with parts of a stream, with registers, and with whole streams."""

from collections.abc import Iterable
from functools import reduce
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain, type_name
from streamlab.lab04_subqueries.engine import AggregateFunction


@drive("distinct_count")
def distinct_count(stage: Any, case: Any) -> Rows:
    """Return the registers of values or merged parts, or the estimates for registers or streams."""
    return or_rejected(lambda: _answers(stage.distinct_count, case))


def _answers(make: Any, case: Any) -> Rows:
    if "streams" in case:
        return {"estimates": [_estimate(make(each["p"]), each["p"], each["values"]) for each in case["streams"]]}
    sketch = make(case["p"])
    if not isinstance(sketch, AggregateFunction):
        return {"returned": type_name(sketch)}
    if "registers" in case:
        return {"estimate": plain(sketch.lower(bytes(case["registers"])))}
    if "values" in case:
        return {"partials": [_registers(sketch.lift(value)) for value in case["values"]]}
    left, right = (_folded(sketch, case["p"], case[side]) for side in ("left", "right"))
    both = _folded(sketch, case["p"], [*case["left"], *case["right"]])
    return {"merged": _registers(sketch.combine(left, right)), "of_all": _registers(both)}


def _folded(sketch: AggregateFunction, p: int, values: Iterable[Any]) -> Any:
    return reduce(sketch.combine, map(sketch.lift, values), bytes(2**p))


def _estimate(sketch: AggregateFunction, p: int, values: Iterable[Any]) -> Any:
    return plain(sketch.lower(_folded(sketch, p, values)))


def _registers(partial: Any) -> Any:
    """Return how many registers there are, and the rank of each one that is not 0."""
    if not isinstance(partial, bytes | bytearray):
        return type_name(partial)
    return {"registers": len(partial), "ranks": {str(number): rank for number, rank in enumerate(partial) if rank}}
