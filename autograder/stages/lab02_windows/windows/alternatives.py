"""Other right solutions of `windowed_counts`, `running_counts`; each must get full marks."""

from functools import reduce
from operator import add, sub

from autograder.verify.marks import alternative


# Each batch is added up before its sums meet the state.
@alternative("batch_sums_first")
def running_counts(pairs):
    def update(values, total):
        if total is None:
            return sum(values)
        return total + sum(values)

    return pairs.reduceByKey(lambda one, more: one + more).updateStateByKey(update)


# The new values folded into the total.
@alternative("fold")
def running_counts(pairs):
    return pairs.updateStateByKey(lambda new, total: reduce(add, new, total or 0))


# Spark's own inverse, which drops zeros itself.
@alternative("filter_function")
def windowed_counts(pairs, window_s, slide_s):
    batch_s = pairs._slideDuration
    for name, length_s in (("window_s", window_s), ("slide_s", slide_s)):
        batches = length_s / batch_s
        if length_s <= 0 or abs(batches - round(batches)) > 1e-6:
            raise ValueError(
                f"expected {name} to be a positive multiple of the batch interval {batch_s} s, got {length_s}"
            )
    return pairs.reduceByKeyAndWindow(add, sub, window_s, slide_s, filterFunc=lambda pair: pair[1] != 0)


# Whole milliseconds, and zeros filtered from the answer rather than from the state.
@alternative("zeros_filtered_behind")
def windowed_counts(pairs, window_s, slide_s):
    batch_ms = round(pairs._slideDuration * 1000)
    window_ms, slide_ms = round(window_s * 1000), round(slide_s * 1000)
    if min(window_ms, slide_ms) <= 0 or window_ms % batch_ms or slide_ms % batch_ms:
        raise ValueError(f"expected multiples of {batch_ms} ms, got window {window_s} s and slide {slide_s} s")
    sums = pairs.reduceByKeyAndWindow(
        lambda total, entering: total + entering,
        lambda total, leaving: total - leaving,
        window_ms / 1000,
        slide_ms / 1000,
        2,
    )
    return sums.filter(lambda pair: pair[1])
