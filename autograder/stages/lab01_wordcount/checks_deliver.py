"""What is claimed of `deliver`: one field of the Delivery, or one law about all of them, a check."""

from collections.abc import Mapping
from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, same_items, same_sequence, same_value
from autograder.checks.compare import shown
from autograder.stages.lab01_wordcount import cases_deliver, oracle


def _field(name: str, case: Case, rows: Rows) -> Mismatch | None:
    expected = oracle.delivery(**case)
    return _no_delivery(case, rows) or same_value((expected or {})[name], rows[name], what=f"{_call(case)}.{name}")


def _no_delivery(case: Case, rows: Rows) -> Mismatch | None:
    if "rejected" in rows:
        return Mismatch(f"Expected {_call(case)} to return a Delivery; yours raises ValueError: {rows['rejected']}.")
    if "returned" in rows:
        return Mismatch(f"Expected {_call(case)} to return a Delivery; yours returns {rows['returned']}.")
    return None


def _call(case: Case) -> str:
    return f"deliver({', '.join(shown(value, 60) for value in case.values())})"


def _is_full(case: Case) -> bool:
    """Whether a message finds the buffer full, ever."""
    right: Mapping[str, Any] = oracle.delivery(**case) or {}
    return bool(right["dropped"] or right["held_up_ms"])


@check("deliver", cases=cases_deliver.any_source, invariant=9)
def every_message_is_delivered_dropped_or_queued(case: Case, rows: Rows) -> Mismatch | None:
    """Conservation: each exactly once."""
    wrong = _no_delivery(case, rows)
    if wrong:
        return wrong
    lists = [rows[name] for name in ("delivered", "dropped", "queued")]
    if not all(isinstance(each, list) for each in lists):
        return same_value("three lists", lists, what=f"delivered, dropped and queued of {_call(case)}")
    messages = [message for each in lists for message in each]
    for number in range(len(case["arrivals_ms"])):
        if messages.count(number) != 1:
            what = f"message {number} of {_call(case)} in one of delivered, dropped and queued"
            return Mismatch(f"Expected {what}; yours has it in {messages.count(number) or 'none'}.", 1, lists)
    return same_items(range(len(case["arrivals_ms"])), messages, what=f"messages of {_call(case)}")


@check("deliver", cases=cases_deliver.sources, invariant=9)
def messages_leave_in_the_order_in_which_they_came(case: Case, rows: Rows) -> Mismatch | None:
    """First the delivered ones, then those that are still queued."""
    wrong = _no_delivery(case, rows)
    if wrong or not (isinstance(rows["delivered"], list) and isinstance(rows["queued"], list)):
        return wrong or same_value("a list", rows["delivered"], what=f"delivered of {_call(case)}")
    left = rows["delivered"] + rows["queued"]
    return same_sequence(sorted(left, key=_number), left, what=f"delivered and then queued of {_call(case)} to be")


def _number(value: Any) -> float:
    return value if isinstance(value, int | float) else -1


@check("deliver", cases=cases_deliver.sources, invariant=9)
def a_full_buffer_drops_the_message_that_comes(case: Case, rows: Rows) -> Mismatch | None:
    """Policy drop."""
    return _field("dropped", case, rows) if case["policy"] == "drop" else None


@check("deliver", cases=cases_deliver.sources, invariant=9)
def a_producer_that_is_held_up_loses_nothing(case: Case, rows: Rows) -> Mismatch | None:
    """Policy block."""
    return _field("dropped", case, rows) if case["policy"] == "block" else None


@check("deliver", cases=cases_deliver.sources, invariant=9)
def time_held_up_is_counted_once(case: Case, rows: Rows) -> Mismatch | None:
    """From the moment at which the producer could offer the message; with policy drop it is 0."""
    return _field("held_up_ms", case, rows)


@check("deliver", cases=cases_deliver.sources, invariant=9)
def the_longest_queue_counts_messages_that_wait(case: Case, rows: Rows) -> Mismatch | None:
    """The message in service waits no longer."""
    return _field("longest_queue", case, rows)


@check("deliver", cases=cases_deliver.sources, invariant=9)
def delivered_is_what_was_finished_by_the_last_hand_over(case: Case, rows: Rows) -> Mismatch | None:
    """Where the buffer is never full, so that only the end of the observation counts."""
    return None if _is_full(case) else _field("delivered", case, rows)


@check("deliver", cases=cases_deliver.ties, invariant=9)
def at_one_instant_a_completion_comes_before_an_arrival(case: Case, rows: Rows) -> Mismatch | None:
    """The message finds the place that has just become free."""
    return _field("dropped", case, rows)


@check("deliver", cases=cases_deliver.wrong_arguments, invariant=9)
def arguments_that_cannot_be_meant_are_refused(case: Case, rows: Rows) -> Mismatch | None:
    """With ValueError."""
    if "rejected" in rows:
        return None
    return Mismatch(f"Expected {_call(case)} to raise ValueError; yours returns {shown(rows)}.")
