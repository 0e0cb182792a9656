"""Sends every single occurrence through the shuffle and counts behind it."""

KILLED_BY = ["counting_is_faster_than_the_slides_pipeline"]


def count_words(lines):
    return lines.flatMap(words).map(lambda word: (word, 1)).groupByKey().mapValues(sum)
