"""The checks of `enrich_sync`, `look_up`, `enrich_async` and `enrich_batched`."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, claims, same_items, same_sequence, same_value, throughput
from autograder.checks.compare import shown
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab06_enrichment.clients import cases, oracle, workload
from autograder.stages.lab06_enrichment.clients.comparators import (
    by_moment,
    call_of,
    first_wrong,
    ids_of,
    look_up_of,
    sorted_calls,
    with_times,
)

LATE_MS = 0.01  # that an end may come after its moment

# enrich_sync


def _same_results(case: Case, rows: Rows) -> Mismatch | None:
    expected, error = oracle.results(case), "StoreError" if "breaks" in case else None
    if wrong := first_wrong(case, expected, rows.get("given")):
        return wrong
    return same_value(error, rows.get("raised"), what=f"the error that {call_of(case)} raises")


@check("enrich_sync", cases=cases.changing, invariant=3)
def each_lookup_sees_the_store_as_it_is_at_that_moment(case: Case, rows: Rows) -> Mismatch | None:
    """Change rows between results, and check calls and results.

    Each result takes three calls, in the order of the keys; no transaction is taken ahead.
    """
    if wrong := _same_results(case, rows):
        return wrong
    asked = [[key] for each in case["transactions"] for key in cases.keys(each)]
    if wrong := same_sequence(asked, rows.get("calls"), what="the keys of your calls"):
        return wrong
    one_each = list(range(1, len(case["transactions"]) + 1))
    return same_sequence(one_each, rows.get("taken"), what="the number of transactions taken at each result")


# look_up


def _looked_up(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the result and its time: the three lookups run at the same time, each at most for the time-out."""
    [expected], [took_ms] = oracle.results(case), oracle.durations_ms(case)
    if wrong := must_answer(look_up_of(case), "a result", rows):
        return wrong
    if raised := rows.get("raised"):
        what = f"{look_up_of(case)} to return {shown(expected)}"
        return Mismatch(f"Expected {what}; yours raises {shown(raised)}.", expected, raised)
    wrong = same_value(expected, rows.get("given"), what=look_up_of(case))
    what = f"the time in ms that {look_up_of(case)} takes"
    return wrong or same_value(took_ms, rows.get("at_ms"), what=what, tolerance=1e-3)


@check("look_up", cases=cases.ended, invariant=4)
def look_up_leaves_nothing_running(case: Case, rows: Rows) -> Mismatch | None:
    """Check this, and that it ends at once, after an error that is not the store's and after a cancellation."""
    ends_ms = oracle.ends_ms(case)
    if wrong := must_answer(look_up_of(case), "a result or an error", rows):
        return wrong
    cancelled = "cancel_ms" in case
    error = "CancelledError" if cancelled else oracle.planned_error(case)
    when = f"when it is cancelled after {case['cancel_ms']} ms" if cancelled else f"when a lookup raises {error}"
    wrong = same_value(error, rows.get("raised"), what=f"the error that {look_up_of(case)} raises {when},")
    what = f"the number of calls that {look_up_of(case)} leaves running {when},"
    wrong = wrong or same_value(0, rows.get("running"), what=what)
    what = f"the time in ms at which {look_up_of(case)} ends {when} (the other lookups are cancelled, not waited for),"
    return wrong or same_value(ends_ms, rows.get("at_ms"), what=what, tolerance=LATE_MS)


# enrich_async


def _in_order(case: Case, rows: Rows) -> Mismatch | None:
    return must_answer(call_of(case), "results", rows) or _same_results(case, rows)


def _at_their_times(case: Case, rows: Rows) -> Mismatch | None:
    expected = oracle.given(case)
    if wrong := must_answer(call_of(case), "results", rows):
        return wrong
    if case.get("ordered", True) and (wrong := first_wrong(case, [each for each, _ in expected], rows.get("given"))):
        return wrong
    got = with_times(rows)
    want = [[each[0][0], ms, each[2]] for each, ms in expected]
    what = f"the results (id, ms, flags) of {call_of(case)}"
    if case.get("ordered", True):
        return same_sequence(want, got, what=what)
    return same_items(want, got, what=what) or same_sequence(want, by_moment(got), what=what)


def _time_in_all(case: Case, rows: Rows) -> Mismatch | None:
    expected = oracle.given(case)
    if wrong := _complete(case, expected, rows):
        return wrong
    times = rows.get("at_ms")
    last = times[-1] if isinstance(times, list) and times else None
    what = f"the time in ms until the last result of {call_of(case)}"
    return same_value(expected[-1][1], last, what=what, tolerance=1e-3)


def _complete(case: Case, expected: list[Any], rows: Rows) -> Mismatch | None:
    """Compare all results, in any order."""
    if wrong := must_answer(call_of(case), "results", rows):
        return wrong
    return same_items([each for each, _ in expected], rows.get("given"), what=f"the results of {call_of(case)}")


@check("enrich_async", cases=cases.capacities, invariant=4)
def at_most_capacity_transactions_are_taken_and_not_returned(case: Case, rows: Rows) -> Mismatch | None:
    """Check this while all results are read."""
    if wrong := _complete(case, oracle.given(case), rows):
        return wrong
    most = rows.get("most_open")
    if type(most) is int and 1 <= most <= case["capacity"]:
        return None
    what = f"{call_of(case)} to have at most {case['capacity']} transactions taken and not yet yielded"
    return Mismatch(f"Expected {what}; yours has {shown(most)}.", case["capacity"], most)


@check("enrich_async", cases=cases.unanswered, invariant=2)
def a_lookup_that_fails_or_takes_too_long_has_no_answer(case: Case, rows: Rows) -> Mismatch | None:
    """Check also that the other two lookups of the transaction keep their answers."""
    return _complete(case, oracle.given(case), rows)


@check(
    "enrich_async",
    cases=cases.errors,
    invariant=8,
    after=("results_keep_the_order_of_the_input", "a_lookup_that_fails_or_takes_too_long_has_no_answer"),
)
def an_error_that_is_not_of_the_store_is_raised(case: Case, rows: Rows) -> Mismatch | None:
    """Check also that an error of the store is not raised, and that with order the results before the error come."""
    error, expected, before = oracle.planned_error(case), oracle.given(case), oracle.ids_before_error(case)
    if error is None:
        return _complete(case, expected, rows)
    what = f"the error that {call_of(case)} raises, when a lookup raises {error},"
    wrong = must_answer(call_of(case), "results", rows) or same_value(error, rows.get("raised"), what=what)
    if wrong or not case.get("ordered", True):
        return wrong
    failing = case["transactions"][len(before)][0]
    what = f"the ids of the results of {call_of(case)} before the {error} of {failing}"
    return same_sequence(before, ids_of(rows.get("given")), what=what)


@check("enrich_async", cases=cases.stops, invariant=4, after="an_error_that_is_not_of_the_store_is_raised")
def a_reader_who_stops_leaves_nothing_running(case: Case, rows: Rows) -> Mismatch | None:
    """Check this after `aclose()` and after an error; the results before must be right."""
    known, stop, error = oracle.given(case), case.get("stop_after"), oracle.planned_error(case)
    if wrong := must_answer(call_of(case), "results", rows):
        return wrong
    if wrong := same_value(error, rows.get("raised"), what=f"the error that {call_of(case)} raises"):
        return wrong
    if stop and (wrong := _some_of([each for each, _ in known], stop, rows, case)):
        return wrong
    after = f"after result {stop} and aclose()" if stop else f"after the {error}"
    wrong = same_value(0, rows.get("running"), what=f"the number of calls to the store still running {after}")
    at_ms = rows.get("at_ms")
    if wrong or not stop or not isinstance(at_ms, list):
        return wrong
    what = f"the time in ms at which {call_of(case)} has ended, {after} (lookups are cancelled, not waited for),"
    return same_value(at_ms[-1], rows.get("ended_ms"), what=what, tolerance=1e-3)


def _some_of(known: list[Any], stop: int, rows: Rows, case: Case) -> Mismatch | None:
    """Compare the first `stop` results; without order, accept any right ones, each once."""
    got = rows.get("given")
    if case.get("ordered", True) or not isinstance(got, list) or len(got) != stop:
        return first_wrong(case, known[:stop], got)
    return same_items([each for each in known if each in got], got, what=f"the first {stop} results of {call_of(case)}")


@check("enrich_async", cases=cases.invalid, invariant=14)
def invalid_capacities_and_timeouts_raise_value_error(case: Case, rows: Rows) -> Mismatch | None:
    """Check also that a capacity of 1 and a short timeout are valid."""
    if case["capacity"] < 1 or case["timeout_ms"] <= 0:
        return must_reject(call_of(case), rows)
    return _complete(case, oracle.given(case), rows)


@throughput("enrich_async", workload=workload.workload, unit="lookups")
def many_calls_in_flight_are_faster_than_one(content: bytes, rows: Rows) -> Mismatch | None:
    """Check one turn: every payment, in order."""
    case = workload.case_of(content)
    return first_wrong(case, oracle.results(case), rows.get("given"))


# enrich_batched


@check("enrich_batched", cases=cases.called, invariant=4, after="answers_come_in_order_and_the_last_batch_too")
def a_batch_is_one_call_with_each_key_once(case: Case, rows: Rows) -> Mismatch | None:
    """Accept the keys of a call in any order; sizes below 1 must be rejected."""
    if case["batch"] < 1:
        return must_reject(call_of(case), rows)
    expected = oracle.calls(case)
    if wrong := must_answer(call_of(case), "results", rows):
        return wrong
    return same_sequence(expected, sorted_calls(rows), what=f"the sorted keys of each call of {call_of(case)}")


@check("enrich_batched", cases=cases.batches, invariant=4, after="answers_come_in_order_and_the_last_batch_too")
def no_more_than_a_batch_is_taken_ahead(case: Case, rows: Rows) -> Mismatch | None:
    """Check this for results that are right."""
    if wrong := _in_order(case, rows):
        return wrong
    size, many = case["batch"], len(case["transactions"])
    most = [min(many, (at // size + 1) * size) for at in range(many)]
    return same_sequence(
        most, rows.get("taken"), what=f"the number of transactions taken at each result of {call_of(case)}"
    )


CLAIMS = claims(
    ("enrich_sync", "every_transaction_comes_out_once_with_its_flags", cases.asked_for, _same_results, 1),
    ("look_up", "the_three_lookups_of_a_payment_run_at_once", cases.together, _looked_up, 4),
    ("look_up", "a_lookup_without_an_answer_leaves_the_others_theirs", cases.without_an_answer, _looked_up, 2),
    ("enrich_async", "results_keep_the_order_of_the_input", cases.in_order_and_a_database, _in_order, 5),
    ("enrich_async", "without_order_a_result_comes_as_soon_as_it_is_done", cases.as_done, _at_their_times, 5),
    ("enrich_async", "the_time_is_that_of_capacity_transactions_at_once", cases.capacities, _time_in_all, 4),
    ("enrich_batched", "answers_come_in_order_and_the_last_batch_too", cases.batches_and_a_database, _in_order, 1),
    after={
        "a_lookup_without_an_answer_leaves_the_others_theirs": "the_three_lookups_of_a_payment_run_at_once",
        "the_time_is_that_of_capacity_transactions_at_once": (
            "results_keep_the_order_of_the_input",
            "at_most_capacity_transactions_are_taken_and_not_returned",
        ),
    },
)
