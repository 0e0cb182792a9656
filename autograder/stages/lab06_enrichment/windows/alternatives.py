"""Other right solutions of `fraud_windows`; each must get full marks."""

from pyspark.sql import functions as F

from autograder.checks.mutant_markers import alternative


# Repeats have the same time, so id and time form the key; both window starts are computed by hand.
@alternative("exploded_by_hand")
def fraud_windows(enriched, watermark_s):
    if watermark_s < 0:
        raise ValueError("a watermark of 0 or more seconds")
    once = enriched.withWatermark("at", f"{watermark_s} seconds").dropDuplicates(["id", "at"])
    newest = F.floor(F.unix_millis("at") / 5000) * 5000
    each = once.withColumn("from_ms", F.explode(F.array(newest - 5000, newest)))
    start = F.timestamp_millis("from_ms").alias("start")
    end = F.timestamp_millis(F.col("from_ms") + 10_000).alias("end")
    flagged = F.filter(F.collect_list(F.struct("id", "flags")), lambda one: F.size(one.flags) > 0)
    return each.groupBy(start, end, "account").agg(
        F.sum("amount_cents").alias("amount_cents"),
        F.count(F.lit(1)).alias("transactions"),
        F.sort_array(flagged).alias("suspicious"),
    )
