"""Leaves ties to Counter.most_common, which takes them as they came."""

from collections import Counter

KILLED_BY = ["ties_are_in_the_order_of_code_points"]


def trending(counts, k):
    if k < 0:
        raise ValueError(f"expected k to be 0 or more, got {k}")
    totals = Counter()
    for tag, count in counts:
        totals[tag] += count
    return (+totals).most_common(k)
