"""The checks of `split`: the operators of each subquery, and the streams that cross its border."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, claims, same_sequence, same_value
from autograder.checks.compare import shown
from autograder.checks.rejection import must_answer
from autograder.stages.lab04_subqueries.split import cases, oracle

OPERATORS, INPUTS, OUTPUTS = range(3)


def _query(case: Case) -> str:
    boxes = [
        f"{', '.join(inputs)} → {name}{' (stateful)' if stateful else ''} → {', '.join(outputs)}"
        for name, stateful, inputs, outputs in case["operators"]
    ]
    return "; ".join(boxes)


def _part(subquery: Any, at: int) -> Any:
    is_one = isinstance(subquery, list) and len(subquery) == 3 and all(isinstance(part, list) for part in subquery)
    return subquery[at] if is_one else subquery


def _same_operators(case: Case, rows: Rows) -> Mismatch | None:
    expected = oracle.subqueries(case)
    if wrong := must_answer("split", "a list of subqueries", rows):
        return wrong
    got = rows.get("subqueries")
    groups = [_part(each, OPERATORS) for each in got] if isinstance(got, list) else got
    return same_sequence(expected, groups, what=f"the operators of the subqueries of {_query(case)}")


@check(
    "split",
    cases=cases.borders,
    invariant=9,
    after=(
        "operators_before_any_stateful_one_stay_together",
        "several_inputs_after_a_stateful_operator_start_a_subquery",
    ),
)
def a_subquery_names_the_streams_that_cross_its_border(case: Case, rows: Rows) -> Mismatch | None:
    """Require each stream once, in any order."""
    right = [(operators, oracle.crossing(case, operators)) for operators in oracle.subqueries(case)]
    if wrong := _same_operators(case, rows):
        return wrong
    for (operators, streams), subquery in zip(right, rows["subqueries"], strict=True):
        for at, verb, expected in zip((INPUTS, OUTPUTS), ("enter", "leave"), streams, strict=True):
            part = _part(subquery, at)
            is_names = isinstance(part, list) and all(isinstance(name, str) for name in part)
            what = f"the streams that {verb} the subquery {shown(operators)} of {_query(case)}"
            if wrong := same_value(expected, sorted(part) if is_names else part, what=what):
                return wrong
    return None


CLAIMS = claims(
    ("split", "a_stateful_operator_starts_a_subquery", cases.chains, _same_operators, 9),
    ("split", "operators_before_any_stateful_one_stay_together", cases.unions, _same_operators, 9),
    ("split", "several_inputs_after_a_stateful_operator_start_a_subquery", cases.later, _same_operators, 9),
    after={
        "operators_before_any_stateful_one_stay_together": "a_stateful_operator_starts_a_subquery",
        "several_inputs_after_a_stateful_operator_start_a_subquery": "a_stateful_operator_starts_a_subquery",
    },
)
