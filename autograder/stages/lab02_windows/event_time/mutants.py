"""Wrong versions of `event_time_counts`, each with the checks that must catch it."""

from pyspark.sql import functions as F

from autograder.verify.marks import mutant, right

EVENT_END = "an_event_at_the_end_of_a_window_is_in_the_next"
EVENT_COMES = "an_event_that_comes_twice_is_counted_once"
LATE_EVENTS = "late_events_are_dropped_and_counted_as_dropped"
LENGTHS_CANNOT = "lengths_that_cannot_be_meant_are_refused"
ORDER_ARRIVAL = "the_order_of_arrival_changes_no_count"

# event_time_counts


@right
def event_time_counts(events, window_s, watermark_s):
    if window_s <= 0 or watermark_s < 0:
        raise ValueError(f"expected window_s > 0 and watermark_s >= 0, got {window_s} and {watermark_s}")
    once = events.withWatermark("event_time", f"{watermark_s} seconds").dropDuplicatesWithinWatermark(["id"])
    counts = once.groupBy(F.window("event_time", f"{window_s} seconds").alias("window"), "key").count()
    return counts.select("window.start", "window.end", "key", "count")


mutant(
    "closed_on_the_right",
    EVENT_END,
    (
        """    once = events.withWatermark("event_time", f"{watermark_s} seconds").dropDuplicatesWithinWatermark(["id"])""",
        """    once = (
        events.withColumn("event_time", F.expr("event_time - INTERVAL 1 MICROSECOND"))
        .withWatermark("event_time", f"{watermark_s} seconds")
        .dropDuplicatesWithinWatermark(["id"])
    )""",
    ),
)  # Windows hold their end and not their start.
mutant(
    "duplicates_counted", EVENT_COMES, ('.dropDuplicatesWithinWatermark(["id"])', "")
)  # Counts an event as often as it comes.
mutant(
    "keys_mixed_up",
    [EVENT_END, ORDER_ARRIVAL, EVENT_COMES, LATE_EVENTS],
    (
        """    counts = once.groupBy(F.window("event_time", f"{window_s} seconds").alias("window"), "key").count()""",
        """    counts = once.groupBy(F.window("event_time", f"{window_s} seconds").alias("window"), F.lit(1).alias("all")).agg(
        F.min("key").alias("key"), F.count("*").alias("count")
    )""",
    ),
)  # Counts all keys of a window together.
mutant(
    "negative_watermark_is_zero",
    LENGTHS_CANNOT,
    (
        """    if window_s <= 0 or watermark_s < 0:
        raise ValueError(f"expected window_s > 0 and watermark_s >= 0, got {window_s} and {watermark_s}")""",
        """    if window_s <= 0:
        raise ValueError(f"expected window_s > 0, got {window_s}")
    watermark_s = max(0, watermark_s)""",
    ),
)  # Takes a watermark below zero for zero.
mutant(
    "no_patience", [EVENT_END, ORDER_ARRIVAL, EVENT_COMES, LATE_EVENTS], ('f"{watermark_s}', '"0')
)  # Waits for no late event.
mutant(
    "other_columns", [EVENT_END, ORDER_ARRIVAL, EVENT_COMES, LATE_EVENTS], ('window.start", "window.end', "window")
)  # Gives the window as one column.
mutant(
    "overlapping_windows",
    [EVENT_END, ORDER_ARRIVAL, EVENT_COMES, LATE_EVENTS],
    (
        """    counts = once.groupBy(F.window("event_time", f"{window_s} seconds").alias("window"), "key").count()""",
        """    counts = once.groupBy(
        F.window("event_time", f"{window_s} seconds", f"{window_s / 2} seconds").alias("window"), "key"
    ).count()""",
    ),
)  # Windows begin twice as often as they should, so an event is in two.
mutant(
    "processing_time",
    [EVENT_END, ORDER_ARRIVAL, EVENT_COMES, LATE_EVENTS],
    (
        """    once = events.withWatermark("event_time", f"{watermark_s} seconds").dropDuplicatesWithinWatermark(["id"])""",
        """    once = (
        events.withColumn("event_time", F.current_timestamp())
        .withWatermark("event_time", f"{watermark_s} seconds")
        .dropDuplicatesWithinWatermark(["id"])
    )""",
    ),
)  # Takes the time at which an event is processed.
mutant(
    "refusal_left_to_spark",
    LENGTHS_CANNOT,
    (
        """    if window_s <= 0 or watermark_s < 0:
        raise ValueError(f"expected window_s > 0 and watermark_s >= 0, got {window_s} and {watermark_s}")
""",
        "",
    ),
)  # Leaves it to Spark to reject.
mutant(
    "same_moment_is_the_same_event",
    EVENT_COMES,
    ('dropDuplicatesWithinWatermark(["id', 'dropDuplicates(["key", "event_time'),
)  # Takes two events of one key at one moment for one.
mutant(
    "watermark_ignored", LATE_EVENTS, ('f"{watermark_s} seconds', '"1 day')
)  # Waits a day for late events, whatever it is told.
mutant(
    "watermark_in_minutes", LATE_EVENTS, ("watermark_s} seconds", "watermark_s} minutes")
)  # Takes seconds for minutes.
