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

reference("answer")

mutant(
    "one_call_per_key",
    [CALLS, ASKED, "a_cache_lives_as_long_as_its_worker"],
    ("        cache.put(key, row)\n", ""),
    task="fraud_windows",
)
