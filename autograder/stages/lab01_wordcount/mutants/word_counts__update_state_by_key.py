"""Keeps a running count in Spark's state."""

KILLED_BY = [
    "a_batch_has_the_counts_of_its_lines",
    "a_batch_without_lines_has_no_counts",
    "nothing_is_carried_into_the_next_batch",
    "batches_from_a_socket_add_up_to_the_whole",
]


def word_counts(lines):
    pairs = lines.flatMap(words).map(lambda word: (word, 1))
    return pairs.updateStateByKey(lambda new, before: sum(new) + (before or 0))
