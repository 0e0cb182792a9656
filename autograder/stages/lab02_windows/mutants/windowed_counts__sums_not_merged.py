"""Gives the sums of each batch of the window, several for one key."""

from operator import add

KILLED_BY = ["sums_are_those_of_a_recount"]


def windowed_counts(pairs, window_s, slide_s):
    batch_s = pairs._slideDuration
    for length_s in (window_s, slide_s):
        if length_s <= 0 or abs(length_s / batch_s - round(length_s / batch_s)) > 1e-6:
            raise ValueError(f"expected a positive multiple of {batch_s} s, got {length_s} s")
    return pairs.reduceByKey(add).window(window_s, slide_s).filter(lambda pair: pair[1])
