"""Wrong versions of `event_time_counts`, each with the checks that must catch it."""

from pyspark.sql import functions as F

from autograder.checks.mutant_markers import mutant, reference

EDGE = "an_event_at_a_window_end_belongs_to_the_next_window"
ORDER = "the_order_of_arrival_changes_no_count"
TWICE = "a_duplicate_event_is_counted_once"
LATE = "events_older_than_the_watermark_are_dropped"

reference("event_time_counts")

mutant(
    "processing_time",
    [EDGE, ORDER, TWICE, LATE],
    ("events.", 'events.withColumn("event_time", F.current_timestamp()).'),
)
