"""Brings every word to the driver and counts there."""

from collections import Counter

KILLED_BY = ["calling_it_starts_no_job", "counting_is_faster_than_the_slides_pipeline"]


def count_words(lines):
    counts = Counter(lines.flatMap(words).collect())
    return lines.context.parallelize(list(counts.items()), 2)
