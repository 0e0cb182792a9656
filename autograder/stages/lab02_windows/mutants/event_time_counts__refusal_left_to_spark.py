"""Leaves it to Spark to reject."""

from pyspark.sql import functions as F

KILLED_BY = ["lengths_that_cannot_be_meant_are_refused"]


def event_time_counts(events, window_s, watermark_s):
    once = events.withWatermark("event_time", f"{watermark_s} seconds").dropDuplicatesWithinWatermark(["id"])
    counts = once.groupBy(F.window("event_time", f"{window_s} seconds").alias("window"), "key").count()
    return counts.select("window.start", "window.end", "key", "count")
