"""`rebalance` and its oracle against OR-Tools' CP-SAT, which proves its answers."""

import random
from collections.abc import Sequence

import pytest

from autograder.stages.lab04_subqueries.balancing import cases, oracle
from autograder.stages.lab04_subqueries.balancing.comparators import totals
from tests.autograder.stages.driven_reference import reference

LAB = "lab04_subqueries"
SOLVER_LIMIT_S = 60


def solve(loads: Sequence[int], owners: Sequence[int], instances: int, largest: int | None = None) -> int:
    """Return the lowest possible largest load; given `largest`, the fewest moves after which no load exceeds it."""
    cp_model = pytest.importorskip("ortools.sat.python.cp_model")
    model = cp_model.CpModel()
    at = [[model.new_bool_var("") for _ in range(instances)] for _ in loads]
    most = model.new_int_var(0, sum(loads), "")
    for row in at:
        model.add_exactly_one(row)
    for instance in range(instances):
        model.add(sum(load * row[instance] for load, row in zip(loads, at, strict=True)) <= most)
    if largest is None:
        model.minimize(most)
    else:
        model.add(most <= largest)
        stays = [row[owner] for row, owner in zip(at, owners, strict=True) if owner < instances]
        model.maximize(sum(stays))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers, solver.parameters.max_time_in_seconds = 2, SOLVER_LIMIT_S
    assert solver.solve(model) == cp_model.OPTIMAL
    found = round(solver.objective_value)
    return found if largest is None else len(loads) - found


def skewed(buckets: int, instances: int, seed: str) -> tuple[list[int], list[int]]:
    """Return loads with a few large ones, and owners assigned round robin."""
    rng = random.Random(seed)
    loads = [1 + int(5 * rng.paretovariate(1.2)) for _ in range(buckets)]
    return [min(load, 400) for load in loads], [bucket % instances for bucket in range(buckets)]


@pytest.mark.parametrize(("buckets", "instances"), [(32, 4), (64, 4), (64, 8)])
def test_the_largest_load_is_near_the_optimum_and_takes_the_fewest_moves(buckets: int, instances: int) -> None:
    loads, owners = skewed(buckets, instances, f"{buckets} on {instances}")
    before, optimum = max(totals(loads, owners, instances)), solve(loads, owners, instances)

    new = reference(LAB).rebalance(loads, owners, instances)

    after = max(totals(loads, new, instances))
    moves = sum(one != other for one, other in zip(owners, new, strict=True))
    assert optimum <= after < before
    # Finn and Horowitz (1979), https://doi.org/10.1007/BF01930985: no local optimum of single moves costs more
    assert after * (instances + 1) <= 2 * instances * optimum
    assert moves == solve(loads, owners, instances, largest=after)


def test_the_oracle_finds_the_fewest_moves_for_equal_loads() -> None:
    known = [case for case in cases.settled("peers") if len(set(case["loads"])) == 1 and case["loads"][0] > 0]

    assert known
    for case in known:
        share = -(-len(case["loads"]) // case["instances"]) * case["loads"][0]
        fewest = solve(case["loads"], case["owners"], case["instances"], largest=share)
        assert oracle.fewest_moves(case) == fewest
