"""Counts a word once for each line that has it."""

from collections import Counter
from operator import add

KILLED_BY = ["every_occurrence_is_counted", "counting_is_faster_than_the_slides_pipeline"]


def count_words(lines):
    def count(part):
        return Counter(word for line in part for word in set(words(line))).items()

    return lines.mapPartitions(count).reduceByKey(add)
