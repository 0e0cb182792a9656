"""The checks of `event_time_counts`: each reads the final windows of one key."""

from collections.abc import Collection, Iterable
from typing import Any

from autograder.checks import Case, Check, Mismatch, Rows, check, claim, same_counts, same_items, same_value
from autograder.checks.compare import shown
from autograder.checks.rejection import must_answer
from autograder.stages.lab02_windows.event_time import cases, oracle

COLUMNS = ["start", "end", "key", "count"]


def _no_table(case: Case, rows: Rows) -> Mismatch | None:
    return must_answer(_call(case), "a streaming DataFrame", rows) or same_items(
        COLUMNS, rows["columns"], what="columns"
    )


def _call(case: Case) -> str:
    return f"event_time_counts(events, window_s={case['window_s']}, watermark_s={case['watermark_s']})"


def _windows_of(key: str, case: Case, rows: Rows) -> Mismatch | None:
    """Compare the final windows of one key, each as the text [start, end)."""
    right, own = oracle.event_time_counts(**case), _windows_with_events(key, case)
    if wrong := _no_table(case, rows):
        return wrong
    expected = {_interval(start, end): n for (start, end, each), n in right.closed.items() if each == key}
    final = [row for row in rows["windows"] if _is_of(row, key) and row[1] <= right.watermark_s]
    counts = [[_interval(*row[:2]), row[3]] for row in final]
    what = f'counts per window of key "{key}"'
    return _too_old(key, own, expected, counts) or same_counts(expected, counts, what=what)


def _windows_with_events(key: str, case: Case) -> set[str]:
    times_s = [event["event_time_s"] for file in case["files"] for event in file if event["key"] == key]
    return {_interval(*oracle.window_of(time_s, case["window_s"])) for time_s in times_s}


def _too_old(
    key: str, windows: Collection[str], expected: Iterable[str], counts: Iterable[list[Any]]
) -> Mismatch | None:
    """Look for a window that only holds events older than the watermark."""
    old = next((each for each in counts if each[0] in windows and each[0] not in expected), None)
    if old is None:
        return None
    sentence = f'Expected no count of key "{key}" in {old[0]}: its events are older than the watermark; yours has'
    return Mismatch(f"{sentence} {shown(old[1])}.", None, old[1])


def _is_of(row: Any, key: str) -> bool:
    has_times = isinstance(row, list) and len(row) == 4 and all(isinstance(each, int | float) for each in row[:2])
    return has_times and row[2] == key


def _interval(start_s: float, end_s: float) -> str:
    """Return an interval as text. Example: _interval(1000.0, 1010.0) -> "[1000, 1010)"."""
    return f"[{start_s:g}, {end_s:g})"


AFTER = {
    "the_order_of_arrival_changes_no_count": "an_event_at_a_window_end_belongs_to_the_next_window",
    "a_duplicate_event_is_counted_once": "an_event_at_a_window_end_belongs_to_the_next_window",
}


def _of_key(key: str, name: str) -> Check:
    def judge(case: Case, rows: Rows) -> Mismatch | None:
        return _windows_of(key, case, rows)

    return claim("event_time_counts", name, cases.arrivals, judge, invariant=10, after=AFTER.get(name, ()))


CLAIMS = [
    _of_key("edge", "an_event_at_a_window_end_belongs_to_the_next_window"),
    _of_key("plain", "the_order_of_arrival_changes_no_count"),
    _of_key("twice", "a_duplicate_event_is_counted_once"),
]


@check(
    "event_time_counts", cases=cases.arrivals, invariant=11, after="an_event_at_a_window_end_belongs_to_the_next_window"
)
def events_older_than_the_watermark_are_dropped(case: Case, rows: Rows) -> Mismatch | None:
    """Require that they are counted as dropped; a late event that is not older counts like any other."""
    dropped = oracle.event_time_counts(**case).dropped
    wrong = _windows_of("late", case, rows)
    return wrong or same_value(dropped, rows["dropped"], what="the number of dropped events")
