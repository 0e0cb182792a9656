"""Wrong versions of `sample_hot_keys`, each with the checks that must catch it. Read as text, never executed."""

from itertools import groupby

from autograder.checks.mutant_markers import mutant, reference

COUNTS = "hot_keys_of_sample_have_their_counts"
REJECTED = "thresholds_of_sample_below_one_are_rejected"

reference("sample_hot_keys")

# One edit of the reference: "at least" is read as "more than".
mutant("more_than", COUNTS, ("count >= at_least", "count > at_least"))

# A threshold of 0 looks harmless: no count of the input is below it.
mutant("zero_is_valid", REJECTED, ("at_least < 1", "at_least < 0"))


# A whole version: groupby sees only keys that follow each other, as if each run were all of the input.
@mutant("counts_runs", COUNTS)
def sample_hot_keys(keys, at_least):
    if at_least < 1:
        raise ValueError(f"at_least must be 1 or more, got {at_least}")
    runs = [(key, len(list(run))) for key, run in groupby(keys)]
    return [(key, length) for key, length in runs if length >= at_least]
