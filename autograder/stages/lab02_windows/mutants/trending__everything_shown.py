"""Shows whatever there is, below zero too."""

from collections import Counter

KILLED_BY = ["what_counts_nothing_is_left_out"]


def trending(counts, k):
    if k < 0:
        raise ValueError(f"expected k to be 0 or more, got {k}")
    totals = Counter()
    for tag, count in counts:
        totals[tag] += count
    return sorted(totals.items(), key=lambda pair: (-pair[1], pair[0]))[:k]
