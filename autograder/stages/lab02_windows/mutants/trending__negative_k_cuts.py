"""Takes a negative k as a slice does: all but the last."""

from collections import Counter

KILLED_BY = ["a_negative_k_is_refused"]


def trending(counts, k):
    totals = Counter()
    for tag, count in counts:
        totals[tag] += count
    shown = [(tag, count) for tag, count in totals.items() if count > 0]
    return sorted(shown, key=lambda pair: (-pair[1], pair[0]))[:k]
