"""Counts the words of each line alone, so a batch has several counts of a word."""

from collections import Counter

KILLED_BY = ["a_batch_has_the_counts_of_its_lines"]


def word_counts(lines):
    return lines.flatMap(lambda line: Counter(words(line)).items())
