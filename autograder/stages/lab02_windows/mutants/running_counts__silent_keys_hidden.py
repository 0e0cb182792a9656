"""Keeps the state of silent keys, and does not show it."""

KILLED_BY = ["keys_that_stay_away_keep_their_totals", "a_batch_with_nothing_changes_no_total"]


def running_counts(pairs):
    def update(new, state):
        return sum(new) + (state[0] if state else 0), bool(new)

    state = pairs.updateStateByKey(update)
    return state.filter(lambda pair: pair[1][1]).mapValues(lambda value: value[0])
