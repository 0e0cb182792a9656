"""Keeps the last value of a key."""

KILLED_BY = [
    "totals_cover_all_batches_so_far",
    "keys_that_stay_away_keep_their_totals",
    "a_batch_with_nothing_changes_no_total",
]


def running_counts(pairs):
    return pairs.updateStateByKey(lambda new, total: new[-1] if new else total)
