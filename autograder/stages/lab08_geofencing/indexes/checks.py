"""The checks of `FenceIndex` and `MoverIndex`."""

from autograder.checks import Case, Mismatch, Rows, claims, throughput
from autograder.stages.lab08_geofencing.indexes import cases_fences, cases_movers, comparators, oracle, workload

# FenceIndex


def _same_fences(case: Case, rows: Rows) -> Mismatch | None:
    expected = oracle.found(case)["found"]
    if "too_many_objects" in rows:
        return comparators.too_many_objects(case, rows["too_many_objects"])
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


CLAIMS = claims(
    ("FenceIndex", "at_returns_exactly_the_fences_that_contain_the_place", cases_fences.exactly, _same_fences, 3),
    ("FenceIndex", "put_replaces_a_fence_and_remove_deletes_it", cases_fences.replaced, _same_fences, 7),
    ("FenceIndex", "fences_of_all_sizes_fit_into_one_index", cases_fences.sizes, _same_fences, 3),
    ("FenceIndex", "few_fences_are_tested_exactly", cases_fences.few, _few_fences, 3),
    ("MoverIndex", "the_newest_position_by_event_time_counts", cases_movers.newest, _same_movers, 4),
    ("MoverIndex", "within_returns_exactly_the_movers_inside", cases_movers.inside, _same_movers, 2),
    ("MoverIndex", "near_measures_metres_all_around_the_earth", cases_movers.metric, _same_movers, 5),
    ("MoverIndex", "positions_older_than_since_ms_do_not_count", cases_movers.since, _same_movers, 4),
    ("MoverIndex", "few_movers_are_tested_exactly", cases_movers.few, _few_movers, 3),
    after={
        "put_replaces_a_fence_and_remove_deletes_it": "at_returns_exactly_the_fences_that_contain_the_place",
        "fences_of_all_sizes_fit_into_one_index": "at_returns_exactly_the_fences_that_contain_the_place",
        "few_fences_are_tested_exactly": "at_returns_exactly_the_fences_that_contain_the_place",
        "few_movers_are_tested_exactly": (
            "within_returns_exactly_the_movers_inside",
            "near_measures_metres_all_around_the_earth",
        ),
    },
)
