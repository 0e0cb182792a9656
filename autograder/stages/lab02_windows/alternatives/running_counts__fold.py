"""The new values folded into the total."""

from functools import reduce
from operator import add


def running_counts(pairs):
    return pairs.updateStateByKey(lambda new, total: reduce(add, new, total or 0))
