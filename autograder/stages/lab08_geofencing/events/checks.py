"""The checks of `Watch` and `in_order`."""

from dataclasses import replace

from autograder.checks import Case, Mismatch, Rows, check, claims, same_items, same_value
from autograder.stages.lab08_geofencing.events import cases, oracle
from autograder.stages.lab08_geofencing.events.comparators import (
    calls_of,
    described,
    events_of,
    first_difference,
    left_inside,
    named_in,
    story,
    unchanged,
)

# Watch


def _same_events(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the events of each call, in any order within it."""
    expected = oracle.events(case["calls"])
    events = events_of(rows, len(case["calls"]))
    if isinstance(events, Mismatch):
        return events
    for at, (wanted, got, call) in enumerate(zip(expected, events, case["calls"], strict=True)):
        if wrong := same_items(wanted, got, what=f"the events of call {at + 1} ({described(call)})"):
            return replace(wrong, sentence=f"{wrong.sentence} {story(case, at)}")
    return None


@check("Watch", cases=cases.resumed, invariant=6, after="repeated_and_older_positions_change_nothing")
def a_watch_resumes_from_its_state(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the events of watches that resume from the pickled state.

    Movers that entered and did not leave are those that a pull finds at the end.
    """
    inside = oracle.inside_at_the_end(case["calls"])
    wrong = _same_events(case, rows)
    if wrong:
        return wrong
    return same_value(inside, left_inside(rows["events"]), what="the pairs [mover, fence] with an ENTER and no EXIT")


# in_order


def _same_lists(case: Case, rows: Rows) -> Mismatch | None:
    expected = oracle.in_order(case)
    calls = calls_of(rows, len(case["calls"]))
    if isinstance(calls, Mismatch):
        return calls
    for number, (wanted, got) in enumerate(zip(expected, calls, strict=True), 1):
        call = case["calls"][number - 1]
        what = f"(watermark {call['watermark_ms']}, {_done(case, number)})"
        wrong = first_difference(wanted["ready"], got.get("ready"), f"the rows that are ready {what}")
        wrong = wrong or same_items(wanted["waiting"], got.get("waiting"), what=f"the rows that wait {what}")
        wrong = wrong or same_items(wanted["late"], got.get("late"), what=f"the late rows {what}")
        if wrong:
            return wrong
    return None


def _done(case: Case, number: int) -> str:
    done_ms = case["done_ms"] if number == 1 else case["calls"][number - 2]["watermark_ms"]
    return f"done up to {done_ms}"


@check("in_order", cases=cases.sequences, invariant=7)
def no_row_is_lost_or_duplicated_across_calls(case: Case, rows: Rows) -> Mismatch | None:
    """Check that each row is ready or late after one of the calls, and that none waits after the last one.

    A call that changes its arguments may lose rows or duplicate them.
    """
    expected = oracle.named(case)
    calls = calls_of(rows, len(case["calls"]))
    if isinstance(calls, Mismatch):
        return calls
    wrong = same_items(expected, named_in(calls), what=f"the rows that {len(calls)} calls return as ready or late")
    wrong = wrong or same_value([], calls[-1].get("waiting"), what="the rows that wait at the end")
    return wrong or unchanged(calls)


AFTER: dict[str, str | tuple[str, ...]] = {
    "every_fence_that_contains_the_mover_reports_it": "enter_inside_and_exit_follow_each_other",
    "a_changed_fence_takes_effect_at_once": "every_fence_that_contains_the_mover_reports_it",
    "repeated_and_older_positions_change_nothing": "a_changed_fence_takes_effect_at_once",
    "ready_rows_are_sorted_by_time_then_changes_then_offset": "no_row_is_lost_or_duplicated_across_calls",
    "rows_beyond_the_watermark_wait": "no_row_is_lost_or_duplicated_across_calls",
    "late_positions_are_set_aside_and_late_changes_apply_now": (
        "ready_rows_are_sorted_by_time_then_changes_then_offset",
        "rows_beyond_the_watermark_wait",
    ),
}

CLAIMS = claims(
    ("Watch", "enter_inside_and_exit_follow_each_other", cases.followed, _same_events, 6),
    ("Watch", "every_fence_that_contains_the_mover_reports_it", cases.overlapping, _same_events, 6),
    ("Watch", "a_changed_fence_takes_effect_at_once", cases.changed, _same_events, 7),
    ("Watch", "repeated_and_older_positions_change_nothing", cases.repeated, _same_events, 4),
    ("in_order", "ready_rows_are_sorted_by_time_then_changes_then_offset", cases.sorted_rows, _same_lists, 7),
    ("in_order", "rows_beyond_the_watermark_wait", cases.beyond, _same_lists, 8),
    ("in_order", "late_positions_are_set_aside_and_late_changes_apply_now", cases.late, _same_lists, 7),
    after=AFTER,
)
