"""The checks of `FirstFit`, and of the bonus tasks `least_workers` and `first_fit_vector`."""

import re

from autograder.checks import Case, Mismatch, Rows, check, claims, same_value, throughput
from autograder.checks.compare import equal, shown
from autograder.checks.registry import Judge
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab07_irm.packing import cases, comparators, oracle, workload

# FirstFit


def _steps(*fields: str) -> Judge:
    def judge(case: Case, rows: Rows) -> Mismatch | None:
        return comparators.first_wrong_step(case, oracle.steps(case), rows, fields)

    return judge


@check("FirstFit", cases=cases.too_large, invariant=12)
def a_size_that_fits_no_worker_raises_value_error_with_the_reason(case: Case, rows: Rows) -> Mismatch | None:
    """Check that nothing changes, and that the text names engine, size and capacity."""
    if wrong := _steps("answer", "free", "used")(case, rows):
        return wrong
    return comparators.without_its_reason(case, rows) if "steps" in rows else None


@check("FirstFit", cases=cases.large, invariant=6, after="an_exact_fit_counts")
def a_place_is_found_with_few_comparisons(case: Case, rows: Rows) -> Mismatch | None:
    """Check this for workers that are right."""
    expected = oracle.workers_of(case)
    got, compared = rows.get("workers"), rows.get("compared")
    if not equal(expected, got):
        pairs = zip(expected, got, strict=False) if isinstance(got, list) else ()
        at = next((at for at, (want, answer) in enumerate(pairs) if not equal(want, answer)), 0)
        what = f"{comparators.call_of(case['script'][at])} to return {expected[at]}"
        answer = got[at] if isinstance(got, list) and at < len(got) else got
        return Mismatch(f"Expected {what}; yours returns {shown(answer)}. {comparators.story(case['script'], at)}")
    most = comparators.most_comparisons(case, expected)
    if type(compared) is int and compared <= most:
        return None
    what = f"{len(case['script'])} calls with {1 + max(expected)} workers to compare sizes at most {most} times"
    return Mismatch(f"Expected {what}; yours compare {shown(compared)} times.", most, compared)


@throughput("FirstFit", workload=workload.workload, unit="operations")
def a_tree_is_faster_than_a_scan(content: bytes, rows: Rows) -> Mismatch | None:
    """Check one turn: each line goes to the first worker with room."""
    return comparators.first_wrong_worker(content, rows.get("workers"))


# least_workers and first_fit_vector


def _same_bound(case: Case, rows: Rows) -> Mismatch | None:
    expected = oracle.least(case)
    limit = f", {case['capacity']}" if "capacity" in case else ""
    call = f"least_workers({shown(case['sizes'])}{limit})"
    if expected is None:
        return must_reject(call, rows)
    return must_answer(call, "a number", rows) or same_value(expected, rows.get("least"), what=call)


def _vector(case: Case) -> str:
    return f"first_fit_vector({shown(case['demands'])}, {shown(case['capacity'])})"


@check("first_fit_vector", cases=cases.vectors, invariant=6)
def every_resource_must_fit(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the workers of all demands."""
    expected = oracle.vector(case)
    return must_answer(_vector(case), "a list", rows) or same_value(expected, rows.get("workers"), what=_vector(case))


@check("first_fit_vector", cases=cases.impossible, invariant=12)
def the_error_names_demand_and_resource(case: Case, rows: Rows) -> Mismatch | None:
    """Check that both are named by their positions; demands at the limit are valid."""
    expected, wrong_at = oracle.vector(case), oracle.invalid(case)
    if wrong_at is None:
        return must_answer(_vector(case), "a list", rows) or same_value(
            expected, rows.get("workers"), what=_vector(case)
        )
    if wrong := must_reject(_vector(case), rows):
        return wrong
    text = str(rows.get("text", ""))
    named = re.findall(r"\d+", text)
    at_word = {word: int(number) for word, number in re.findall(r"\b(demand|resource)[ #=:]*(\d+)", text.lower())}
    is_swapped = [at_word.get("resource"), at_word.get("demand")] == wrong_at and wrong_at[0] != wrong_at[1]
    if all(str(position) in named for position in wrong_at) and not is_swapped:
        return None
    what = f"the ValueError of {_vector(case)} to name demand {wrong_at[0]} and resource {wrong_at[1]}"
    return Mismatch(f"Expected {what}; yours says {shown(text)}.", wrong_at, text)


CLAIMS = claims(
    ("FirstFit", "the_first_worker_with_room_is_taken", cases.first, _steps("answer"), 6),
    ("FirstFit", "an_exact_fit_counts", cases.exact, _steps("answer"), 6),
    ("FirstFit", "free_space_is_capacity_minus_the_sizes", cases.space, _steps("answer", "free"), 7),
    (
        "FirstFit",
        "numbers_stay_and_only_trailing_empty_workers_disappear",
        cases.numbered,
        _steps("answer", "free", "used"),
        8,
    ),
    ("least_workers", "the_bound_is_the_maximum_over_all_splits", cases.bounded, _same_bound, None),
    ("least_workers", "sizes_that_fit_no_worker_raise_value_error", cases.unbounded, _same_bound, 12),
    after={
        "an_exact_fit_counts": "the_first_worker_with_room_is_taken",
        "free_space_is_capacity_minus_the_sizes": "numbers_stay_and_only_trailing_empty_workers_disappear",
        "numbers_stay_and_only_trailing_empty_workers_disappear": "the_first_worker_with_room_is_taken",
    },
)
