"""Wrong versions of kafka_counts, write_once, each with the checks that must catch it: seconds each, so few."""

from autograder.checks.mutant_markers import mutant, reference

WINDOW = "each_record_counts_in_the_window_of_its_timestamp"
NO_KEY = "a_record_without_a_key_is_not_counted"
KILLED = "killing_the_job_or_the_broker_changes_no_count"
ONCE = "a_batch_written_twice_is_in_the_table_once"
DIES = "a_failed_try_leaves_no_readable_row"

reference("kafka_counts")

mutant("records_without_a_key", NO_KEY, ('on_time.where("key IS NOT NULL")', "on_time"))
mutant(
    "values_once",
    [WINDOW, KILLED],
    ("    counts = keyed", '    counts = keyed.dropDuplicates(["timestamp", "key", "value"])'),
)

reference("write_once")


mutant("readers_see_the_attempt", DIES, ('f".batch={batch_id}"', 'f"attempt-{batch_id}"'))
mutant(
    "written_again",
    [ONCE, DIES],
    ("    if not final.exists():", "    if True:"),
    ("parquet(str(temporary))", "parquet(str(final))"),
    ("        temporary.rename(final)", "        pass"),
)
