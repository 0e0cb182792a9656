"""Counts records without a key, too."""

KILLED_BY = ["a_record_without_a_key_does_not_count"]


def kafka_counts(events, window_s, watermark_s):
    if window_s <= 0 or watermark_s < 0:
        raise ValueError(f"expected window_s > 0 and watermark_s >= 0, got {window_s} and {watermark_s}")

    in_time = events.withWatermark("timestamp", f"{watermark_s} seconds").withColumn("key", F.col("key").cast("string"))
    counts = in_time.groupBy(F.window("timestamp", f"{window_s} seconds"), "key").count()
    return counts.select("window.start", "window.end", "key", "count")
