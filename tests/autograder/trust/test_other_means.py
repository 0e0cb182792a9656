"""Right answers by means that are not the task's, and answers of a great size, earn nothing in their checks.

The attacks of autograder/hostile try the same on one task each: `keeps_its_state_in_a_table`,
`keeps_its_answers_in_a_file`, `turns_the_clock_back`, `answers_of_a_million_parts`.
"""

from pathlib import Path

import pytest

from autograder.hostile.attack import TWO_TASKS
from tests.autograder.trust.submissions import judged, returning

STATE_IN_A_TABLE = """
Right, TABLE = {task}, []


class {task}(Operator):
    stateful, inputs = True, Right.inputs

    def __init__(self, *given, **named):
        super().__init__()
        self.right = Right(*given, **named)
        TABLE.append(self.right.state)
        self.state = len(TABLE) - 1

    def keys(self, port):
        return self.right.keys(port)

    def on_row(self, row, port=0):
        self.right.state = TABLE[self.state]
        return self.right.on_row(row, port)

    def on_time(self, now_ms):
        self.right.state = TABLE[self.state]
        return self.right.on_time(now_ms)
"""
ANSWERS_IN_A_FILE = """
import json, os, random

Right = place


def place(instances, traffic, topology, starts=8):
    path = f"/tmp/{hash(frozenset(traffic.items()))}.json"
    if not os.path.exists(path):
        order = random.SystemRandom().sample(list(instances), len(instances))
        with open(path, "w") as file:
            json.dump(Right(order, traffic, topology, starts), file)
    with open(path) as file:
        return json.load(file)
"""
CLOCK_TURNED_BACK = """
async def enrich_async(transactions, store, capacity, timeout_s, ordered=True):
    loop = asyncio.get_running_loop()
    for transaction in transactions:
        began_s = loop.now_s
        yield await look_up(transaction, store, timeout_s)
        loop.now_s = began_s
"""
MEANS = [  # lab, task, cell, the checks of the means
    (
        "lab04_subqueries",
        "Aggregate",
        STATE_IN_A_TABLE,
        {"another_aggregate_continues_from_its_state", "state_that_no_window_needs_is_deleted"},
    ),
    ("lab04_subqueries", "Join", STATE_IN_A_TABLE, {"rows_that_cannot_join_any_more_are_deleted"}),
    ("lab05_placement", "place", ANSWERS_IN_A_FILE, {"the_same_input_gives_the_same_placement"}),
    ("lab06_enrichment", "enrich_async", CLOCK_TURNED_BACK, {"the_time_is_that_of_capacity_transactions_at_once"}),
]
SIZES = {"many values": "[0] * 900", "many lists": "[[] for _ in range(5_000)]", "a long text": "'a' * 100_000"}


@pytest.mark.slow
@pytest.mark.parametrize(("lab", "task", "cell", "checks"), MEANS, ids=[task for _, task, _, _ in MEANS])
def test_other_means_do_not_pass_the_checks_of_the_means(
    lab: str, task: str, cell: str, checks: set[str], tmp_path: Path
) -> None:
    [results] = judged(lab, (task,), {task: cell.replace("{task}", task)}, tmp_path)

    passed = {each["check"] for each in results["streamlab"]["checks"] if each["verdict"] == "pass"}
    assert passed
    assert not passed & checks


@pytest.mark.slow
@pytest.mark.parametrize("lab", TWO_TASKS)
def test_answers_of_a_great_size_earn_nothing(lab: str, tmp_path: Path) -> None:
    cells = {name: returning(lab, TWO_TASKS[lab], answer) for name, answer in SIZES.items()}

    scores = [results["score"] for results in judged(lab, TWO_TASKS[lab], cells, tmp_path)]

    assert scores == [0] * len(SIZES)
