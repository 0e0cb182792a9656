"""Wrong versions of highest_rate, rate_limit, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant

CLIMBS = "the_rate_grows_by_the_factors_of_the_rule"
TOO_FAST = "a_rate_that_is_too_fast_is_halved_and_never_returned"
MEASURED = "an_impossible_measurement_raises_measuring_error"
NO_SEARCH = "invalid_search_arguments_raise_value_error"
LEAST = "the_lowest_bound_is_returned_with_its_name"
NO_LIMIT = "invalid_rate_limit_arguments_raise_value_error"

# highest_rate

mutant(
    "doubles_what_keeps_up",
    [CLIMBS, TOO_FAST, MEASURED, NO_SEARCH],
    ("rate *= next((factor for below, factor in FACTORS if ratio < below), 0.5)", "rate *= 2 if ratio < 1 else 0.5"),
    of="highest_rate",
)
mutant("answers_the_last_that_kept_up", TOO_FAST, ("best = max(best, rate)", "best = rate"), of="highest_rate")
mutant("knows_no_limit", MEASURED, ("if rate > limit_per_s:", "if False:"), of="highest_rate")
mutant(
    "nothing_where_it_cannot_begin",
    NO_SEARCH,
    ("        got = f", "        return 0.0\n        got = f"),
    of="highest_rate",
)

# rate_limit

mutant(
    "ties_by_name",
    LEAST,
    ('key=attrgetter("rate_per_s"))', "key=lambda limit: (limit.rate_per_s, limit.bound))"),
    of="rate_limit",
)
mutant(
    "of_nothing",
    NO_LIMIT,
    (
        "if size_bytes < 1 or cores < 1 or not (",
        "if not size_bytes or not cores or not bytes_per_s or not framework_per_s or not (",
    ),
    of="rate_limit",
)
