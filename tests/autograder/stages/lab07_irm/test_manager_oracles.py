"""The oracles of the manager's tasks against traces of the published system and examples worked out by hand."""

from typing import Any

import pytest

from autograder.stages.lab07_irm.elastic_spark.oracle import decisions
from autograder.stages.lab07_irm.manager.cases import clusters
from autograder.stages.lab07_irm.manager.oracle import plans, work
from autograder.stages.lab07_irm.sizing.cases import DOCUMENTED
from autograder.stages.lab07_irm.sizing.oracle import sizes, wanted
from streamlab.lab07_irm.bounds import clairvoyant_worker_s, whole_workers
from streamlab.lab07_irm.clock import Job

LENGTHS = [0, 0, 3, 8, 20, 21, 22, 20, 15, 12, 11, 11, 11, 11, *[30] * 11, 25, 15, 11, 5]


def test_a_predictor_requests_engines_once_per_pause_as_documented() -> None:
    """The original's trace differs only by its bugs: 14 and 25 in place of 13 and 23."""
    case = {"rules": DOCUMENTED, "calls": [["cells", now_s, length] for now_s, length in enumerate(LENGTHS, 1)]}

    requests = {now_s: amount for now_s, amount in enumerate(wanted(case), 1) if amount}

    assert requests == {3: 1, 13: 2, 23: 2}


@pytest.mark.parametrize(("length", "amount"), [(50, 2), (11, 2), (10, 0), (5, 0)])
def test_the_first_call_has_no_rate(length: int, amount: int) -> None:
    assert wanted({"rules": DOCUMENTED, "calls": [["cells", 9, length]]}) == [amount]


def test_a_slowly_shrinking_queue_gets_few_engines() -> None:
    calls = [["cells", now_s, 205 - 5 * now_s] for now_s in range(1, 32)]

    answers = wanted({"rules": DOCUMENTED, "calls": calls})

    assert {at: each for at, each in enumerate(answers, 1) if each} == {1: 2, 11: 1, 21: 1, 31: 1}


def test_a_profile_follows_a_change_within_its_window() -> None:
    script = [["cells", [[1, 200]]]] * 30 + [["cells", [[1, 800]]]] * 10

    found = sizes({"limits": [10, 125, 20, 1000], "script": script})

    assert found[30:] == [260, 320, 380, 440, 500, 560, 620, 680, 740, 800]


def test_a_profile_is_the_mean_over_engines_rounded_up() -> None:
    script = [["a", [[2, 800], [1, 100]]], ["a", [[1, 10]]], ["b", None]]

    assert sizes({"limits": [10, 125, 20, 1000], "script": script}) == [300, 228, 125]


def test_requests_without_a_ready_worker_stay_for_their_ttl_in_ticks() -> None:
    rules = {"capacity": 1000, "default_size": 500, "least_size": 20, "window": 10, "many": 4, "ttl": 1}
    tick: dict[str, Any] = {"waiting": {"c": 12}, "cpu": {}, "end": [], "on": 1, "ready": 1, "registered": 6}

    first, second, _ = plans({"rules": rules, "ticks": [tick] * 3})

    assert first == [[["c-1", "c", 0, 500], ["c-2", "c", 0, 500]], 2, 2, [1000], {}]
    assert second == [[], 4, 4, [1000], {"c": 2}]


@pytest.mark.parametrize("case", clusters("ideal"))
def test_the_ideal_worker_seconds_are_those_of_a_clairvoyant_manager(case: dict[str, Any]) -> None:
    arrivals = [burst["at_s"] + at // burst["per_s"] for burst in case["bursts"] for at in range(burst["messages"])]
    jobs = [Job(at_s, "c", case["cpu"], case["busy_s"]) for at_s in arrivals]

    assert work(case) == (len(jobs), clairvoyant_worker_s(jobs, whole_workers))


def test_executors_that_are_idle_long_enough_retire_in_order() -> None:
    calls = [[1, 0, [["0", 1], ["1", 0]]], [2, 0, [["0", 1], ["1", 0]]], [4, 0, [["0", 0], ["1", 0]]]]

    assert decisions({"rules": {"many": 2}, "idle_s": 3, "most": 4, "calls": calls}) == [[2, []], [2, []], [1, ["1"]]]
