"""The checks of `SlidingSum` and `SlidingMax`: their results, and the operations that each step takes."""

from collections.abc import Sequence
from typing import Any

from autograder.checks import Case, Check, Mismatch, Rows, check, claim, same_value, throughput
from autograder.checks.compare import equal, shown
from autograder.checks.registry import Cases
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab02_windows.sliding import cases, oracle, workload

FEW_STEPS = 8


def _same_answers(task: str, case: Case, rows: Rows, expected: Sequence[Any], tolerance: float = 0) -> Mismatch | None:
    """Return the first step whose answer differs; the return value of `add` and `expire` does not matter."""
    for at, (step, want, got) in enumerate(zip(case["steps"], expected, rows["answers"], strict=True)):
        if equal(want, got):
            continue
        call = _call(task, case, at)
        row = got if isinstance(got, dict) else {"answer": got}
        kind = "a value" if step[0] == "result" else "without an error"
        wrong = must_reject(call, row) if want == oracle.REJECTED else must_answer(call, kind, row)
        if wrong is None and want not in (None, oracle.REJECTED):
            wrong = same_value(want, got, what=call, tolerance=tolerance)
        if wrong:
            return wrong
    return None


def _call(task: str, case: Case, at: int) -> str:
    """Name the call of one step: "result() of a new SlidingSum", "expire() of a SlidingSum after add(5)"."""
    before = steps_so_far(case["steps"], at)
    beside = f", while another {task} holds {shown(case['other'])}," if "other" in case else ""
    return f"{case['steps'][at][0]}() of a {f'{task} after {before}' if before else f'new {task}'}{beside}"


def steps_so_far(steps: Sequence[Sequence[Any]], at: int) -> str:
    """Return the calls before the one at position `at`; of many only the last few.

    Example: steps_so_far([["add", 5], ["expire"], ["result"]], 2) -> "add(5), expire()"
    """
    before = [f"{name}({', '.join(map(shown, value))})" for name, *value in steps[:at]]
    hidden = len(before) - FEW_STEPS
    return ", ".join([f"{hidden} calls", *before[hidden:]] if hidden > 1 else before)


# SlidingSum


def _same_sums(case: Case, rows: Rows) -> Mismatch | None:
    return _same_answers("SlidingSum", case, rows, oracle.sums(case["steps"]))


@check("SlidingSum", cases=cases.long_windows, invariant=3, after="result_is_the_sum_of_the_window")
def a_step_costs_at_most_one_operation(case: Case, rows: Rows) -> Mismatch | None:
    """Allow one + when a value enters, one - when it leaves and none for the result, which has to be right."""
    if wrong := _same_sums(case, rows):
        return wrong
    for at, (step, work) in enumerate(zip(case["steps"], rows["work_of_each_step"], strict=True)):
        most = 0 if step[0] == "result" else 1
        if work > most:
            allowed = "at most one operation on values (a + or a -)" if most else "no operation on values"
            sentence = f"Expected {_call('SlidingSum', case, at)} to take {allowed}; yours takes {work}."
            return Mismatch(sentence, most, work)
    return None


@check("SlidingSum", cases=cases.floats, invariant=2, after="result_is_the_sum_of_the_window")
def float_sums_stay_within_the_rounding_error(case: Case, rows: Rows) -> Mismatch | None:
    """Compare with exact arithmetic; each operation may round once."""
    expected, allowed = oracle.sums(case["steps"]), oracle.rounding_allowed(case["steps"])
    return _same_answers("SlidingSum", case, rows, expected, allowed)


@throughput("SlidingSum", workload=workload.workload, unit="slides")
def sliding_is_faster_than_recomputing_each_window(content: bytes, rows: Rows) -> Mismatch | None:
    """Judge one turn: all results are right."""
    wrong = must_answer("SlidingSum", "an object with add, expire and result", rows)
    return wrong or workload.same_sums_at_once(content, rows["results"])


# SlidingMax


def _same_maxima(case: Case, rows: Rows) -> Mismatch | None:
    return _same_answers("SlidingMax", case, rows, oracle.maxima(case["steps"]))


@check("SlidingMax", cases=cases.long_windows, invariant=3, after="result_is_the_maximum_of_the_window")
def three_comparisons_per_value_are_enough(case: Case, rows: Rows) -> Mismatch | None:
    """Allow 3n + 3 comparisons for n values that enter and leave, with at most n results, which are right."""
    wrong = _same_maxima(case, rows)
    values = sum(1 for step in case["steps"] if step[0] == "add")
    if wrong or rows["comparisons"] <= 3 * values + 3:
        return wrong
    what = f"{values} values to enter and leave a SlidingMax with at most {3 * values + 3} comparisons"
    return Mismatch(f"Expected {what}; yours takes {rows['comparisons']}.", 3 * values + 3, rows["comparisons"])


AFTER = {
    "an_empty_window_has_sum_zero_and_rejects_expire": "result_is_the_sum_of_the_window",
    "equal_values_expire_one_at_a_time": "result_is_the_maximum_of_the_window",
    "an_empty_window_rejects_result_and_expire": "result_is_the_maximum_of_the_window",
}


def _of_the_sum(name: str, made: Cases, invariant: int) -> Check:
    return claim("SlidingSum", name, made, _same_sums, invariant=invariant, after=AFTER.get(name, ()))


def _of_the_maximum(name: str, made: Cases, invariant: int) -> Check:
    return claim("SlidingMax", name, made, _same_maxima, invariant=invariant, after=AFTER.get(name, ()))


CLAIMS = [
    _of_the_sum("result_is_the_sum_of_the_window", cases.whole_numbers, 2),
    _of_the_sum("an_empty_window_has_sum_zero_and_rejects_expire", cases.empty_windows, 13),
    _of_the_maximum("result_is_the_maximum_of_the_window", cases.whole_numbers, 3),
    _of_the_maximum("equal_values_expire_one_at_a_time", cases.equal_values, 3),
    _of_the_maximum("an_empty_window_rejects_result_and_expire", cases.empty_windows, 13),
]
