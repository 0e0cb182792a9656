"""Sorts everything backwards, ties too."""

from collections import Counter

KILLED_BY = ["ties_are_in_the_order_of_code_points"]


def trending(counts, k):
    if k < 0:
        raise ValueError(f"expected k to be 0 or more, got {k}")
    totals = Counter()
    for tag, count in counts:
        totals[tag] += count
    shown = [(count, tag) for tag, count in totals.items() if count > 0]
    return [(tag, count) for count, tag in sorted(shown, reverse=True)[:k]]
