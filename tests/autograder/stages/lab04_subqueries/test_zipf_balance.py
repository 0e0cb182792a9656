"""At Zipf 1, no helpful move is left only if the speed-up is at least 0.9 of the bound: so the rule implies it."""

from itertools import chain, combinations

import pytest

from autograder.checks import Case
from autograder.stages.lab04_subqueries.balancing import cases, oracle
from autograder.stages.lab04_subqueries.balancing.checks import SHARE_OF_BOUND

STREAMS = [case for seed in range(50) for case in cases.zipf(f"stream {seed}")]


@pytest.mark.parametrize("instances", [2, 12, 16])
def test_the_rule_implies_nine_tenths_of_the_bound(instances: int) -> None:
    streams = [case for case in STREAMS if case["instances"] == instances]

    assert streams
    assert [case for case in streams if fullest_above_the_bound(case)] == []


def fullest_above_the_bound(case: Case) -> list[tuple[int, ...]]:
    """Return each set of buckets that could be a fullest instance with too large a load, although no move helps.

    Every other instance has at least its load minus its smallest bucket, and all loads together are known. So its
    load is at most an equal share plus (n - 1) / n of its smallest bucket, and only heavy buckets can be in it.
    """
    instances, share = case["instances"], sum(case["loads"]) / case["instances"]
    most = oracle.lowest_load(case) / SHARE_OF_BOUND
    others = (instances - 1) / instances
    heavy = [load for load in case["loads"] if share + load * others > most]
    sets = chain.from_iterable(combinations(heavy, size) for size in range(1, len(heavy) + 1))
    return [each for each in sets if most < sum(each) <= share + min(each) * others]
