"""Windows hold their end and not their start."""

from pyspark.sql import functions as F

KILLED_BY = ["an_event_at_the_end_of_a_window_is_in_the_next"]


def event_time_counts(events, window_s, watermark_s):
    if window_s <= 0 or watermark_s < 0:
        raise ValueError(f"expected window_s > 0 and watermark_s >= 0, got {window_s} and {watermark_s}")
    once = (
        events.withColumn("event_time", F.expr("event_time - INTERVAL 1 MICROSECOND"))
        .withWatermark("event_time", f"{watermark_s} seconds")
        .dropDuplicatesWithinWatermark(["id"])
    )
    counts = once.groupBy(F.window("event_time", f"{window_s} seconds").alias("window"), "key").count()
    return counts.select("window.start", "window.end", "key", "count")
