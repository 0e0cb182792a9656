"""Wrong versions of `recoverable_counts`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference

TOTALS = "totals_cover_the_words_of_all_files"
FILES = "every_batch_writes_its_own_file_of_totals"
KILLED = "a_killed_run_ends_with_the_same_totals_after_a_restart"

reference("recoverable_counts")

# Does not look for a checkpoint.
mutant(
    "ignores_the_checkpoint",
    KILLED,
    ("StreamingContext.getOrCreate(checkpoint_dir, new_context)", "new_context()"),
    ("return context", "context.checkpoint(checkpoint_dir)\n        return context"),
)
mutant(
    "silent_words_dropped",
    [TOTALS, KILLED],
    (
        "running_counts(words.map(lambda word: (word, 1)))",
        "words.map(lambda word: (word, 1)).updateStateByKey(lambda new, total: sum(new, total or 0) if new else None)",
    ),
)
mutant("no_context", [TOTALS, FILES, KILLED], ("return StreamingContext.getOrCreate", "StreamingContext.getOrCreate"))
