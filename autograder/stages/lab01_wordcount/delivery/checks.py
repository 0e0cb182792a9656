"""The checks of `deliver`: each judges one field of the Delivery, or one rule about all fields."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from autograder.checks import Case, Mismatch, Rows, claims, same_items, same_sequence, same_value
from autograder.checks.compare import equal, key_of, shown
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab01_wordcount.delivery import cases, oracle

LISTS = ("delivered", "dropped", "queued")


def _call(case: Case) -> str:
    return f"deliver({', '.join(shown(value, 60) for value in case.values())})"


def _no_delivery(case: Case, rows: Rows) -> Mismatch | None:
    return must_answer(_call(case), "a Delivery", rows)


def _right(case: Case) -> Mapping[str, Any]:
    return oracle.delivery(**case) or {}


def _same(field: str, case: Case, rows: Rows, *, where: Callable[[Case], bool] = lambda case: True) -> Mismatch | None:
    """Compare one field of the Delivery, in the cases that the check covers."""
    if not where(case):
        return None
    return _no_delivery(case, rows) or same_value(_right(case)[field], rows[field], what=f"{_call(case)}.{field}")


def _served_by_the_end(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the delivered messages where nothing is dropped; other checks judge the policy, and services at the end.

    A blocked message is handed over at the end of a service, which may or may not count here.
    """
    right = _right(case)
    wrong = _no_delivery(case, rows)
    if wrong or right["dropped"] or (right["blocked_ms"] and rows["dropped"]):
        return wrong
    if right["blocked_ms"] and equal(right["delivered"][:-1], rows["delivered"]):
        return None
    return _same("delivered", case, rows)


def _each_once(case: Case, rows: Rows) -> Mismatch | None:
    """Check conservation: each message is in exactly one of the three lists, exactly once."""
    wrong = _no_delivery(case, rows)
    if wrong:
        return wrong
    lists = [rows[name] for name in LISTS]
    if not all(isinstance(each, list) for each in lists):
        return same_value("three lists", lists, what=f"delivered, dropped and queued of {_call(case)}")
    messages = [message for each in lists for message in each]
    times = Counter(map(key_of, messages))
    for number in range(len(case["arrivals_ms"])):
        if times[key_of(number)] != 1:
            what = f"message {number} of {_call(case)} in exactly one of delivered, dropped and queued"
            return Mismatch(f"Expected {what}; yours has it {times[key_of(number)]} times.", 1, lists)
    return same_items(range(len(case["arrivals_ms"])), messages, what=f"messages of {_call(case)}")


def _in_order(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the delivered messages, followed by the queued ones, with the order of arrival."""
    wrong = _no_delivery(case, rows)
    if wrong or not (isinstance(rows["delivered"], list) and isinstance(rows["queued"], list)):
        return wrong or same_value("a list", rows["delivered"], what=f"delivered of {_call(case)}")
    left = rows["delivered"] + rows["queued"]
    return same_sequence(sorted(left, key=_number), left, what=f"delivered + queued of {_call(case)}")


def _number(value: Any) -> float:
    return value if isinstance(value, int | float) else -1


def _completion_first(case: Case, rows: Rows) -> Mismatch | None:
    """Check that the arriving message gets the place that just became free, and that the served one is delivered."""
    wrong = _same("dropped", case, rows)
    if wrong or not cases.is_one_tie(case) or 0 in _list(rows["delivered"]):
        return wrong
    return same_value([0], rows["delivered"], what=f"{_call(case)}.delivered")


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _invalid_is_rejected(case: Case, rows: Rows) -> Mismatch | None:
    """Check that invalid arguments raise ValueError and that the nearest valid ones do not."""
    if oracle.delivery(**case) is not None:
        return _no_delivery(case, rows)
    return must_reject(_call(case), rows if "rejected" in rows else {"delivery": rows})


_dropped = partial(_same, "dropped", where=lambda case: case["policy"] == "drop")
_blocked = partial(_same, "dropped", where=lambda case: case["policy"] == "block")

AFTER: dict[str, str | tuple[str, ...]] = {
    "a_full_buffer_drops_the_arriving_message": "every_message_is_delivered_dropped_or_queued",
    "blocked_time_is_counted_once": ("a_full_buffer_drops_the_arriving_message", "a_blocked_producer_loses_no_message"),
    "the_longest_queue_counts_waiting_messages_only": "a_full_buffer_drops_the_arriving_message",
    "messages_served_by_the_last_hand_over_are_delivered": (
        "messages_leave_in_order_of_arrival",
        "a_full_buffer_drops_the_arriving_message",
    ),
    "services_end_before_arrivals_at_the_same_moment": "a_full_buffer_drops_the_arriving_message",
}

CLAIMS = claims(
    ("deliver", "every_message_is_delivered_dropped_or_queued", cases.any_source, _each_once, 9),
    ("deliver", "messages_leave_in_order_of_arrival", cases.sources, _in_order, 9),
    ("deliver", "a_full_buffer_drops_the_arriving_message", cases.sources, _dropped, 9),
    ("deliver", "a_blocked_producer_loses_no_message", cases.sources, _blocked, 9),
    ("deliver", "blocked_time_is_counted_once", cases.sources, partial(_same, "blocked_ms"), None),
    ("deliver", "the_longest_queue_counts_waiting_messages_only", cases.sources, partial(_same, "longest_queue"), None),
    ("deliver", "messages_served_by_the_last_hand_over_are_delivered", cases.sources, _served_by_the_end, 9),
    ("deliver", "services_end_before_arrivals_at_the_same_moment", cases.ties, _completion_first, 9),
    ("deliver", "invalid_arguments_raise_value_error", cases.wrong_arguments, _invalid_is_rejected, None),
    after=AFTER,
)
