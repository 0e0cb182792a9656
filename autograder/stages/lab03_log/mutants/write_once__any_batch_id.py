"""Takes a batch of any number."""

KILLED_BY = ["a_batch_id_below_zero_is_refused"]


write_once_above_zero = write_once


def write_once(batch, batch_id, table):
    write_once_above_zero(batch, abs(batch_id), table)
