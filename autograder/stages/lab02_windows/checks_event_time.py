"""What is claimed of `event_time_counts`: each check reads the windows of one key, final ones only."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, same_counts, same_items, same_value
from autograder.stages.lab02_windows import cases_event_time, oracle_event_time
from autograder.stages.lab02_windows.oracle_event_time import Answer
from autograder.stages.lab02_windows.readings import inputs, no_result

COLUMNS = ["start", "end", "key", "count"]


def _right(case: Case) -> Answer:
    answer = oracle_event_time.event_time_counts(case["files"], case["window_s"], case["watermark_s"])
    assert answer is not None
    return answer


def _no_table(case: Case, rows: Rows) -> Mismatch | None:
    wrong = no_result(f"event_time_counts(events, {_lengths(case)})", "a streaming DataFrame", rows)
    return wrong or same_items(COLUMNS, rows["columns"], what="columns")


def _lengths(case: Case) -> str:
    return inputs(case, "window_s", "watermark_s")


def _windows_of(key: str, case: Case, rows: Rows) -> Mismatch | None:
    """The final windows of one key, each as the text [start, end)."""
    wrong, right = _no_table(case, rows), _right(case)
    if wrong:
        return wrong
    expected = {_interval(start, end): n for (start, end, each), n in right.closed().items() if each == key}
    final = [row for row in rows["windows"] if _is_of(row, key) and row[1] <= right.watermark_s]
    return same_counts(expected, [[_interval(*row[:2]), row[3]] for row in final], what=f'windows of key "{key}"')


def _is_of(row: Any, key: str) -> bool:
    has_times = isinstance(row, list) and len(row) == 4 and all(isinstance(each, int | float) for each in row[:2])
    return has_times and row[2] == key


def _interval(start_s: float, end_s: float) -> str:
    """Example: _interval(1000.0, 1010.0) -> "[1000, 1010)"."""
    return f"[{start_s:g}, {end_s:g})"


@check("event_time_counts", cases=cases_event_time.arrivals, invariant=10)
def an_event_at_the_end_of_a_window_is_in_the_next(case: Case, rows: Rows) -> Mismatch | None:
    """Windows are half-open."""
    return _windows_of("edge", case, rows)


@check("event_time_counts", cases=cases_event_time.arrivals, invariant=10)
def the_order_of_arrival_changes_no_count(case: Case, rows: Rows) -> Mismatch | None:
    """The same events in three orders: event time decides, not the time at which they are processed."""
    return _windows_of("plain", case, rows)


@check("event_time_counts", cases=cases_event_time.arrivals, invariant=10)
def an_event_that_comes_twice_is_counted_once(case: Case, rows: Rows) -> Mismatch | None:
    """By its id; two events may have everything else in common."""
    return _windows_of("twice", case, rows)


@check("event_time_counts", cases=cases_event_time.arrivals, invariant=11)
def late_events_are_dropped_and_counted_as_dropped(case: Case, rows: Rows) -> Mismatch | None:
    """Those behind the watermark; what is late but in time is counted as any other."""
    wrong = _windows_of("late", case, rows)
    return wrong or same_value(_right(case).dropped, rows["dropped"], what="the number of dropped events")


@check("event_time_counts", cases=cases_event_time.wrong_lengths, invariant=13)
def lengths_that_cannot_be_meant_are_refused(case: Case, rows: Rows) -> Mismatch | None:
    """With ValueError: a window of no length, a watermark below zero."""
    if "rejected" in rows:
        return None
    sentence = f"Expected event_time_counts(events, {_lengths(case)}) to raise ValueError; yours does not."
    return Mismatch(sentence, "ValueError", rows.get("returned"))
