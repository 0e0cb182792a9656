"""Takes a first line for granted, which a batch without lines has not."""

KILLED_BY = [
    "a_batch_has_the_counts_of_its_lines",
    "a_batch_without_lines_has_no_counts",
    "nothing_is_carried_into_the_next_batch",
    "batches_from_a_socket_add_up_to_the_whole",
]


def word_counts(lines):
    def count(batch):
        batch.first()
        return count_words(batch)

    return lines.transform(count)
