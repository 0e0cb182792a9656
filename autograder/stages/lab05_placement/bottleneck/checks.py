"""The checks of `throughput`."""

from autograder.checks import Case, Mismatch, Rows, claim, same_value
from autograder.checks.compare import shown
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab05_placement.bottleneck import cases, oracle
from autograder.stages.lab05_placement.search.checks import distances_of, links_text

TOLERANCE = 1e-6  # of the expected value: sums of floats depend on their order


def _same_rate(case: Case, rows: Rows) -> Mismatch | None:
    given = f"cpu_us={case['cpu_us']}, memory_us={case['memory_us']}"
    call = f"throughput({shown(case['placement'], 200)}, {links_text(case)}, topology, {given}) {distances_of(case)}"
    expected = oracle.events_per_s(case)
    if expected is None:
        return must_reject(call, rows)
    wrong = must_answer(call, "events/s", rows)
    tolerance = TOLERANCE * max(1, abs(expected))
    return wrong or same_value(expected, rows.get("events_per_s"), what=call, tolerance=tolerance)


AFTER = {
    "distance_weighs_memory_and_not_computing": "the_busiest_instance_bounds_the_rate",
    "an_unplaced_sender_writes_where_it_is_read": "the_busiest_instance_bounds_the_rate",
    "rates_that_keep_nobody_busy_raise_value_error": "the_busiest_instance_bounds_the_rate",
}

CLAIMS = [
    claim("throughput", name, made, _same_rate, invariant=invariant, after=AFTER.get(name, ()))
    for name, made, invariant in (
        ("the_busiest_instance_bounds_the_rate", cases.busiest, 9),
        ("distance_weighs_memory_and_not_computing", cases.distances, 9),
        ("an_unplaced_sender_writes_where_it_is_read", cases.sources, 9),
        ("rates_that_keep_nobody_busy_raise_value_error", cases.nobody, 8),
    )
]
