"""The checks of `FenceIndex` and `MoverIndex`."""

from autograder.checks import Case, Mismatch, Rows, claim, throughput
from autograder.stages.lab08_geofencing.indexes import cases_fences, cases_movers, comparators, oracle, workload

# FenceIndex


def _same_fences(case: Case, rows: Rows) -> Mismatch | None:
    expected = oracle.found(case)["found"]
    if "too_slow" in rows:
        return comparators.too_slow(case, rows["too_slow"], rows.get("limit_s"))
    lookups = [at for at, call in enumerate(case["script"]) if call[0] == "at"]
    return comparators.first_wrong(case, expected, rows.get("found"), lookups)


def _few_fences(case: Case, rows: Rows) -> Mismatch | None:
    """Check the number of tests for lookups that are right."""
    boxed = oracle.found(case)["boxed"]
    return _same_fences(case, rows) or comparators.too_many_tests(case, boxed, rows.get("tested"))


@throughput("FenceIndex", workload=workload.workload, unit="lookups")
def lookups_outperform_a_scan(content: bytes, rows: Rows) -> Mismatch | None:
    """Check one turn: the fences of each place."""
    return comparators.first_wrong_lookup(content, rows.get("found"))


# MoverIndex


def _same_movers(case: Case, rows: Rows) -> Mismatch | None:
    expected = oracle.answers(case)
    return comparators.first_wrong(case, expected, rows.get("answers"), list(range(len(expected))))


def _few_movers(case: Case, rows: Rows) -> Mismatch | None:
    """Check the number of tests for answers that are right."""
    most = oracle.most_tests(case)
    return _same_movers(case, rows) or comparators.first_with_more_tests(case, most, rows.get("tested"))


CLAIMS = [
    claim(
        "FenceIndex",
        "at_returns_exactly_the_fences_that_contain_the_place",
        cases=cases_fences.exactly,
        judge=_same_fences,
        invariant=3,
    ),
    claim(
        "FenceIndex",
        "put_replaces_a_fence_and_remove_deletes_it",
        cases=cases_fences.replaced,
        judge=_same_fences,
        invariant=7,
        after="at_returns_exactly_the_fences_that_contain_the_place",
    ),
    claim(
        "FenceIndex",
        "fences_of_all_sizes_fit_into_one_index",
        cases=cases_fences.sizes,
        judge=_same_fences,
        invariant=3,
        after="at_returns_exactly_the_fences_that_contain_the_place",
    ),
    claim(
        "FenceIndex",
        "few_fences_are_tested_exactly",
        cases=cases_fences.few,
        judge=_few_fences,
        invariant=3,
        after="at_returns_exactly_the_fences_that_contain_the_place",
    ),
    claim(
        "MoverIndex",
        "the_newest_position_by_event_time_counts",
        cases=cases_movers.newest,
        judge=_same_movers,
        invariant=4,
    ),
    claim(
        "MoverIndex",
        "within_returns_exactly_the_movers_inside",
        cases=cases_movers.inside,
        judge=_same_movers,
        invariant=2,
    ),
    claim(
        "MoverIndex",
        "near_measures_metres_all_around_the_earth",
        cases=cases_movers.metric,
        judge=_same_movers,
        invariant=5,
    ),
    claim(
        "MoverIndex",
        "positions_older_than_since_ms_do_not_count",
        cases=cases_movers.since,
        judge=_same_movers,
        invariant=4,
    ),
    claim(
        "MoverIndex",
        "few_movers_are_tested_exactly",
        cases=cases_movers.few,
        judge=_few_movers,
        invariant=3,
        after=("within_returns_exactly_the_movers_inside", "near_measures_metres_all_around_the_earth"),
    ),
]
