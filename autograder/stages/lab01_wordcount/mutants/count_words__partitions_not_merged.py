"""Counts inside each partition and never adds the partitions up."""

from collections import Counter

KILLED_BY = ["partitions_do_not_change_the_counts", "counting_is_faster_than_the_slides_pipeline"]


def count_words(lines):
    return lines.mapPartitions(lambda part: Counter(word for line in part for word in words(line)).items())
