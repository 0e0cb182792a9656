"""The checks of `Inbox`: the rows that leave after each message, and the results of queries in many instances."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from autograder.checks import Case, Check, Mismatch, Rows, check, claim, same_items, same_sequence, same_value
from autograder.checks.compare import shown
from autograder.checks.registry import Cases
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab04_subqueries.inbox import cases, oracle

Compare = Callable[[list[Any], Any, str], Mismatch | None]


def _message(message: list[Any]) -> str:
    sender, number, arrivals, until_ms = message
    rows = ", ".join(f"({t}, {shown(value)})" for t, value, _ in arrivals) or "no rows"
    promise = "END_MS" if until_ms == oracle.END_MS else until_ms
    return f"message {number} of {sender} ({rows}, until {promise})"


def _take(case: Case, at: int) -> str:
    before = [_message(each) for each in case["messages"][:at]]
    shown_before = before if len(before) < 5 else [f"{len(before) - 3} messages", *before[-3:]]
    after = f" after {', '.join(shown_before)}" if before else ""
    return f"take of {_message(case['messages'][at])}{after}, senders {', '.join(case['senders'])},"


def _same_answers(case: Case, rows: Rows, compare: Compare) -> Mismatch | None:
    if not case["senders"]:
        return must_reject("Inbox([])", rows)
    expected, got = oracle.answers(case), rows.get("answers")
    if not isinstance(got, list) or len(got) != len(expected):
        return Mismatch(f"Expected an answer to each of {len(expected)} messages; yours are {shown(got)}.")
    for at, (want, have) in enumerate(zip(expected, got, strict=True)):
        call, row = _take(case, at), have if isinstance(have, dict) else {"answer": have}
        if want == oracle.REJECTED:
            wrong = must_reject(call, row)
        else:
            wrong = must_answer(call, "a list of arrivals", row) or compare(want[0], row.get("left"), call)
            if wrong and _left_early(want[1], row.get("left")):
                wrong = replace(wrong, sentence=f"A row leaves too early (invariant 7). {wrong.sentence}")
            wrong = wrong or same_value(want[1], row.get("until_ms"), what=f"until_ms after {call}")
        if wrong:
            return wrong
    return None


def _left_early(until_ms: Any, left: Any) -> bool:
    """Return whether a row has left whose time the promises do not cover yet."""
    rows = left if isinstance(left, list) else []
    return any(isinstance(row, list) and row and isinstance(row[0], int) and row[0] >= until_ms for row in rows)


def _in_order(case: Case, rows: Rows) -> Mismatch | None:
    return _same_answers(case, rows, lambda want, got, call: same_sequence(want, got, what=f"the result of {call}"))


def _at_once(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the same rows in any order."""
    return _same_answers(case, rows, lambda want, got, call: same_items(want, got, what=f"rows of {call}"))


def _same_results(case: Case, rows: Rows) -> Mismatch | None:
    right, operators = oracle.results(case), ", ".join(name for name, *_ in case["operators"])
    run = f"the query {operators} in {shown(case['degrees'])} instances"
    if "failed" in rows:
        return Mismatch(f"Expected {run} to give its results; {shown(rows['failed'], 300)}.", None, rows["failed"])
    results = rows.get("results")
    for stream, expected in right.items():
        got = results.get(stream) if isinstance(results, dict) else results
        if wrong := same_items(expected, got, what=f"rows of {stream} of {run}"):
            return wrong
    return None


@check(
    "Inbox",
    cases=cases.killed,
    invariant=8,
    chain="lab03_log/PartitionLog",
    after=(
        "rows_leave_in_the_order_of_time_and_content",
        "no_row_waits_longer_than_necessary",
        "a_message_that_comes_again_is_ignored",
    ),
)
def killing_an_instance_changes_no_row(case: Case, rows: Rows) -> Mismatch | None:
    """Run instances as processes, connected by the learner's log of Lab 3 (the chain), and kill one (kill -9)."""
    return _same_results(case, rows)


AFTER: dict[str, str | tuple[str, ...]] = {
    "rows_leave_in_the_order_of_time_and_content": "a_row_waits_until_no_earlier_row_can_come",
    "no_row_waits_longer_than_necessary": "a_row_waits_until_no_earlier_row_can_come",
    "a_message_that_comes_again_is_ignored": "a_row_waits_until_no_earlier_row_can_come",
    "any_order_of_delivery_gives_the_centralized_answer": (
        "rows_leave_in_the_order_of_time_and_content",
        "no_row_waits_longer_than_necessary",
        "a_message_that_comes_again_is_ignored",
    ),
}


def _of(name: str, made: Cases, judge: Any, invariant: int) -> Check:
    return claim("Inbox", name, made, judge, invariant=invariant, after=AFTER.get(name, ()))


CLAIMS = [
    _of("rows_leave_in_the_order_of_time_and_content", cases.order, _in_order, 6),
    _of("a_row_waits_until_no_earlier_row_can_come", cases.early, _at_once, 7),
    _of("no_row_waits_longer_than_necessary", cases.prompt, _at_once, 7),
    _of("a_message_that_comes_again_is_ignored", cases.repeats, _at_once, 8),
    _of("impossible_messages_raise_value_error", cases.impossible, _at_once, 11),
    _of("any_order_of_delivery_gives_the_centralized_answer", cases.delivered, _same_results, 9),
]
