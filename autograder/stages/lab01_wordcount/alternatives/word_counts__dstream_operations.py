"""The operations of the DStream itself, as on the slides."""

from operator import add


def word_counts(lines):
    return lines.flatMap(words).map(lambda word: (word, 1)).reduceByKey(add)
