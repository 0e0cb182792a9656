"""Other correct solutions of `sample_hot_keys`; each gets full marks. Read as text, never executed."""

from itertools import groupby

from autograder.checks.mutant_markers import alternative


# Sorting makes equal keys neighbours, so one pass without a dictionary is enough.
@alternative("sorts_first")
def sample_hot_keys(keys, at_least):
    if at_least < 1:
        raise ValueError("at_least must be 1 or more")
    counts = [(key, len(list(group))) for key, group in groupby(sorted(keys))]
    return [pair for pair in counts if pair[1] >= at_least]
