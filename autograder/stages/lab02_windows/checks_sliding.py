"""What is claimed of `SlidingSum` and `SlidingMax`: their results, and what each step costs, in operations."""

from collections.abc import Sequence
from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, same_value, throughput
from autograder.checks.compare import shown
from autograder.stages.lab02_windows import cases_sliding, oracle, workload_slides
from autograder.stages.lab02_windows.readings import answering, no_result, steps_so_far


def _same_results(task: str, case: Case, rows: Rows, expected: Sequence[Any], tolerance: float = 0) -> Mismatch | None:
    wrong = no_result(task, "an object with add, expire and result", rows)
    if wrong:
        return wrong
    steps, came = case["steps"], rows["results"]
    for number, (want, at) in enumerate(zip(expected, answering(steps), strict=True)):
        got = _plainly(came[number]) if number < len(came) else None
        wrong = _same_answer(f"{steps[at][0]} of a {task} after {steps_so_far(steps, at)}", want, got, tolerance)
        if wrong:
            return wrong
    return None


def _plainly(answer: Any) -> Any:
    """An answer with what a drive says of a rejection, or of a value that is no number, said in a word."""
    if not isinstance(answer, dict):
        return answer
    return oracle.REFUSED if "rejected" in answer else answer.get("returned", answer)


def _same_answer(what: str, want: Any, got: Any, tolerance: float) -> Mismatch | None:
    if want == got == oracle.REFUSED:
        return None
    if want == oracle.REFUSED:
        return Mismatch(f"Expected {what} to raise ValueError; yours gives {shown(got)}.", want, got)
    return same_value(want, got, what=what, tolerance=tolerance)


# SlidingSum


def _same_sums(case: Case, rows: Rows, tolerance: float = 0) -> Mismatch | None:
    return _same_results("SlidingSum", case, rows, oracle.sliding_sums(case["steps"]), tolerance)


@check("SlidingSum", cases=cases_sliding.whole_numbers, invariant=2)
def the_sum_is_that_of_the_values_in_the_window(case: Case, rows: Rows) -> Mismatch | None:
    """Whole numbers; the oldest leaves first."""
    return _same_sums(case, rows)


@check("SlidingSum", cases=cases_sliding.empty_windows, invariant=13)
def an_empty_window_sums_to_zero_and_has_nothing_to_expire(case: Case, rows: Rows) -> Mismatch | None:
    """At first, and when everything has left; a rejected expire changes nothing."""
    return _same_sums(case, rows)


@check("SlidingSum", cases=cases_sliding.long_windows, invariant=3)
def a_step_costs_at_most_one_operation(case: Case, rows: Rows) -> Mismatch | None:
    """One + when a value enters, one - when it leaves, none to say the result, which has to be right."""
    wrong = _same_sums(case, rows)
    if wrong:
        return wrong
    for at, (step, work) in enumerate(zip(case["steps"], rows["work_of_each_step"], strict=True)):
        most = 0 if step[0] == "result" else 1
        if work > most:
            what = f"{step[0]} of a SlidingSum after {steps_so_far(case['steps'], at)}"
            sentence = (
                f"Expected {what} to cost {'at most one + or -' if most else 'no + and no -'}; yours costs {work}."
            )
            return Mismatch(sentence, most, work)
    return None


@check("SlidingSum", cases=cases_sliding.floats, invariant=2)
def sums_of_floats_are_as_exact_as_rounding_allows(case: Case, rows: Rows) -> Mismatch | None:
    """Against exact arithmetic; each operation may round once."""
    return _same_sums(case, rows, oracle.rounding_allowed(case["steps"]))


@throughput("SlidingSum", workload=workload_slides.workload, unit="slides")
def sliding_is_faster_than_recomputing_each_window(content: bytes, rows: Rows) -> Mismatch | None:
    """One turn: all results right."""
    wrong = no_result("SlidingSum", "an object with add, expire and result", rows)
    return wrong or workload_slides.same_sums_at_once(content, rows["results"])


# SlidingMax


def _same_maxima(case: Case, rows: Rows) -> Mismatch | None:
    return _same_results("SlidingMax", case, rows, oracle.sliding_maxima(case["steps"]))


@check("SlidingMax", cases=cases_sliding.whole_numbers, invariant=3)
def the_maximum_is_that_of_the_values_in_the_window(case: Case, rows: Rows) -> Mismatch | None:
    """Also when the largest has left."""
    return _same_maxima(case, rows)


@check("SlidingMax", cases=cases_sliding.equal_values, invariant=3)
def equal_maxima_leave_one_by_one(case: Case, rows: Rows) -> Mismatch | None:
    """While one of them is in the window, it is the maximum."""
    return _same_maxima(case, rows)


@check("SlidingMax", cases=cases_sliding.empty_windows, invariant=13)
def an_empty_window_has_no_maximum_and_nothing_to_expire(case: Case, rows: Rows) -> Mismatch | None:
    """At first, and when everything has left; what was rejected changes nothing."""
    return _same_maxima(case, rows)


@check("SlidingMax", cases=cases_sliding.long_windows, invariant=3)
def three_comparisons_a_value_are_enough(case: Case, rows: Rows) -> Mismatch | None:
    """n values enter and leave with at most n looks: 3n + 3 comparisons in all, for results that are right."""
    wrong = _same_maxima(case, rows)
    values = sum(1 for step in case["steps"] if step[0] == "add")
    if wrong or rows["comparisons"] <= 3 * values + 3:
        return wrong
    what = f"{values} values to enter and leave a SlidingMax with at most {3 * values + 3} comparisons"
    return Mismatch(f"Expected {what}; yours makes {rows['comparisons']}.", 3 * values + 3, rows["comparisons"])
