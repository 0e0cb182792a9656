"""Other correct solutions of `windowed_counts`, `running_counts`; each must get full marks."""

from functools import reduce
from operator import add

from autograder.checks.mutant_markers import alternative


# Each batch is added up before its sums meet the state.
@alternative("batch_sums_first")
def running_counts(pairs):
    def update(values, total):
        if total is None:
            return sum(values)
        return total + sum(values)

    return pairs.reduceByKey(lambda one, more: one + more).updateStateByKey(update)


# Folds the new values into the total.
@alternative("fold")
def running_counts(pairs):
    return pairs.updateStateByKey(lambda new, total: reduce(add, new, total or 0))


# Adds the pairs of each batch up first, and keeps the keys whose sums are zero.
@alternative("batch_sums_enter")
def windowed_counts(pairs, window_s, slide_s):
    sums = pairs.reduceByKey(add)
    sliding = sums.reduceByKeyAndWindow(add, lambda total, old: total - old, *whole_batches(pairs, window_s, slide_s))
    return sliding.filter(lambda pair: pair[1] != 0)
