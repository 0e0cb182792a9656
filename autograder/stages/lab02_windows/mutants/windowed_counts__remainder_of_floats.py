"""Asks for the remainder of two floats, which is hardly ever zero: 0.3 % 0.1 is 0.09999999999999998."""

from operator import add, sub

KILLED_BY = [
    "the_window_holds_its_batches_and_no_other",
    "sums_are_those_of_a_recount",
    "a_key_that_falls_to_zero_has_no_row",
    "there_is_one_answer_every_slide",
    "lengths_that_do_not_fit_the_batches_are_refused",
]


def windowed_counts(pairs, window_s, slide_s):
    batch_s = pairs._slideDuration
    for length_s in (window_s, slide_s):
        if length_s <= 0 or length_s % batch_s:
            raise ValueError(f"expected a positive multiple of {batch_s} s, got {length_s} s")
    return pairs.reduceByKeyAndWindow(add, sub, window_s, slide_s, filterFunc=lambda pair: pair[1] != 0)
