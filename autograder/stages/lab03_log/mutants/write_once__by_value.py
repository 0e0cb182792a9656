"""Leaves out rows that are in the table already."""

KILLED_BY = ["rows_are_in_the_table_once_however_often_they_are_written"]


def write_once(batch, batch_id, table):
    if batch_id < 0:
        raise ValueError(f"a batch has a number of 0 or more, got {batch_id}")

    there = batch.sparkSession.read.parquet(table).collect() if list(Path(table).glob("*.parquet")) else []
    new = [row for row in batch.collect() if row not in there]
    if new:
        batch.sparkSession.createDataFrame(new, batch.schema).write.mode("append").parquet(table)
