"""The oracles and the reference of placement against CP-SAT, METIS and taskset."""

import os
import shutil
import subprocess
import sys
from typing import Any

import pytest

from autograder.stages.lab05_placement.placing import comparators
from autograder.stages.lab05_placement.search import cases, oracle
from autograder.stages.lab05_placement.search.drive_problems import topology_of, traffic_of
from tests.autograder.stages.driven_reference import reference

LAB = "lab05_placement"


def exact_cost(problem: dict[str, Any]) -> int:
    """Return the lowest cost, proved optimal by OR-Tools."""
    cp_model = pytest.importorskip("ortools.sat.python.cp_model")
    model, where = cp_model.CpModel(), topology_of(problem["machine"])
    at = {(each, node): model.new_bool_var("") for each in problem["instances"] for node in where.cores}
    for each in problem["instances"]:
        model.add_exactly_one(at[each, node] for node in where.cores)
    for node, cores in where.cores.items():
        model.add(sum(at[each, node] for each in problem["instances"]) <= len(cores))
    paid = []
    for sender, receiver, amount in problem["traffic"]:
        price = model.new_int_var(0, 40 * amount, "")
        paid.append(price)
        for reader in where.cores:
            for memory in where.cores:
                both = [at[receiver, reader], at[sender, memory]]
                model.add(price >= amount * where.distance[reader][memory]).only_enforce_if(both)
    model.minimize(sum(paid))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 2
    assert solver.solve(model) == cp_model.OPTIMAL
    return round(solver.objective_value)


def test_branch_and_bound_finds_the_same_optimum_as_cp_sat() -> None:
    problems = cases.small_ones("peers")[0]["problems"][:9]  # three of each machine

    assert [oracle.optimum(each) for each in problems] == [exact_cost(each) for each in problems]


def test_an_improving_step_is_found_after_two_instances_are_swapped() -> None:
    problem, lab = cases.searched("peers")[1], reference(LAB)
    prices = oracle.prices(problem["machine"])
    found = lab.place(problem["instances"], traffic_of(problem), topology_of(problem["machine"]))
    assert comparators.helpful_step(found, problem, prices) is None

    busiest = max(problem["traffic"], key=lambda row: row[2])
    other = next(each for each in found if found[each] != found[busiest[0]])
    found[busiest[0]], found[other] = found[other], found[busiest[0]]

    assert comparators.helpful_step(found, problem, prices) is not None


def test_prices_of_the_checks_add_up_to_the_cost() -> None:
    for problem in cases.small_ones("peers")[0]["problems"][:9]:
        placement = {each: problem["machine"]["nodes"][at % 3] for at, each in enumerate(problem["instances"])}
        prices = oracle.prices(problem["machine"])

        assert comparators.total(placement, problem, prices) == oracle.cost(placement, problem)


def test_large_placements_cost_less_than_those_of_metis() -> None:
    problem, lab = cases.large_ones("peers")[0]["problems"][0], reference(LAB)

    found = lab.place(problem["instances"], traffic_of(problem), topology_of(problem["machine"]), starts=2)

    assert oracle.cost(found, problem) < oracle.metis_cost(problem)


@pytest.mark.skipif(not shutil.which("taskset"), reason="taskset is not installed")
def test_taskset_sees_the_cores_that_pin_returns() -> None:
    own, lab = sorted(os.sched_getaffinity(0)), reference(LAB)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        try:
            pinned = lab.pin(process.pid, own[-1:])
            command = ["taskset", "-cp", str(process.pid)]
            text = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30).stdout
        finally:
            process.kill()

    assert pinned == own[-1:] == lab.cpus(text.rpartition(":")[2])
