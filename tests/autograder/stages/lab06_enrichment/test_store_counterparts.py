"""The sandbox gets no row, delay or failure of a store, and its results have the times of the store's clock."""

import json

import pytest

from autograder.inside.counterparts import counterpart_of, load_counterparts
from autograder.stages.lab06_enrichment.caches import cases as cache_cases
from autograder.stages.lab06_enrichment.clients import cases

load_counterparts("lab06_enrichment")
CASES = [
    *(("enrich_sync", case) for case in (*cases.asked_for("s"), *cases.changing("s"))),
    *(("enrich_batched", case) for case in cases.batches("s")),
    *(("look_up", case) for case in (*cases.without_an_answer("s"), *cases.ended("s"))),
    *(("enrich_async", case) for case in (*cases.capacities("s"), *cases.errors("s"))),
    *(("CachedStore", case) for case in (*cache_cases.together("s"), *cache_cases.failing("s"))),
]


@pytest.mark.parametrize(("task", "case"), CASES)
def test_the_sandbox_gets_nothing_that_its_code_has_to_ask_for(task: str, case: dict[str, object]) -> None:
    shown = json.dumps(counterpart_of(task, case).shown())

    assert not any(name in shown for name in ("rows", "delays_ms", "fails", "breaks", "changes", "transactions"))


def test_the_clock_moves_to_what_happens_first_and_not_back() -> None:
    store = counterpart_of(
        "look_up", {"rows": [["device", "ann", "x", "row"]], "delays_ms": [["device", "ann", "x", 5]]}
    )

    number = store.ask("call", 0, [["device", "ann", "x"], ["device", "bob", "x"]])

    assert store.ask("wait", 0.002) == [0.002, []]
    assert store.ask("wait", -1.0) == [0.002, []]
    assert store.ask("wait", None) == [0.005, [[number, ["row", None], None]]]
    assert store.ask("wait", None) is None


def test_a_call_that_is_left_open_counts_as_running_however_long_the_drive_waits() -> None:
    store = counterpart_of("look_up", {"rows": [], "transactions": []})
    store.ask("call", 0, [["device", "ann", "x"]])

    store.ask("end", None)
    store.ask("wait", 60.0)

    assert store.rows()["running"] == 1
