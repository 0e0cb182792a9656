"""The checks of `Join`."""

from autograder.checks import Case, Mismatch, Rows, check, claim, same_items, same_sequence, same_value
from autograder.checks.compare import shown
from autograder.checks.rejection import must_answer
from autograder.stages.lab04_subqueries.aggregate.comparators import largest_states
from autograder.stages.lab04_subqueries.join import cases, oracle

SIDES = ("left", "right")


def _join(case: Case) -> str:
    fields = f", on={shown(case['on'])}" if case["on"] else ""
    groups = f", group_by={shown(case['group_by'])}" if case["group_by"] else ""
    emit = ", emit=lambda left, right: left" if case.get("emits_left") else ""
    predicate = ", predicate" if case.get("predicate") else ""
    return f"Join({case['left_ms']}, {case['right_ms']}{emit}{fields}{groups}{predicate})"


def _fed(case: Case) -> str:
    fields = {name for pair in case["on"] for name in pair} | {*case["group_by"], "t", "id"}
    fields |= {"v"} if case.get("predicate") else set()
    rows = [f"{SIDES[port]} {shown({k: v for k, v in row.items() if k in fields})}" for port, row in case["rows"]]
    return ", ".join([*rows[:4], f"and {len(rows) - 4} more"] if len(rows) > 5 else rows)


def _same_pairs(case: Case, rows: Rows) -> Mismatch | None:
    """Compare all joined rows, in any order."""
    expected, got = oracle.joined(case), rows.get("joined")
    if wrong := must_answer(_join(case), "an operator", rows):
        return wrong
    if isinstance(got, list) and all(isinstance(each, list) for each in got):
        got = [row for each in got for row in each]
    return same_items(expected, got, what=f"rows of {_join(case)} for {_fed(case)}")


@check("Join", cases=cases.fields, invariant=5, after="rows_join_while_the_earlier_one_is_in_its_window")
def rows_join_if_their_fields_are_equal_and_the_predicate_holds(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the joined rows and the keys of both inputs, which name these fields."""
    right, keys = oracle.keys(case), rows.get("keys")
    if wrong := _same_pairs(case, rows):
        return wrong
    for port, expected in enumerate(right):
        got = keys[port] if isinstance(keys, list) and len(keys) == 2 else keys
        what = f"keys({port}) of {_join(case)}"
        wrong = same_sequence(expected, got, what=what) if expected else same_value(None, got, what=what)
        if wrong:
            return wrong
    return None


@check("Join", cases=cases.asked, invariant=3, after="rows_join_while_the_earlier_one_is_in_its_window")
def the_predicate_is_called_only_for_pairs_in_their_windows(case: Case, rows: Rows) -> Mismatch | None:
    """Allow at most one call for each of these pairs."""
    asked, most = rows.get("asked"), len(oracle.in_windows(case))
    if wrong := _same_pairs(case, rows):
        return wrong
    if isinstance(asked, list) and len(asked) <= most:
        return None
    calls = len(asked) if isinstance(asked, list) else shown(asked)
    what = f"{_join(case)} to call the predicate at most {most} times for {_fed(case)}"
    return Mismatch(f"Expected {what}; yours calls it {calls} times.", most, calls)


@check("Join", cases=cases.forgotten, invariant=3, after="rows_join_while_the_earlier_one_is_in_its_window")
def rows_that_cannot_join_any_more_are_deleted(case: Case, rows: Rows) -> Mismatch | None:
    """Require that everything is in the state, and limit it by the rows that can still join."""
    needed = oracle.needed_rows(case)
    return _same_pairs(case, rows) or largest_states(_join(case), rows, needed)


CLAIMS = [
    claim("Join", "rows_join_while_the_earlier_one_is_in_its_window", cases.windows, _same_pairs, invariant=4),
    claim(
        "Join",
        "each_pair_joins_once_whichever_row_comes_first",
        cases.orders,
        _same_pairs,
        invariant=4,
        after="rows_join_while_the_earlier_one_is_in_its_window",
    ),
]
