"""Wrong versions of `recoverable_counts`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference

TOTALS = "totals_cover_the_words_of_all_files"
FILES = "every_batch_writes_its_own_file_of_totals"
KILLED = "a_killed_run_ends_with_the_same_totals_after_a_restart"

reference("recoverable_counts")

mutant("no_context", [TOTALS, FILES, KILLED], ("return StreamingContext.getOrCreate", "StreamingContext.getOrCreate"))
