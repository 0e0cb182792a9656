"""Expressions in SQL, and the columns that are not needed are dropped first."""

from pyspark.sql.functions import col, count, expr


def kafka_counts(events, window_s, watermark_s):
    if not window_s > 0:
        raise ValueError(f"expected a window of more than 0 s, got {window_s}")
    if not watermark_s >= 0:
        raise ValueError(f"expected a watermark of 0 s or more, got {watermark_s}")
    rows = events.selectExpr("CAST(key AS STRING) AS key", "timestamp AS at")
    keyed = rows.withWatermark("at", f"{watermark_s} seconds").filter(col("key").isNotNull())
    window = expr(f"window(at, '{window_s} seconds')").alias("w")
    counts = keyed.groupBy(window, col("key")).agg(count("*").alias("count"))
    return counts.select(col("w.start").alias("start"), col("w.end").alias("end"), "key", "count")
