"""The sandbox gets no row, delay or failure of a store, and its results have the times of the store's clock."""

import json
from typing import Any

import pytest

from autograder.inside.counterparts import counterpart_of, load_counterparts
from autograder.stages.lab06_enrichment.caches import cases as cache_cases
from autograder.stages.lab06_enrichment.clients import cases
from autograder.stages.lab06_enrichment.partitioned import cases as partitioned_cases
from autograder.stages.lab06_enrichment.shared import cases as shared_cases
from autograder.stages.lab06_enrichment.windows import cases as window_cases

load_counterparts("lab06_enrichment")
CASES = [
    *(("enrich_sync", case) for case in (*cases.asked_for("s"), *cases.changing("s"))),
    *(("enrich_batched", case) for case in cases.batches("s")),
    *(("look_up", case) for case in (*cases.without_an_answer("s"), *cases.ended("s"))),
    *(("enrich_async", case) for case in (*cases.capacities("s"), *cases.errors("s"))),
    *(("CachedStore", case) for case in (*cache_cases.together("s"), *cache_cases.failing("s"))),
]
# The workers' payments are known to the sandbox; what the store holds is not.
OF_WORKERS = [
    *(("enrich_partitioned", case) for case in (*partitioned_cases.asked("s"), *partitioned_cases.workers("s"))),
    *(("fraud_windows", case) for case in window_cases.on_kafka("s")),
    *(("SharedCache", case) for case in (*shared_cases.answered("s"), *shared_cases.forgotten("s"))),
]


@pytest.mark.parametrize(("task", "case"), CASES)
def test_the_sandbox_gets_nothing_that_its_code_has_to_ask_for(task: str, case: dict[str, object]) -> None:
    shown = json.dumps(counterpart_of(task, case).shown())

    assert not any(name in shown for name in ("rows", "delays_ms", "fails", "breaks", "changes", "transactions"))


@pytest.mark.parametrize(("task", "case"), OF_WORKERS)
def test_the_sandbox_gets_no_row_of_a_store_that_workers_ask(task: str, case: dict[str, Any]) -> None:
    shown = counterpart_of(task, case).shown()

    changed = [step[2] for step in case.get("script", []) if step[0] == "change"]
    assert "rows" not in shown
    assert not any(
        json.dumps(text) in json.dumps(shown) for text in [row for *_, row in case["rows"]] + changed if text
    )


def test_calls_are_counted_for_the_job_and_for_the_operation_that_asked() -> None:
    workers = counterpart_of("enrich_partitioned", {"rows": [["device", "ann", "x", "row"]]})
    cache = counterpart_of("SharedCache", {"rows": [], "script": [["change", ["device", "ann", "x"], "new"]]})

    for keys in [["device", "ann", "x"]], [["device", "bob", "x"]]:
        workers.ask("begin")
        workers.ask("get_many", keys)
    for operation in "change", "forget":
        cache.ask("get_many", [["device", "ann", "x"]])
        cache.ask("see", operation, 1)
        if operation == "change":
            cache.ask("change")

    assert workers.rows() == {"asked": [[["device", "ann", "x"]], [["device", "bob", "x"]]]}
    assert cache.rows() == {"seen": [[each, [[["device", "ann", "x"]]], 1] for each in ("change", "forget")]}
    assert cache.ask("get_many", [["device", "ann", "x"]]) == (["new"], None)


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
