"""Leaves it to Spark to reject, which takes a window or slide of zero or less."""

from operator import add, sub

KILLED_BY = ["lengths_that_do_not_fit_the_batches_are_refused"]


def windowed_counts(pairs, window_s, slide_s):
    return pairs.reduceByKeyAndWindow(add, sub, window_s, slide_s, filterFunc=lambda pair: pair[1] != 0)
