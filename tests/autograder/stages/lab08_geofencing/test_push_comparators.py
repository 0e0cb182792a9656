"""What a learner reads about missing events of `push`: how many there are, and the records of the first one."""

from typing import Any

from autograder.stages.lab08_geofencing.push.comparators import same_events

FENCE = ["fences", "f", "1;2", 5_000]
CASE: dict[str, Any] = {"files": [[["positions", "m", "1;59", 10_000], ["positions", "n", "1;59", 11_000]], [FENCE]]}
EVENTS = [["IN", "m", "f", 10_000], ["IN", "n", "f", 11_000]]
DELETED: dict[str, Any] = {"files": [[*CASE["files"][0], ["fences", "f", None, 12_000]]]}


def test_equal_events_in_any_order_are_no_mismatch() -> None:
    assert same_events(EVENTS, EVENTS[::-1], CASE, what="the events") is None


def test_missing_events_are_counted_and_the_records_of_the_first_one_come_by_event_time() -> None:
    wrong = same_events(EVENTS, [], CASE, what="the events")

    assert wrong
    assert wrong.sentence == (
        'Expected ["IN", "m", "f", 10000] among the events; yours lack it. In all, 2 of 2 are missing. '
        'Records of "m" and "f": f 1;2 at 5000 in file 2, m 1;59 at 10000 in file 1.'
    )


def test_a_deleted_fence_is_called_deleted() -> None:
    wrong = same_events(EVENTS[:1], EVENTS, DELETED, what="the events")

    assert wrong
    assert wrong.sentence.endswith("n 1;59 at 11000 in file 1, f deleted at 12000 in file 1.")


def test_an_event_of_another_form_is_shown_without_records() -> None:
    wrong = same_events([], ["IN"], CASE, what="the events")

    assert wrong
    assert "Records" not in wrong.sentence
