"""The checks of `window_starts`, `aggregate_function` and `Aggregate`."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from autograder.checks import (
    Case,
    Check,
    Mismatch,
    Rows,
    check,
    claim,
    same_items,
    same_sequence,
    same_value,
    throughput,
)
from autograder.checks.compare import equal, key_of, shown
from autograder.checks.registry import Cases
from autograder.checks.rejection import must_answer
from autograder.stages.lab04_subqueries.aggregate import cases, oracle, workload
from autograder.stages.lab04_subqueries.aggregate.comparators import largest_states

ROWS_CHARS = 250  # more rows are counted

# window_starts


def _window(case: Case) -> str:
    kind, size, advance = case["window"]
    return f"{'TimeWindow' if kind == 'time' else 'SizeWindow'}(size={size}, advance={advance})"


def _same_starts(case: Case, rows: Rows) -> Mismatch | None:
    right = [(at, oracle.starts(case["window"], at)) for at in case["positions"]]
    starts = rows.get("starts")
    got = starts if isinstance(starts, list) and len(starts) == len(case["positions"]) else [None]
    for (at, expected), answer in zip(right, got, strict=False):
        if wrong := same_sequence(expected, answer, what=f"window_starts({_window(case)}, {at})"):
            return wrong
    return None


# aggregate_function


def _function(case: Case) -> str:
    return f'aggregate_function("{case["name"]}") over {shown(case["values"])}'


def _same_function(case: Case, rows: Rows) -> Mismatch | None:
    expected, call = oracle.result_of(case["name"], case["values"]), _function(case)
    wrong = must_answer(call, "AggregateFunction(lift, combine, lower)", rows)
    wrong = wrong or same_value(expected, rows.get("in_turn"), what=f"{call}, one after the other,", tolerance=1e-9)
    halves = rows.get("halves")
    pair = halves if isinstance(halves, list) and len(halves) == 2 else [halves, None]
    wrong = wrong or same_value(expected, pair[0], what=f"{call}, combined from two halves,", tolerance=1e-9)
    again = f"{call}, combined from the same two halves a second time,"
    return wrong or same_value(expected, pair[1], what=again, tolerance=1e-9)


# Aggregate

# over the values 5, -3, 7
RESULTS_OF_PROBES = {"COUNT": 3, "SUM": 9, "MIN": -3, "MAX": 7, "AVG": 3, "FIRST_VAL": 5, "LAST_VAL": 7}
PROBES_OF_STEPS = {
    "Panes": [
        {"returned": True, "panes": [[0, [[5], 70]]]},
        {"returned": True, "panes": [[0, [[5], 70]], [4, [[2], 30]]]},
        {"returned": [[2, 5, 2], 101], "panes": [[4, [[2], 30]]]},
    ],
    "add_row": [{"returned": None, "empty": False}, {"returned": [0, [0], [1]], "empty": True}],
}


def _aggregate(case: Case) -> str:
    functions = ", ".join(f"{result}={name}({field})" for result, (name, field) in case["functions"].items())
    return f"Aggregate({shown(case['group_by'])}, {_window(case)}, {functions})"


def _names_the_part(judge: Callable[[Case, Rows], Mismatch | None]) -> Callable[[Case, Rows], Mismatch | None]:
    """Wrap a judge: if a part that `Aggregate` uses is wrong by itself, the mismatch starts with that."""

    @wraps(judge)
    def judged(case: Case, rows: Rows) -> Mismatch | None:
        wrong = judge(case, rows)
        part = wrong and _wrong_part(case, rows.get("parts"))
        return Mismatch(f"{part} {wrong.sentence}", wrong.expected, wrong.got) if wrong and part else wrong

    return judged


def _wrong_part(case: Case, parts: Any) -> str | None:
    """Return which part is wrong: `window_starts`, or a function that this aggregate uses."""
    answers = parts if isinstance(parts, dict) else {}
    starts = answers.get("window_starts")
    if isinstance(starts, dict) and starts.get("starts") != [[0, 4, 8], [4, 8]]:
        return "First fix your window_starts, whose own check fails."
    for name, _ in case["functions"].values():
        values = answers.get(name)
        if isinstance(values, dict) and not equal(RESULTS_OF_PROBES.get(name), values.get("in_turn")):
            return f'First fix your aggregate_function("{name}"), whose own check fails.'
    for step, right in PROBES_OF_STEPS.items():
        found = answers.get(step)
        if isinstance(found, dict) and "failed" not in found and found.get("answers") != right:
            return f"First fix your {step}, whose own check fails."
    return None


def _flat(answers: Any) -> Any:
    """Return all rows of all calls; anything but a list of lists of rows is returned unchanged."""
    if not isinstance(answers, list) or not all(isinstance(each, list) for each in answers):
        return answers
    return [row for each in answers for row in each]


def _same_results(case: Case, rows: Rows) -> Mismatch | None:
    """Compare all results, whichever call returned them."""
    expected, call = oracle.answers(case), _aggregate(case)
    if wrong := must_answer(call, "an operator", rows):
        return wrong
    want, got = _flat(expected), _flat(rows.get("answers"))
    deciding = _rows_of_group(case, case["rows"], want, got)
    return same_items(want, got, what=f"results of {call} for {_listed(deciding)}")


def _rows_of_group(case: Case, rows: list[Any], want: list[Any], got: Any) -> list[Any]:
    """Return the rows of the group in which the first result is missing; all rows if none is."""
    answered = set(map(key_of, got if isinstance(got, list) else []))
    missing = next((row for row in want if key_of(row) not in answered), None)
    if missing is None:
        return rows
    return [row for row in rows if all(equal(row[name], missing[name]) for name in case["group_by"])]


def _listed(rows: list[Any]) -> str:
    text = shown(rows, ROWS_CHARS)
    return f"{len(rows)} rows" if text.endswith("…") else text


def _same_groups(case: Case, rows: Rows) -> Mismatch | None:
    """Compare all results, and the keys, which are the group-by fields."""
    what = f"keys(0) of {_aggregate(case)}"
    return _same_results(case, rows) or same_sequence(case["group_by"], rows.get("keys"), what=what)


def _same_call_by_call(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the results of each call."""
    expected, got = oracle.answers(case), rows.get("answers")
    if wrong := must_answer(_aggregate(case), "an operator", rows):
        return wrong
    if not isinstance(got, list) or len(got) != len(expected):
        return Mismatch(f"Expected {_aggregate(case)} to answer {len(expected)} calls; yours is {shown(got)}.")
    for at, (want, have) in enumerate(zip(expected, got, strict=True)):
        before = _rows_of_group(case, case["rows"][: at // 2], want, have)
        what = f"results of {_call(case, at)} of {_aggregate(case)} after {_listed(before)}"
        if wrong := same_items(want, have, what=what):
            return wrong
    return None


def _call(case: Case, at: int) -> str:
    number, is_row = divmod(at, 2)
    if is_row:
        return f"on_row({shown(case['rows'][number])})"
    until = case["rows"][number]["t"] if number < len(case["rows"]) else case.get("until_ms", "END_MS")
    return f"on_time({until})"


@check("Aggregate", cases=cases.counted, invariant=2, after="a_time_window_is_emitted_when_time_reaches_its_end")
@_names_the_part
def a_row_is_combined_once_however_many_windows_hold_it(case: Case, rows: Rows) -> Mismatch | None:
    """Limit the + of SUM and the comparisons of MAX, for results that are right."""
    most, operations = oracle.most_operations(case), rows.get("operations")
    if wrong := _same_results(case, rows):
        return wrong
    if isinstance(operations, int) and operations <= most:
        return None
    what = f"SUM and MAX of {len(case['rows'])} rows in {_window(case)} to take at most {most} + and comparisons"
    return Mismatch(f"Expected {what}; yours take {shown(operations)}.", most, operations)


@check("Aggregate", cases=cases.forgotten, invariant=3, after="another_aggregate_continues_from_its_state")
@_names_the_part
def state_that_no_window_needs_is_deleted(case: Case, rows: Rows) -> Mismatch | None:
    """Limit each pickled state from which another object continues by the rows in windows that are still open."""
    needed = oracle.needed_rows(case)
    return _same_results(case, rows) or largest_states(_aggregate(case), rows, needed)


@throughput("Aggregate", workload=workload.workload, unit="rows")
def panes_are_faster_than_windows_that_keep_their_rows(content: bytes, rows: Rows) -> Mismatch | None:
    """Judge one turn: all results are right."""
    return must_answer("Aggregate", "an operator", rows) or workload.same_results(content, rows)


AFTER = {
    "groups_are_aggregated_separately": "a_size_window_is_emitted_only_when_it_is_full",
    "a_time_window_is_emitted_when_time_reaches_its_end": "groups_are_aggregated_separately",
    "another_aggregate_continues_from_its_state": "a_time_window_is_emitted_when_time_reaches_its_end",
}


def _of_aggregate(name: str, made: Cases, judge: Any, invariant: int) -> Check:
    return claim("Aggregate", name, made, _names_the_part(judge), invariant=invariant, after=AFTER.get(name, ()))


CLAIMS = [
    claim("window_starts", "a_window_holds_its_start_and_not_its_end", cases.borders, _same_starts, invariant=1),
    claim(
        "window_starts",
        "every_window_that_holds_a_position_is_returned",
        cases.uneven,
        _same_starts,
        invariant=1,
        after="a_window_holds_its_start_and_not_its_end",
    ),
    claim("aggregate_function", "each_function_gives_its_own_result", cases.values, _same_function, invariant=2),
    _of_aggregate("a_size_window_is_emitted_only_when_it_is_full", cases.sized, _same_call_by_call, 1),
    _of_aggregate("groups_are_aggregated_separately", cases.grouped, _same_groups, 5),
    _of_aggregate("a_time_window_is_emitted_when_time_reaches_its_end", cases.closing, _same_call_by_call, 1),
    _of_aggregate("another_aggregate_continues_from_its_state", cases.states, _same_results, 3),
]
