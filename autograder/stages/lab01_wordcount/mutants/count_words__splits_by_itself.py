"""Splits lines by itself, so there are two definitions of a word."""

from collections import Counter
from operator import add

KILLED_BY = ["what_a_word_is_stays_with_words"]


def count_words(lines):
    def count(part):
        return Counter(word for line in part for word in line.lower().split()).items()

    return lines.mapPartitions(count).reduceByKey(add)
