"""Other right versions of `start_job`, which must get full marks."""

from functools import partial

from autograder.checks.mutant_markers import alternative


def rows_to(writer, batch, number):
    writer.write(number, [tuple(row) for row in batch.toLocalIterator()])


# Plain tuples, and the checkpoint as an argument of `start`.
@alternative("tuples_one_by_one")
def start_job(rows, writer, checkpoint):
    sink = rows.writeStream.foreachBatch(partial(rows_to, writer))
    return sink.start(outputMode="append", checkpointLocation=checkpoint)
