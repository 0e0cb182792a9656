"""Says which words a batch has, not how often."""

KILLED_BY = ["a_batch_has_the_counts_of_its_lines", "batches_from_a_socket_add_up_to_the_whole"]


def word_counts(lines):
    return lines.flatMap(words).transform(lambda batch: batch.distinct()).map(lambda word: (word, 1))
