"""Combines inside each partition, then merges with aggregateByKey."""

from collections import Counter
from itertools import chain
from operator import add


def count_words(lines):
    def count(part):
        return Counter(chain.from_iterable(map(words, part))).items()

    return lines.mapPartitions(count).aggregateByKey(0, add, add)
