"""Spark's own inverse, which drops zeros itself."""

from operator import add, sub


def windowed_counts(pairs, window_s, slide_s):
    batch_s = pairs._slideDuration
    for name, length_s in (("window_s", window_s), ("slide_s", slide_s)):
        batches = length_s / batch_s
        if length_s <= 0 or abs(batches - round(batches)) > 1e-6:
            raise ValueError(
                f"expected {name} to be a positive multiple of the batch interval {batch_s} s, got {length_s}"
            )
    return pairs.reduceByKeyAndWindow(add, sub, window_s, slide_s, filterFunc=lambda pair: pair[1] != 0)
