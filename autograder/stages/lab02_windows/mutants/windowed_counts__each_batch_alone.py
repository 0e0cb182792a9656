"""Gives the sums of each batch, and there is no window."""

from operator import add

KILLED_BY = [
    "the_window_holds_its_batches_and_no_other",
    "sums_are_those_of_a_recount",
    "there_is_one_answer_every_slide",
]


def windowed_counts(pairs, window_s, slide_s):
    batch_s = pairs._slideDuration
    for length_s in (window_s, slide_s):
        if length_s <= 0 or abs(length_s / batch_s - round(length_s / batch_s)) > 1e-6:
            raise ValueError(f"expected a positive multiple of {batch_s} s, got {length_s} s")
    return pairs.reduceByKey(add).filter(lambda pair: pair[1])
