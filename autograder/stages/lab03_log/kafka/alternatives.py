"""Other correct solutions of `kafka_counts`, `write_once`; each must get full marks."""

import os
import shutil
from pathlib import Path

from pyspark.sql.functions import col, count, expr

from autograder.checks.mutant_markers import alternative


# Uses SQL expressions, and drops the columns that are not needed first.
@alternative("in_sql")
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


# Writes a batch as one file, and renames it to its place.
@alternative("one_file")
def write_once(batch, batch_id, table):
    final = Path(table, f"batch-{batch_id:010}.parquet")
    if final.exists():
        return
    aside = Path(f"{table}.trials", str(batch_id))
    shutil.rmtree(aside, ignore_errors=True)
    batch.coalesce(1).write.parquet(str(aside))
    [written] = aside.glob("part-*.parquet")
    Path(table).mkdir(parents=True, exist_ok=True)
    os.replace(written, final)
    shutil.rmtree(aside, ignore_errors=True)
