"""Rounds lengths to whole batches in silence."""

from operator import add, sub

KILLED_BY = ["lengths_that_do_not_fit_the_batches_are_refused"]


def windowed_counts(pairs, window_s, slide_s):
    batch_s = pairs._slideDuration
    window_s, slide_s = (max(1, round(length_s / batch_s)) * batch_s for length_s in (window_s, slide_s))
    return pairs.reduceByKeyAndWindow(add, sub, window_s, slide_s, filterFunc=lambda pair: pair[1] != 0)
