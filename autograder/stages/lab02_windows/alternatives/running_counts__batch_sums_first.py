"""Each batch is added up before its sums meet the state."""


def running_counts(pairs):
    def update(values, total):
        if total is None:
            return sum(values)
        return total + sum(values)

    return pairs.reduceByKey(lambda one, more: one + more).updateStateByKey(update)
