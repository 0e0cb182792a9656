"""Starts again when a key comes back."""

KILLED_BY = ["totals_cover_all_batches_so_far"]


def running_counts(pairs):
    def update(new, state):
        total, was_silent = state or (0, False)
        if new and was_silent:
            total = 0
        return total + sum(new), not new

    return pairs.updateStateByKey(update).mapValues(lambda state: state[0])
