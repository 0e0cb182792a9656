"""Wrong versions of `enrich_partitioned`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference

PLACED = "the_transactions_of_an_account_are_in_its_partition"
ONCE = "each_key_is_asked_for_once"
CLOSED = "a_task_closes_its_one_store"
WORKERS = "a_cache_lives_as_long_as_its_worker"
LAB_3 = "partitions_are_those_of_your_lab_3"
PLACE = "placed = by_account.partitionBy(partitions, lambda account: partition_of(account.encode(), partitions))"

reference("enrich_partitioned")

# Uses Spark's own hash of the account.
mutant("own_hash", [PLACED, LAB_3], (PLACE, "placed = by_account.partitionBy(partitions)"))

reference("answer")

mutant("no_cache", [ONCE, WORKERS], ("        cache.put(key, row)\n", ""), task="enrich_partitioned")

reference("enrich_partitioned")

mutant(
    "closed_at_the_end_only",
    CLOSED,
    ("        try:\n            cache", "        if True:\n            cache"),
    (
        "        finally:  # also if nobody asks for the next one\n            store.close()",
        "            store.close()",
    ),
)
