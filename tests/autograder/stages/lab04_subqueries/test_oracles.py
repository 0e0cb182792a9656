"""The oracles of Lab 4 against traces worked out by hand, and against the reference."""

from typing import Any

import pytest

from autograder.stages.lab04_subqueries.aggregate import oracle as aggregate
from autograder.stages.lab04_subqueries.aggregate import workload
from autograder.stages.lab04_subqueries.balancing import oracle as balancing
from autograder.stages.lab04_subqueries.balancing.comparators import helpful_moves
from autograder.stages.lab04_subqueries.inbox import oracle as inbox
from autograder.stages.lab04_subqueries.join import oracle as join
from autograder.stages.lab04_subqueries.panes import oracle as panes
from autograder.stages.lab04_subqueries.split import oracle as split
from autograder.stages.lab04_subqueries.split.cases import borders
from streamlab.lab04_subqueries.engine import END_MS, START_MS
from tests.autograder.stages.driven_reference import reference

FUNCTIONS = {"n": ["COUNT", "v"], "sum": ["SUM", "v"]}


# Aggregate


def aggregated(window: list[Any], rows: list[tuple[int, int]], functions: dict[str, list[str]]) -> list[list[Any]]:
    made = [{"t": t, "v": v} for t, v in rows]
    answers = aggregate.answers({"group_by": [], "window": window, "functions": functions, "rows": made})
    return [[list(row.values()) for row in answer] for answer in answers]


def test_a_row_is_in_three_overlapping_windows() -> None:
    answers = aggregated(["time", 10, 4], [(1, 5), (9, 7)], FUNCTIONS)

    assert answers == [[], [], [[1, 5, 1], [1, 5, 5]], [], [[2, 12, 9], [1, 7, 13], [1, 7, 17]]]


def test_windows_of_three_rows_close_with_the_third_and_fifth_row() -> None:
    functions = {"sum": ["SUM", "v"], "first": ["FIRST_VAL", "v"], "avg": ["AVG", "v"]}

    answers = aggregated(["size", 3, 2], [(10 * v, v) for v in range(1, 6)], functions)

    assert [answer for answer in answers if answer] == [[[6, 1, 2.0, 30]], [[12, 3, 4.0, 50]]]


@pytest.mark.parametrize(
    ("window", "times", "needed"),
    [
        (["time", 10, 4], [1, 9], [1, 2, 0]),
        (["time", 10, 10], [1, 9, 10], [1, 2, 1, 0]),
        (["size", 3, 2], [1, 2, 3, 4, 5], [1, 2, 1, 2, 1, 1]),  # the fifth row is in a window that stays open
    ],
)
def test_a_row_is_needed_until_its_last_window_is_emitted(
    window: list[Any], times: list[int], needed: list[int]
) -> None:
    rows = [{"t": t, "v": 0} for t in times]

    assert aggregate.needed_rows({"group_by": [], "window": window, "rows": rows}) == needed


@pytest.mark.parametrize(
    ("name", "result"),
    [("COUNT", 4), ("SUM", 10), ("MIN", -3), ("MAX", 8), ("AVG", 2.5), ("FIRST_VAL", 5), ("LAST_VAL", 0)],
)
def test_each_function_aggregates_four_values(name: str, result: float) -> None:
    assert aggregate.result_of(name, [5, -3, 8, 0]) == result


def test_the_workload_has_the_results_of_the_windows_definition() -> None:
    content = b'[{}, [{"t": 500, "ip": "a", "v": 3}, {"t": 1500, "ip": "a", "v": 4}]]'

    results = workload.results(content)

    assert len(results) == 61  # 60 windows hold the first row, and one more the second alone
    assert results[0] == {"ip": "a", "n": 1, "sum": 3, "max": 3, "first": 3, "last": 3, "t": 999}
    assert results[1] == {"ip": "a", "n": 2, "sum": 7, "max": 4, "first": 3, "last": 4, "t": 1999}


# Panes, add_row


def test_panes_of_2_ms_are_deleted_when_the_next_window_starts_after_them() -> None:
    calls = [["add", "a", 1, 5, 5], ["add", "a", 9, 7, 7], ["close", "a", 0], ["close", "a", 4], ["close", "a", 8]]

    answers = panes.panes_answers({"window": ["time", 10, 4], "calls": calls})

    assert [each["returned"] for each in answers] == [True, True, [[2, 5, 7], 121], [[1, 7], 71], [[1, 7], 71]]
    assert [[pane for pane, _ in each["panes"]] for each in answers] == [[0], [0, 4], [4], [4], []]


@pytest.mark.parametrize(
    ("window", "closed", "empty"),
    [
        ([3, 2], [None, None, [0, [0], [1], [2]], None, [2, [2], [3], [4]]], [False] * 5),
        ([2, 2], [None, [0, [0], [1]], None, [0, [2], [3]], None], [False, True, False, True, False]),
    ],
)
def test_windows_of_rows_close_with_their_last_row(window: list[int], closed: list[Any], empty: list[bool]) -> None:
    answers = panes.row_answers({"window": window, "groups": ["a"] * 5})

    assert [each["returned"] for each in answers] == closed
    assert [each["empty"] for each in answers] == empty


# Join


@pytest.mark.parametrize(
    ("first", "gap_ms", "joins"),
    [(0, 9, True), (0, 10, False), (1, 4, True), (1, 5, False), (0, 0, True), (1, 0, True)],
)
def test_the_window_of_the_earlier_row_decides_whether_rows_join(first: int, gap_ms: int, joins: bool) -> None:
    rows = [[first, {"t": 3, "id": 1, "v": 0}], [1 - first, {"t": 3 + gap_ms, "id": 2, "v": 0}]]

    assert len(join.joined({"left_ms": 10, "right_ms": 5, "on": [], "group_by": [], "rows": rows})) == joins


def test_a_row_is_needed_as_long_as_a_later_one_can_join_it() -> None:
    rows = [[0, {"t": 0}], [1, {"t": 3}], [0, {"t": 9}]]

    assert join.needed_rows({"left_ms": 10, "right_ms": 5, "rows": rows, "until_ms": 14}) == [1, 2, 2, 1]


# split


def test_the_query_of_the_paper_has_four_subqueries() -> None:
    paper = borders("public")[4]

    assert split.subqueries(paper) == [["m1", "f1", "m2"], ["JOIN", "m3"], ["AGG", "f2"], ["AGG2"]]
    assert [split.crossing(paper, each) for each in split.subqueries(paper)] == [
        (["a", "b"], ["a2", "b1"]),
        (["a2", "b1"], ["c1"]),
        (["c1"], ["d1"]),
        (["d1"], ["e"]),
    ]


def test_a_union_after_a_stateful_operator_starts_a_subquery() -> None:
    operators = [["agg", True, ["a"], ["x"]], ["m", False, ["b"], ["y"]], ["u", False, ["x", "y"], ["z"]]]
    case = {"sources": ["a", "b"], "operators": [*operators, ["f", False, ["z"], ["v"]]]}

    assert split.subqueries(case) == [["agg"], ["m"], ["u", "f"]]


# Inbox


def test_the_inbox_releases_rows_up_to_the_lowest_promise_of_all_senders() -> None:
    messages = [
        ["a", 0, [[5, "y", "s"], [3, "x", "s"]], 6],
        ["b", 0, [[4, "q", "s"], [5, "m", "s"]], 5],
        ["b", 1, [], 9],
        ["b", 0, [[4, "q", "s"], [5, "m", "s"]], 5],
        ["a", 1, [[6, "z", "s"]], END_MS],
        ["c", 0, [], 9],
    ]

    answers = inbox.answers({"senders": ["a", "b"], "messages": messages})

    assert [[value for _, value, _ in left] for left, _ in answers[:5]] == [[], ["x", "q"], ["m", "y"], [], ["z"]]
    assert [until_ms for _, until_ms in answers[:5]] == [START_MS, 5, 6, 6, 9]
    assert answers[5] == inbox.REJECTED


# rebalance


@pytest.mark.parametrize(
    ("loads", "owners", "new", "moves"),
    [
        ([9, 5, 4, 3, 2, 1], [0, 0, 0, 1, 1, 1], [0, 1, 0, 1, 1, 1], None),
        ([10, 1, 1, 1, 1], [0, 0, 0, 1, 1], [0, 1, 1, 1, 1], None),
        ([4] * 8, [0] * 5 + [1] * 3, [1, 0, 0, 0, 0, 1, 1, 1], 1),
    ],
)
def test_the_reference_balances_as_worked_out_by_hand(
    loads: list[int], owners: list[int], new: list[int], moves: int | None
) -> None:
    assert reference("lab04_subqueries").rebalance(loads, owners, 2) == new
    assert helpful_moves(loads, owners, 2) != []
    assert helpful_moves(loads, new, 2) == []
    assert balancing.fewest_moves({"loads": loads, "owners": owners, "instances": 2}) == moves
