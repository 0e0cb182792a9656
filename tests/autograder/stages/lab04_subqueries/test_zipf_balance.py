"""At Zipf 1, no helpful move is left only if the instances carry at least 0.9 of what any balance can."""

import random

import pytest

from autograder.checks import Case
from autograder.stages.lab04_subqueries.balancing import cases
from autograder.stages.lab04_subqueries.balancing.comparators import helpful_moves, totals


@pytest.mark.parametrize("case", [each for each in cases.settled("zipf") if "most_moves" in each])
def test_without_a_helpful_move_the_fullest_is_near_the_bound(case: Case) -> None:
    loads, instances, rng = case["loads"], case["instances"], random.Random("zipf")
    owners = [rng.randrange(instances) for _ in loads]

    while moves := helpful_moves(loads, owners, instances):
        bucket, to = rng.choice(moves)
        owners[bucket] = to

    bound = max(sum(loads) / instances, max(loads))
    assert bound / max(totals(loads, owners, instances)) >= 0.9
