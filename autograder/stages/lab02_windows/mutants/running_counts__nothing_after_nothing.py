"""Says nothing after a batch with nothing."""

KILLED_BY = ["a_batch_with_nothing_changes_no_total"]


def running_counts(pairs):
    totals = pairs.updateStateByKey(lambda new, total: sum(new) + (total or 0))
    return totals.transformWith(lambda all, batch: all.filter(lambda _: False) if batch.isEmpty() else all, pairs)
