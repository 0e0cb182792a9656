"""The checks of `cost`, `swap_gain` and `throughput`."""

from typing import Any

from autograder.checks import Case, Check, Mismatch, Rows, check, claim, same_value
from autograder.checks.compare import shown
from autograder.checks.registry import Cases
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab05_placement.search import cases, oracle

TOLERANCE = 1e-6  # of the expected value: sums of floats depend on their order


def _distances(case: Case) -> str:
    where = case["machine"]
    return f"on nodes {shown(where['nodes'])} with the distances {shown(where['rows'], 200)}"


def _links(case: Case) -> str:
    return "{" + ", ".join(f"({shown(s)}, {shown(r)}): {x}" for s, r, x in case["traffic"][:6]) + "}"


def _near(expected: float, got: Any, what: str) -> Mismatch | None:
    return same_value(expected, got, what=what, tolerance=TOLERANCE * max(1, abs(expected)))


# cost


def _same_cost(case: Case, rows: Rows) -> Mismatch | None:
    call = f"cost({shown(case['placement'], 200)}, {_links(case)}, topology) {_distances(case)}"
    expected = oracle.cost(case["placement"], case) if oracle.is_valid(case) else None
    if expected is None:
        return must_reject(call, rows)
    return must_answer(call, "a number", rows) or _near(expected, rows.get("cost"), call)


# swap_gain


def _swap(case: Case, pair: list[str]) -> str:
    at = f"for {shown(case['placement'], 200)} and the traffic {_links(case)} {_distances(case)}"
    return f"swap_gain({shown(pair[0])}, {shown(pair[1])}, …) {at}"


def _same_gains(case: Case, rows: Rows) -> Mismatch | None:
    expected = [oracle.gain(first, second, case) for first, second in case["pairs"]]
    gains = rows.get("gains")
    got = gains if isinstance(gains, list) and len(gains) == len(case["pairs"]) else [gains] * len(case["pairs"])
    for pair, gain, answer in zip(case["pairs"], expected, got, strict=True):
        if wrong := _near(gain, answer, _swap(case, pair)):
            return wrong
    if rows.get("unchanged") is not True:
        return Mismatch(f"Expected {_swap(case, case['pairs'][0])} to leave the placement unchanged; yours changes it.")
    return None


@check("swap_gain", cases=cases.asked, invariant=4)
def only_the_links_of_the_two_are_read(case: Case, rows: Rows) -> Mismatch | None:
    """Check this for gains that are right."""
    if wrong := _same_gains(case, rows):
        return wrong
    asked = rows.get("asked")
    if not isinstance(asked, list) or len(asked) != len(case["pairs"]):
        return Mismatch(f"Expected calls of `links.of` for {len(case['pairs'])} pairs; yours are {shown(asked)}.")
    for pair, names in zip(case["pairs"], asked, strict=True):
        others = [name for name in names if name not in pair] if isinstance(names, list) else [names]
        if others:
            what = f"{_swap(case, pair)} to call `links.of` for these two only"
            return Mismatch(f"Expected {what}; yours also calls it for {shown(others[0])}.", pair, names)
    return None


# throughput


def _same_rate(case: Case, rows: Rows) -> Mismatch | None:
    given = f"cpu_us={case['cpu_us']}, memory_us={case['memory_us']}"
    call = f"throughput({shown(case['placement'], 200)}, {_links(case)}, topology, {given}) {_distances(case)}"
    expected = oracle.events_per_s(case)
    if expected is None:
        return must_reject(call, rows)
    return must_answer(call, "events/s", rows) or _near(expected, rows.get("events_per_s"), call)


def _of(task: str, name: str, made: Cases, judge: Any, invariant: int) -> Check:
    return claim(task, name, cases=made, judge=judge, invariant=invariant)


CLAIMS = [
    _of("cost", "reading_costs_the_distance_from_reader_to_memory", cases.paid, _same_cost, 2),
    _of("cost", "what_stays_on_its_node_costs_the_local_distance", cases.stays, _same_cost, 2),
    _of("cost", "an_instance_without_a_node_raises_value_error", cases.without_node, _same_cost, 13),
    _of("swap_gain", "the_gain_is_the_difference_of_two_costs", cases.swaps, _same_gains, 4),
    _of("swap_gain", "a_link_between_the_two_counts_once", cases.linked, _same_gains, 4),
    _of("throughput", "the_busiest_instance_bounds_the_rate", cases.busiest, _same_rate, 6),
    _of("throughput", "distance_weighs_memory_and_not_computing", cases.distances, _same_rate, 6),
    _of("throughput", "an_unplaced_sender_writes_where_it_is_read", cases.sources, _same_rate, 6),
    _of("throughput", "rates_that_keep_nobody_busy_raise_value_error", cases.nobody, _same_rate, 13),
]
