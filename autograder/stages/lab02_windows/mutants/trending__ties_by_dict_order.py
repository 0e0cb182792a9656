"""Ties come in the order of the dict."""

from collections import Counter

KILLED_BY = ["ties_are_in_the_order_of_code_points"]


def trending(counts, k):
    if k < 0:
        raise ValueError(f"expected k to be 0 or more, got {k}")
    totals = Counter()
    for tag, count in counts:
        totals[tag] += count
    shown = [(tag, count) for tag, count in totals.items() if count > 0]
    return sorted(shown, key=lambda pair: -pair[1])[:k]
