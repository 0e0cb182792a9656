"""Takes two events of one key at one moment for one."""

from pyspark.sql import functions as F

KILLED_BY = ["an_event_that_comes_twice_is_counted_once"]


def event_time_counts(events, window_s, watermark_s):
    if window_s <= 0 or watermark_s < 0:
        raise ValueError(f"expected window_s > 0 and watermark_s >= 0, got {window_s} and {watermark_s}")
    once = events.withWatermark("event_time", f"{watermark_s} seconds").dropDuplicates(["key", "event_time"])
    counts = once.groupBy(F.window("event_time", f"{window_s} seconds").alias("window"), "key").count()
    return counts.select("window.start", "window.end", "key", "count")
