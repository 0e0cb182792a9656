"""Wrong versions of `fraud_windows`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference

TWO = "each_transaction_is_in_exactly_two_windows"
SUMS = "windows_have_sums_counts_and_flags"
TWICE = "a_transaction_that_comes_twice_counts_once"
JOB = "payments_on_kafka_come_out_flagged_and_windowed_once"
LATE = "late_transactions_are_dropped_and_counted"
STATE = "the_state_of_each_hour_is_as_large_as_that_of_the_first"
CALLS = "the_job_asks_the_store_for_each_key_once_a_batch"
ASKED = "each_key_is_asked_for_once"

reference("fraud_windows")

mutant(
    "tumbling",
    [TWO, SUMS, TWICE, LATE, STATE, JOB, CALLS],
    ('"10 seconds", "5 seconds")', '"10 seconds", "10 seconds")'),
)
# Reports only the first of several flags.
mutant(
    "first_flag_only",
    [SUMS, TWICE, LATE, STATE, JOB, CALLS],
    ('F.struct("id", "flags")', 'F.struct("id", F.slice("flags", 1, 1).alias("flags"))'),
)
mutant("no_deduplication", [TWICE, LATE, JOB, CALLS], ('.dropDuplicatesWithinWatermark(["id"])', ""))
# Repeats are found forever, and no row is late.
mutant(
    "no_watermark",
    [LATE, STATE, JOB, CALLS],
    (
        'enriched.withWatermark("at", f"{watermark_s} seconds").dropDuplicatesWithinWatermark(["id"])',
        'enriched.dropDuplicates(["id"])',
    ),
)
# Finds repeats forever, so it keeps every id.
mutant(
    "every_id_is_kept",
    STATE,
    ('.dropDuplicatesWithinWatermark(["id"])', '.dropDuplicatesWithinWatermark(["id"]).dropDuplicates(["id"])'),
)

reference("answer")

mutant(
    "one_call_per_key",
    [CALLS, ASKED, "a_cache_lives_as_long_as_its_worker"],
    ("        cache.put(key, row)\n", ""),
    task="fraud_windows",
)


# Computes the windows itself, so Spark cannot know when one is complete: it keeps all, and has no append mode for it.
@mutant("exploded_by_hand", [STATE, JOB, CALLS])
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
