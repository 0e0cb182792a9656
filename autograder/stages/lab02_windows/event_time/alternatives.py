"""Other correct solutions of `event_time_counts`; each must get full marks."""

from pyspark.sql import functions as F

from autograder.checks.mutant_markers import alternative


# No operator for duplicates: each window keeps the set of its ids.
@alternative("distinct_ids")
def event_time_counts(events, window_s, watermark_s):
    return (
        events.withWatermark("event_time", f"{watermark_s} seconds")
        .groupBy(F.window("event_time", f"{window_s} seconds").alias("w"), "key")
        .agg(F.size(F.collect_set("id")).cast("long").alias("count"))
        .select(F.col("w.end").alias("end"), F.col("w.start").alias("start"), "key", "count")
    )
