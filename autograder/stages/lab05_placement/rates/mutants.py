"""Wrong versions of `byte_rates`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference

GROWTH = "a_rate_is_growth_over_time"
RESTARTED = "a_counter_that_restarted_counts_from_zero"
REPEATS = "repeats_and_disorder_change_no_rate"
NO_JOB = "describing_the_rates_starts_no_job"
ALL = [GROWTH, RESTARTED, REPEATS, NO_JOB]

reference("byte_rates")

# The mean growth of a report: right only where reports come every second.
mutant(
    "growth_of_a_report",
    [GROWTH, REPEATS, NO_JOB],
    ('seconds = (F.max("at_ms") - F.min("at_ms")) / 1000', 'seconds = F.count("growth")'),
)
mutant("as_they_came", ALL, ('.orderBy("at_ms")', ".orderBy(F.monotonically_increasing_id())"))
