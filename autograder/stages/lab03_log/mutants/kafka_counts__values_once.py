"""Counts equal records once."""

KILLED_BY = ["each_record_counts_in_the_window_of_its_timestamp", "killed_jobs_and_brokers_change_no_count"]


def kafka_counts(events, window_s, watermark_s):
    if window_s <= 0 or watermark_s < 0:
        raise ValueError(f"expected window_s > 0 and watermark_s >= 0, got {window_s} and {watermark_s}")

    keyed = events.withWatermark("timestamp", f"{watermark_s} seconds").where("key IS NOT NULL")
    once = keyed.dropDuplicates(["timestamp", "key", "value"])
    counts = once.groupBy(
        F.window("timestamp", f"{window_s} seconds"), F.col("key").cast("string").alias("key")
    ).count()
    return counts.select("window.start", "window.end", "key", "count")
