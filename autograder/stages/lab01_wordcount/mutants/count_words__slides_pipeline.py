"""The pipeline of the slides: right, and no faster than itself."""

from operator import add

KILLED_BY = ["counting_is_faster_than_the_slides_pipeline"]


def count_words(lines):
    return lines.flatMap(words).map(lambda word: (word, 1)).reduceByKey(add)
