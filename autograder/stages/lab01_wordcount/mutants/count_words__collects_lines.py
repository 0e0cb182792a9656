"""Brings every line to the driver, and the answer back."""

from collections import Counter

KILLED_BY = ["calling_it_starts_no_job", "counting_is_faster_than_the_slides_pipeline"]


def count_words(lines):
    counts = Counter(word for line in lines.collect() for word in words(line))
    return lines.context.parallelize(list(counts.items()), 2)
