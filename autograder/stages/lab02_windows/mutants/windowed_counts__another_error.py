"""Rejects, but with an error that says nothing of a value."""

from operator import add, sub

KILLED_BY = ["lengths_that_do_not_fit_the_batches_are_refused"]


def windowed_counts(pairs, window_s, slide_s):
    batch_s = pairs._slideDuration
    for length_s in (window_s, slide_s):
        if length_s <= 0 or abs(length_s / batch_s - round(length_s / batch_s)) > 1e-6:
            raise RuntimeError(f"expected a positive multiple of {batch_s} s, got {length_s} s")
    return pairs.reduceByKeyAndWindow(add, sub, window_s, slide_s, filterFunc=lambda pair: pair[1] != 0)
