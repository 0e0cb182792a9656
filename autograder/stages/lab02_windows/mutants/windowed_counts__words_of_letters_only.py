"""Leaves out keys with an apostrophe, which lab 1 takes for words."""

from operator import add, sub

KILLED_BY = ["words_of_your_own_lab_1_are_counted_in_windows"]


def windowed_counts(pairs, window_s, slide_s):
    window, slide = whole_batches(pairs, window_s, slide_s)
    plain = pairs.filter(lambda pair: "'" not in pair[0])
    return plain.reduceByKeyAndWindow(add, sub, window, slide).filter(lambda pair: pair[1] != 0)
