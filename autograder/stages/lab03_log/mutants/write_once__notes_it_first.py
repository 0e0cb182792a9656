"""Notes that a batch is there before it is."""

KILLED_BY = ["a_try_that_dies_leaves_no_row_to_be_read"]


def write_once(batch, batch_id, table):
    if batch_id < 0:
        raise ValueError(f"a batch has a number of 0 or more, got {batch_id}")

    note = Path(table, f"_batch{batch_id}")
    if not note.exists():
        note.parent.mkdir(parents=True, exist_ok=True)
        note.touch()
        batch.write.mode("overwrite").parquet(f"{table}/batch={batch_id}")
