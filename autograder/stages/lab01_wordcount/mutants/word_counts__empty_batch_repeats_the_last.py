"""A batch without lines gives the counts of the batch before it."""

KILLED_BY = ["a_batch_without_lines_has_no_counts", "batches_from_a_socket_add_up_to_the_whole"]


def word_counts(lines):
    last = []

    def count(batch):
        counts = count_words(batch).collect()
        last[:] = counts or last
        return batch.context.parallelize(list(last), 2)

    return lines.transform(count)
