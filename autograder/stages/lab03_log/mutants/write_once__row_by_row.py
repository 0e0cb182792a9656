"""Writes the rows of a batch to their place one after another."""

KILLED_BY = ["a_try_that_dies_leaves_no_row_to_be_read"]


def write_once(batch, batch_id, table):
    if batch_id < 0:
        raise ValueError(f"a batch has a number of 0 or more, got {batch_id}")

    done = Path(table, f"batch={batch_id}", "_DONE")
    if not done.exists():
        for number, row in enumerate(batch.toLocalIterator()):
            one = batch.sparkSession.createDataFrame([row], batch.schema)
            one.write.mode("overwrite").parquet(f"{table}/batch={batch_id}/row={number}")
        done.parent.mkdir(parents=True, exist_ok=True)
        done.touch()
