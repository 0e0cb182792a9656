"""A heap gives the k first."""

import heapq
from collections import defaultdict


def trending(counts, k):
    if k < 0:
        raise ValueError(f"expected k to be 0 or more, got {k}")
    totals = defaultdict(int)
    for tag, count in counts:
        totals[tag] += count
    shown = [(-count, tag) for tag, count in totals.items() if count > 0]
    return [(tag, -less) for less, tag in heapq.nsmallest(k, shown)]
