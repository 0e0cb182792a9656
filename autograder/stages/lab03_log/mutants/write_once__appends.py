"""Appends the rows whenever it is called."""

KILLED_BY = ["rows_are_in_the_table_once_however_often_they_are_written", "a_try_that_dies_leaves_no_row_to_be_read"]


def write_once(batch, batch_id, table):
    if batch_id < 0:
        raise ValueError(f"a batch has a number of 0 or more, got {batch_id}")

    batch.write.mode("append").parquet(table)
