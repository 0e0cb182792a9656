"""The oracle of joins on Spark, against an example worked out by hand and the reference of Lab 4's `Join`."""

from typing import Any

import pytest

from autograder.stages.lab06_enrichment.refunds import cases, oracle
from autograder.stages.lab06_enrichment.refunds.drive import pairs_of
from tests.autograder.stages.driven_reference import reference

SEEDS = [f"refunds {number}" for number in range(20)]


def ids_alone(case: dict[str, Any]) -> list[list[str]]:
    """Return the payments without a refund that come out after each file."""
    return [[row[0] for row in file if row[4] is None] for file in oracle.joined(case)]


def test_a_payment_comes_out_alone_when_the_watermark_has_passed_its_time() -> None:
    played, *_ = cases.waited("public")

    assert oracle.watermarks_ms(played) == [0, 27_000, 70_000, 190_000]
    assert ids_alone(played) == [[], ["p1"], ["p2"], ["p6"]]


@pytest.mark.parametrize("seed", SEEDS)
def test_pairs_are_those_of_the_join_of_lab_4(seed: str) -> None:
    case, *_ = cases.paired(seed)

    assert sorted(oracle.pairs(case)) == sorted(pairs_of(reference("lab04_subqueries").Join, case))


@pytest.mark.parametrize("seed", SEEDS)
def test_no_time_bound_is_near_a_watermark(seed: str) -> None:
    for case in [*cases.paired(seed), *cases.waited(seed)]:
        ends_ms = [row[3] + 1000 * case["within_s"] for file in case["files"] for row in file if row[4] is None]
        assert all(abs(end_ms - at_ms) >= 1000 for end_ms in ends_ms for at_ms in oracle.watermarks_ms(case) if at_ms)
