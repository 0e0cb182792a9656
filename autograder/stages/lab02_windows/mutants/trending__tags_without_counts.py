"""Gives the tags and keeps the counts to itself."""

from collections import Counter

KILLED_BY = [
    "the_highest_counts_come_first",
    "ties_are_in_the_order_of_code_points",
    "counts_of_one_tag_add_up_first",
    "what_counts_nothing_is_left_out",
]


def trending(counts, k):
    if k < 0:
        raise ValueError(f"expected k to be 0 or more, got {k}")
    totals = Counter()
    for tag, count in counts:
        totals[tag] += count
    shown = [(tag, count) for tag, count in totals.items() if count > 0]
    return [tag for tag, _ in sorted(shown, key=lambda pair: (-pair[1], pair[0]))[:k]]
