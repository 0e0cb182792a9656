"""The oracles of `service_levels` and `post_mortem` against golden traces, numpy, and plans of faults."""

from typing import Any

import numpy as np
import pytest

from autograder.checks.seeds import random_for
from autograder.stages.lab09_system.levels import cases, cases_timelines, oracle, oracle_timelines
from streamlab.lab09_system import Objective
from tests.autograder.stages.driven_reference import reference

PAGE = [[60, 5, 14.4]]


def report(expected: dict[str, int], seen: list[Any], now_ms: int = 5000, windows: list[Any] = PAGE) -> dict[str, Any]:
    case = {"expected": expected, "seen": seen, "now_ms": now_ms, "objective": [99.0, 1000, windows]}
    names = "lost", "twice", "unknown", "p50_ms", "p99_ms", "bad", "budget_left", "pages"
    return dict(zip(names, oracle.levels(case) or [], strict=True))


def test_an_alert_at_exactly_its_limit_is_in_time() -> None:
    assert report({"a": 0}, [["a", 1000]])["bad"] == 0
    assert report({"a": 0}, [["a", 1001]])["bad"] == 1


def test_a_lost_alert_has_its_age_and_spends_the_budget_when_it_is_due() -> None:
    young = report({"a": 0, "b": 4001}, [["a", 5]])
    due = report({"a": 0, "b": 4000}, [["a", 5]])

    assert (young["lost"], young["p99_ms"], young["bad"]) == (1, 999, 0)
    assert (due["lost"], due["p99_ms"], due["bad"]) == (1, 1000, 1)


def test_a_late_alert_in_a_second_of_its_own_pages_nobody_beside_99_good_ones() -> None:
    good = {f"b{at}": 2000 for at in range(99)}
    seen = [[name, 2500] for name in good]

    assert report({"a": 500, **good}, seen)["pages"] == [False]
    assert report({"a": 500, **dict.fromkeys(list(good)[:5], 2000)}, seen[:5])["pages"] == [True]


def test_the_p99_of_101_latencies_is_the_100th() -> None:
    expected = {f"a{at}": 0 for at in range(101)}

    assert report(expected, [[name, 1 + at] for at, name in enumerate(expected)])["p99_ms"] == 100


@pytest.mark.parametrize("count", [1, 2, 3, 99, 100, 101, 150, 199, 200, 201])
def test_percentiles_of_oracle_and_reference_agree_with_numpy(count: int) -> None:
    rng = random_for("numpy", str(count))
    values = [rng.randrange(5 * count) for _ in range(count)]
    came = list(enumerate(values))

    levels = reference("lab09_system").service_levels(dict.fromkeys(range(count), 0), came, 5000, Objective(99.0, 1000))

    for percent, found in ((50, levels.p50_ms), (99, levels.p99_ms)):
        assert oracle.nearest_rank(values, percent) == found
        assert found == np.percentile(values, percent, method="inverted_cdf")


@pytest.mark.parametrize("seed", ["public", "1", "2", "3"])
def test_no_page_depends_on_rounding(seed: str) -> None:
    for make in (cases.lost, cases.copies, cases.latencies, cases.budgets, cases.pages):
        for case in make(seed):
            oracle.levels(case)  # raises an error if a rate is too near to its factor


@pytest.mark.parametrize("seed", ["public", "1", "2", "3"])
def test_the_incidents_of_a_timeline_are_the_plan_from_which_it_was_made(seed: str) -> None:
    for plan, case in cases_timelines.plans(seed):
        assert [tuple(each[:3]) for each in oracle_timelines.incidents(case)] == plan


def test_probes_are_one_incident_as_long_as_the_pauses_are_short() -> None:
    errors = [[at_s, at_s + 1, {"store_errors": 1}] for at_s in (20, 27, 35)]

    found = oracle_timelines.incidents({"seconds": [0, 60], "changes": errors})

    assert found == [["store", 20, 28, 28], ["store", 35, 36, 36]]
