"""Waits for no late event."""

from pyspark.sql import functions as F

KILLED_BY = [
    "an_event_at_the_end_of_a_window_is_in_the_next",
    "the_order_of_arrival_changes_no_count",
    "an_event_that_comes_twice_is_counted_once",
    "late_events_are_dropped_and_counted_as_dropped",
]


def event_time_counts(events, window_s, watermark_s):
    if window_s <= 0 or watermark_s < 0:
        raise ValueError(f"expected window_s > 0 and watermark_s >= 0, got {window_s} and {watermark_s}")
    once = events.withWatermark("event_time", "0 seconds").dropDuplicatesWithinWatermark(["id"])
    counts = once.groupBy(F.window("event_time", f"{window_s} seconds").alias("window"), "key").count()
    return counts.select("window.start", "window.end", "key", "count")
