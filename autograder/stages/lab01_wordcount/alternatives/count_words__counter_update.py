"""One Counter for each partition, brought up to date line by line."""

from collections import Counter
from operator import add


def count_words(lines):
    def count(part):
        counts = Counter()
        for line in part:
            counts.update(words(line))
        return counts.items()

    return lines.mapPartitions(count).reduceByKey(add)
