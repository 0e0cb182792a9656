"""Wrong versions of highest_rate, rate_limit, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference

CLIMBS = "the_rate_grows_by_the_factors_of_the_rule"
TOO_FAST = "a_rate_that_is_too_fast_is_halved_and_never_returned"
MEASURED = "an_impossible_measurement_raises_measuring_error"
LEAST = "the_lowest_bound_is_returned_with_its_name"

reference("highest_rate")

mutant(
    "doubles_what_keeps_up",
    [CLIMBS, TOO_FAST, MEASURED],
    ("rate *= next((factor for below, factor in FACTORS if ratio < below), 0.5)", "rate *= 2 if ratio < 1 else 0.5"),
)
mutant("stable_below_a_second", CLIMBS, ("        if ratio < 1:", "        if delay_s < 1:"))
mutant("answers_the_last_that_kept_up", TOO_FAST, ("best = max(best, rate)", "best = rate"))
mutant("knows_no_limit", MEASURED, ("if rate > limit_per_s:", "if False:"))

reference("rate_limit")

mutant("ties_by_name", LEAST, ('key=attrgetter("rate_per_s"))', "key=lambda limit: (limit.rate_per_s, limit.bound))"))
