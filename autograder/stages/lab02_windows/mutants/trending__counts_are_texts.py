"""Compares counts as texts: 9 before 10."""

from collections import Counter

KILLED_BY = ["the_highest_counts_come_first", "counts_of_one_tag_add_up_first"]


def trending(counts, k):
    if k < 0:
        raise ValueError(f"expected k to be 0 or more, got {k}")
    totals = Counter()
    for tag, count in counts:
        totals[tag] += count
    shown = [(tag, count) for tag, count in totals.items() if count > 0]
    return sorted(sorted(shown), key=lambda pair: str(pair[1]), reverse=True)[:k]
