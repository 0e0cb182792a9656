"""Counts the lines of the first partition alone."""

from collections import Counter
from operator import add

KILLED_BY = ["partitions_do_not_change_the_counts", "counting_is_faster_than_the_slides_pipeline"]


def count_words(lines):
    def count(number, part):
        return Counter(word for line in part for word in words(line)).items() if number == 0 else []

    return lines.mapPartitionsWithIndex(count).reduceByKey(add)
