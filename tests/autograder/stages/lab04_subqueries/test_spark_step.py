"""`spark_step`: the oracle against examples worked out by hand, and the drive's stub."""

from typing import Any

import pytest

from autograder.stages.lab04_subqueries.spark_step import cases, oracle
from autograder.stages.lab04_subqueries.spark_step.drive_ledger import new_instance
from streamlab.lab04_subqueries.engine import Arrival, order_of


def row(name: str, v: int, t: int, bucket: int = 0) -> dict[str, Any]:
    return {"name": name, "v": v, "b": bucket, "t": t}


def step(until_ms: int, *rows: dict[str, Any]) -> dict[str, Any]:
    return {"rows": list(rows), "until_ms": until_ms, "owners": [0]}


def test_rows_are_numbered_and_digested_in_order_of_time_and_content() -> None:
    left = oracle.left_per_step([step(10, row("a", 9, 5), row("a", 10, 5), row("a", 2, 1))])[0]

    # As text, "10" comes before "9": 2, then 31 * 2 + 10 = 72, then 31 * 72 + 9 = 2241.
    assert [entry["digest_of_order"] for _, entry in left] == [2, 72, 2241]
    assert [entry["number"] for _, entry in left] == [1, 2, 3]


@pytest.mark.parametrize(("until_ms", "closed"), [(24, []), (25, [24])])
def test_a_name_is_closed_20_ms_after_its_last_row(until_ms: int, closed: list[int]) -> None:
    left = oracle.left_per_step([step(10, row("a", 1, 5)), step(until_ms)])

    assert [entry["t"] for _, entry in left[1]] == closed


def test_a_gap_of_20_ms_starts_a_new_count() -> None:
    left = oracle.left_per_step([step(50, row("a", 1, 0), row("a", 1, 19), row("a", 1, 39))])[0]

    assert sorted(entry["number"] for _, entry in left if "number" in entry) == [1, 1, 2]
    assert [entry["closed"] for _, entry in left if "closed" in entry] == [2]


@pytest.mark.parametrize("seed", ["public", "another"])
@pytest.mark.parametrize("make", [cases.batches, cases.silent, cases.killed])
def test_a_local_run_of_the_stub_agrees_with_the_oracle(make: Any, seed: str) -> None:
    for case in make(seed):
        instances = {bucket: new_instance() for bucket in range(cases.BUCKETS)}
        for given, expected in zip(case["steps"], oracle.left_per_step(case["steps"]), strict=True):
            got = []
            for bucket, instance in instances.items():
                arrivals = [Arrival("rows", each) for each in given["rows"] if each["b"] == bucket]
                left = instance.run(sorted(arrivals, key=order_of), given["until_ms"])
                got += [[bucket, entry] for _, entry in left]

            assert sorted(got, key=repr) == sorted(expected, key=repr)


def test_no_row_of_a_case_is_late_for_its_batch() -> None:
    for make in (cases.batches, cases.silent, cases.killed):
        for case in make("public"):
            low_ms = 0
            for given in case["steps"]:
                assert all(low_ms <= each["t"] < given["until_ms"] for each in given["rows"])
                low_ms = given["until_ms"]


def test_only_the_silent_bucket_case_has_buckets_without_rows() -> None:
    for case in [*cases.batches("public"), *cases.killed("public")]:
        of_steps = [{each["b"] for each in given["rows"]} for given in case["steps"]]

        assert of_steps == [of_steps[0]] * len(of_steps)
