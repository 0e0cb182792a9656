"""One edit of the reference for each check, to show that the check can fail. Read as text, never executed."""

from autograder.checks.mutant_markers import mutant, reference

reference("sample_hot_keys")
mutant("more_than", "hot_keys_of_sample_have_their_counts", ("count >= at_least", "count > at_least"))
mutant("zero_is_valid", "thresholds_of_sample_below_one_are_rejected", ("at_least < 1", "at_least < 0"))
