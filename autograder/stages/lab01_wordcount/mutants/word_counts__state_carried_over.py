"""Adds the counts of all batches so far to those of each new one."""

KILLED_BY = [
    "a_batch_without_lines_has_no_counts",
    "nothing_is_carried_into_the_next_batch",
    "batches_from_a_socket_add_up_to_the_whole",
]


def word_counts(lines):
    so_far = {}

    def add_up(batch):
        for word, count in count_words(batch).collect():
            so_far[word] = so_far.get(word, 0) + count
        return batch.context.parallelize(list(so_far.items()), 2)

    return lines.transform(add_up)
