"""Wrong versions of `kafka_counts`, `write_once`, each with the checks that must catch it."""

from autograder.verify.marks import mutant, right

TRY_DIES = "a_try_that_dies_leaves_no_row_to_be_read"
RECORD_COUNTS = "each_record_counts_in_the_window_of_its_timestamp"
KILLED_JOBS = "killed_jobs_and_brokers_change_no_count"
ROWS_TABLE = "rows_are_in_the_table_once_however_often_they_are_written"

# kafka_counts


@right
def kafka_counts(events, window_s, watermark_s):
    if window_s <= 0 or watermark_s < 0:
        raise ValueError(f"expected window_s > 0 and watermark_s >= 0, got {window_s} and {watermark_s}")

    keyed = events.withWatermark("timestamp", f"{watermark_s} seconds").where("key IS NOT NULL")
    counts = keyed.groupBy(
        F.window("timestamp", f"{window_s} seconds"), F.col("key").cast("string").alias("key")
    ).count()
    return counts.select("window.start", "window.end", "key", "count")


mutant(
    "an_empty_key_is_none",
    [RECORD_COUNTS, KILLED_JOBS],
    (
        """    keyed = events.withWatermark("timestamp", f"{watermark_s} seconds").where("key IS NOT NULL")
    counts = keyed.groupBy(
        F.window("timestamp", f"{window_s} seconds"), F.col("key").cast("string").alias("key")
    ).count()""",
        """    in_time = events.withWatermark("timestamp", f"{watermark_s} seconds").withColumn("key", F.col("key").cast("string"))
    keyed = in_time.where("key != ''")
    counts = keyed.groupBy(F.window("timestamp", f"{window_s} seconds"), "key").count()""",
    ),
)  # Takes an empty key for none.
mutant(
    "anything_is_meant",
    "windows_and_watermarks_that_cannot_be_meant_are_refused",
    (
        """    if window_s <= 0 or watermark_s < 0:
        raise ValueError(f"expected window_s > 0 and watermark_s >= 0, got {window_s} and {watermark_s}")
""",
        "    window_s, watermark_s = max(1, window_s), max(0, watermark_s)",
    ),
)  # Takes a window of no length for one of a second, and a watermark below zero for none.
mutant(
    "by_value",
    [RECORD_COUNTS, KILLED_JOBS],
    (
        """    counts = keyed.groupBy(
        F.window("timestamp", f"{window_s} seconds"), F.col("key").cast("string").alias("key")
    ).count()""",
        """    by = F.col("value").cast("string").alias("key")
    counts = keyed.groupBy(F.window("timestamp", f"{window_s} seconds"), by).count()""",
    ),
)  # Counts by value.
mutant(
    "closed_on_the_right",
    [RECORD_COUNTS, KILLED_JOBS],
    (
        '    keyed = events.withWatermark("timestamp", f"{watermark_s} seconds").where("key IS NOT NULL")',
        """    earlier = events.withColumn("timestamp", F.col("timestamp") - F.expr("INTERVAL 1 MILLISECOND"))
    keyed = earlier.withWatermark("timestamp", f"{watermark_s} seconds").where("key IS NOT NULL")""",
    ),
)  # Counts a record at the end of a window in it.
mutant(
    "records_without_a_key",
    "a_record_without_a_key_does_not_count",
    (
        """    keyed = events.withWatermark("timestamp", f"{watermark_s} seconds").where("key IS NOT NULL")
    counts = keyed.groupBy(
        F.window("timestamp", f"{window_s} seconds"), F.col("key").cast("string").alias("key")
    ).count()""",
        """    in_time = events.withWatermark("timestamp", f"{watermark_s} seconds").withColumn("key", F.col("key").cast("string"))
    counts = in_time.groupBy(F.window("timestamp", f"{window_s} seconds"), "key").count()""",
    ),
)  # Counts records without a key, too.
mutant(
    "values_once",
    [RECORD_COUNTS, KILLED_JOBS],
    (
        "    counts = keyed.groupBy(",
        """    once = keyed.dropDuplicates(["timestamp", "key", "value"])
    counts = once.groupBy(""",
    ),
)  # Counts equal records once.
# write_once


@right
def write_once(batch, batch_id, table):
    if batch_id < 0:
        raise ValueError(f"a batch has a number of 0 or more, got {batch_id}")

    batch.write.mode("append").parquet(table)


write_once_above_zero = write_once


# Takes a batch of any number.
@mutant("any_batch_id", "a_batch_id_below_zero_is_refused")
def write_once(batch, batch_id, table):
    write_once_above_zero(batch, abs(batch_id), table)


# Appends the rows whenever it is called.
@mutant("appends", [ROWS_TABLE, TRY_DIES])
def write_once(batch, batch_id, table):
    if batch_id < 0:
        raise ValueError(f"a batch has a number of 0 or more, got {batch_id}")

    batch.write.mode("append").parquet(table)


mutant(
    "by_value",
    ROWS_TABLE,
    (
        '    batch.write.mode("append").parquet(table)',
        """    there = batch.sparkSession.read.parquet(table).collect() if list(Path(table).glob("*.parquet")) else []
    new = [row for row in batch.collect() if row not in there]
    if new:
        batch.sparkSession.createDataFrame(new, batch.schema).write.mode("append").parquet(table)""",
    ),
)  # Leaves out rows that are in the table already.
mutant(
    "notes_it_first",
    TRY_DIES,
    (
        '    batch.write.mode("append").parquet(table)',
        """    note = Path(table, f"_batch{batch_id}")
    if not note.exists():
        note.parent.mkdir(parents=True, exist_ok=True)
        note.touch()
        batch.write.mode("overwrite").parquet(f"{table}/batch={batch_id}")""",
    ),
)  # Notes that a batch is there before it is.
mutant(
    "only_the_newest",
    [ROWS_TABLE, TRY_DIES],
    (
        '    batch.write.mode("append").parquet(table)',
        """    rows = batch.collect()
    batch.sparkSession.createDataFrame(rows, batch.schema).write.mode("overwrite").parquet(table)""",
    ),
)  # Writes each batch over the ones before it.
mutant(
    "row_by_row",
    TRY_DIES,
    (
        '    batch.write.mode("append").parquet(table)',
        """    done = Path(table, f"batch={batch_id}", "_DONE")
    if not done.exists():
        for number, row in enumerate(batch.toLocalIterator()):
            one = batch.sparkSession.createDataFrame([row], batch.schema)
            one.write.mode("overwrite").parquet(f"{table}/batch={batch_id}/row={number}")
        done.parent.mkdir(parents=True, exist_ok=True)
        done.touch()""",
    ),
)  # Writes the rows of a batch to their place one after another.
