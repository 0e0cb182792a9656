"""Sorted by tag, then by count: the second sort keeps the order of the first."""

from collections import Counter
from itertools import islice


def trending(counts, k):
    if k < 0:
        raise ValueError(f"k must not be negative, got {k}")
    totals = Counter()
    for tag, count in counts:
        totals[tag] += count
    by_tag = sorted((+totals).items())
    return list(islice(sorted(by_tag, key=lambda pair: pair[1], reverse=True), k))
