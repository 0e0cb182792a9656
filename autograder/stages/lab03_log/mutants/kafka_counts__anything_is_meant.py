"""Takes a window of no length for one of a second, and a watermark below zero for none."""

KILLED_BY = ["windows_and_watermarks_that_cannot_be_meant_are_refused"]


def kafka_counts(events, window_s, watermark_s):
    window_s, watermark_s = max(1, window_s), max(0, watermark_s)
    keyed = events.withWatermark("timestamp", f"{watermark_s} seconds").where("key IS NOT NULL")
    counts = keyed.groupBy(
        F.window("timestamp", f"{window_s} seconds"), F.col("key").cast("string").alias("key")
    ).count()
    return counts.select("window.start", "window.end", "key", "count")
