"""Counts lines, not words."""

KILLED_BY = ["a_batch_has_the_counts_of_its_lines", "batches_from_a_socket_add_up_to_the_whole"]


def word_counts(lines):
    return lines.countByValue()
