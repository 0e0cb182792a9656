"""The oracles of the cluster tasks against examples worked out by hand."""

import pytest

from autograder.stages.lab05_placement.healing.cases import FOUR, MANAGERS, NODES
from autograder.stages.lab05_placement.healing.oracle import healed
from autograder.stages.lab05_placement.managers.oracle import results, starts, states
from autograder.stages.lab05_placement.orchestrator.comparators import twice
from autograder.stages.lab05_placement.orchestrator.comparators_traces import interrupted, term_taken_twice
from autograder.stages.lab05_placement.orchestrator.oracle import busy, placed_after, written_after
from autograder.stages.lab05_placement.rates.oracle import rates

BOTH = [["join", "m1", "m1"], ["join", "m2", "m2"]]


def test_a_new_instance_goes_to_the_nearest_manager_without_instances() -> None:
    assert healed(NODES, {}, MANAGERS, {}, FOUR) == {"a1": "m0", "a2": "m1", "a3": "m2"}


def test_a_lost_instance_goes_to_the_nearest_of_the_least_busy_managers() -> None:
    left = {name: node for name, node in MANAGERS.items() if name != "m0"}
    running = {"a1": "m0", "a2": "m1", "a3": "m2"}

    assert healed(NODES, running, left, {"m3": 1}, FOUR) == {"a1": "m1", "a2": "m1", "a3": "m2"}
    assert healed(NODES, running, left, {}, FOUR) == {"a1": "m3", "a2": "m1", "a3": "m2"}
    assert healed(NODES, running, {}, {}, FOUR) == {}


@pytest.mark.parametrize(
    ("totals", "expected"), [([0, 1000, 3000], 1500), ([5000, 6000, 500], 750), ([7, 7], 0), ([9, 4, 8, 2], 10 / 3)]
)
def test_a_rate_is_growth_over_time_and_a_lower_total_counts_as_a_restart(totals: list[int], expected: float) -> None:
    reports = [["a", "b", 1000 * at, total] for at, total in enumerate(totals)]

    assert rates(reports) == {("a", "b"): expected}
    assert rates([*reversed(reports), *reports]) == {("a", "b"): expected}


def test_a_pair_with_one_report_has_no_rate() -> None:
    assert rates([["a", "b", 5, 9], ["a", "b", 5, 9]]) == {}


@pytest.mark.parametrize(
    ("script", "runs"),
    [
        ([["place", "q", {"a": "m1"}], ["step", "m1"]], {"m1": ["a"], "m2": []}),
        (
            [["place", "q", {"a": "m1"}], ["step", "m1"], ["place", "q", {"a": "m2"}], ["step", "m2"]],
            {"m1": ["a"], "m2": []},  # the claim remains
        ),
        (
            [
                ["place", "q", {"a": "m1"}],
                ["step", "m1"],
                ["expire", "m1"],
                ["place", "q", {"a": "m2"}],
                ["step", "m2"],
            ],
            {"m1": ["a"], "m2": ["a"]},  # until m1 looks at its claim
        ),
    ],
)
def test_a_manager_runs_the_instances_it_has_claimed(script: list[list[object]], runs: dict[str, list[str]]) -> None:
    last = states([*BOTH, *script])[-1]

    assert last is not None
    assert last["runs"] == runs


def test_an_instance_starts_once_on_each_manager_that_takes_it_over() -> None:
    script = [
        *BOTH,
        ["place", "q", {"a": "m1", "b": "m1"}],
        ["step", "m1"],
        ["step", "m1"],
        ["place", "q", {"a": "m2"}],
    ]

    assert starts([*script, ["step", "m2"]]) == {"a": 1, "b": 1}  # m1 still holds the claim
    assert starts([*script, ["step", "m1"], ["step", "m2"]]) == {"a": 2, "b": 1}


def test_the_results_of_all_shares_are_those_of_one_process() -> None:
    shares = {"a": [{"t": 9, "ip": "v"}, {"t": 10, "ip": "v"}, {"t": 10, "ip": "v"}], "b": [{"t": 3, "ip": "w"}]}

    assert results({"window_ms": 10, "shares": shares}) == [
        {"ip": "v", "visits": 1, "t": 9},
        {"ip": "v", "visits": 2, "t": 19},
        {"ip": "w", "visits": 1, "t": 9},
    ]


def test_a_step_places_new_instances_and_deletes_removed_ones() -> None:
    script = [["manager", "m0", 0], ["deploy", "a", {"a1": 3}], ["step", "x"], ["undeploy", "a"], ["step", "x"]]

    assert placed_after(script)[2:] == [(1, {"a": {"a1": "m0"}}), (0, {"a": {"a1": "m0"}}), (1, {})]
    assert written_after(script)[2:] == [["placements/a"], [], ["placements/a"]]


def test_only_instances_of_other_deployed_queries_make_a_manager_busy() -> None:
    case = {"queries": {"a": {"a1": 0}, "b": {"b1": 0}}, "managers": {"m0": 0, "m1": 1}}

    assert busy({**case, "placed": {"a": {"a1": "m0"}, "c": {"c1": "m1"}}}) == {"a": {}, "b": {"m0": 1}}


@pytest.mark.parametrize(("of_x", "is_wrong"), [("NotLeader", False), ("TimeoutError", False), (2, False), (1, True)])
def test_no_two_candidates_lead_in_one_term(of_x: object, is_wrong: bool) -> None:
    trace = [{"operation": ["lead", "y"], "answer": 1}, {"operation": ["lead", "x"], "answer": of_x}]

    assert bool(term_taken_twice({"trace": trace}, 1)) == is_wrong


@pytest.mark.parametrize(
    ("written", "terms", "answer", "is_wrong"),
    [
        (1, {"a": 1, "b": 2}, "NotLeader", False),
        (1, {"a": 1, "b": 1}, "NotLeader", True),  # x has lowered the stored term of b
        (1, {"a": 1, "b": 2}, 2, True),
        (2, {"a": 1, "b": 1}, 2, False),  # x was stopped after its last write
        (0, {"a": 2, "b": 2}, 0, False),  # y was faster, and x finds nothing to write
    ],
)
def test_a_leader_that_was_stopped_changes_nothing_and_learns_it(
    written: int, terms: dict[str, int], answer: object, is_wrong: bool
) -> None:
    old, new = {"a": {"a1": "m0"}, "b": {"b1": "m0"}}, {"a": {"a1": "m1"}, "b": {"b1": "m1"}}
    states = [old, old | dict([*new.items()][:written]), new, new]
    trace = [{"placements": each, "terms": terms} for each in states]
    trace[2]["terms"] = {query: 1 if at < written else 2 for at, query in enumerate(new)}
    trace[3]["answer"] = answer
    case = {"script": [["stop", "x", [["lead", "y"], ["step", "y"]]], ["step", "x"]]}

    assert bool(interrupted(case, {"trace": trace}, 1, new)) == is_wrong


@pytest.mark.parametrize(
    ("second", "killed_at", "expected"),
    [
        ([[2.0, "start", "a"]], 1.5, []),
        ([[2.0, "start", "a"]], 2.5, ["a"]),
        ([[2.0, "start", "b"]], 2.5, []),
        ([[0.5, "start", "a"], [0.9, "stop", "a"]], 9.0, []),
    ],
)
def test_an_instance_runs_twice_if_its_times_on_two_managers_overlap(
    second: list[list[object]], killed_at: float, expected: list[str]
) -> None:
    assert twice({"m0": [[1.0, "start", "a"]], "m1": second}, {"m0": killed_at}) == expected
