"""Other right solutions of `fraud_windows`; each must get full marks."""

from pyspark.sql import functions as F

from autograder.checks.mutant_markers import alternative


# Repeats have the same time, so id and time form the key; flags are filtered after they are collected.
@alternative("filtered_later")
def fraud_windows(enriched, watermark_s):
    if watermark_s < 0:
        raise ValueError("a watermark of 0 or more seconds")
    once = enriched.withWatermark("at", f"{watermark_s} seconds").dropDuplicates(["id", "at"])
    flagged = F.filter(F.collect_list(F.struct("id", "flags")), lambda one: F.size(one.flags) > 0)
    counted = once.groupBy("account", F.window("at", "10 seconds", "5 seconds").alias("in")).agg(
        F.sum("amount_cents").alias("amount_cents"),
        F.count(F.lit(1)).alias("transactions"),
        F.sort_array(flagged).alias("suspicious"),
    )
    return counted.select("in.start", "in.end", "account", "amount_cents", "transactions", "suspicious")
