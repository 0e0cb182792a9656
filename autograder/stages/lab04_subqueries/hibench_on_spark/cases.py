"""Seeded cases of `hibench_on_spark`: visits in files, each file a micro-batch. Spark runs them, so they are few."""

from autograder.checks import Case
from autograder.checks.seeds import random_for
from autograder.stages.lab04_subqueries.hibench.cases import EDGES_MS, WINDOW_MS, Visit, some_visits, visit_at

INSTANCES = 3


def shares_in_spark(seed: str) -> list[Case]:
    """Return the two workloads that only pass rows on, with enough rows for shares that differ by one."""
    rng = random_for(seed, "shares")
    count = 5 * INSTANCES + rng.randrange(1, INSTANCES)
    visits = some_visits(rng, count)
    for visit in visits[: count // 2]:
        visit["ip"] = "10.0.0.0"  # a busy one
    return [_files("identity", [visits[:3]]), _files("repartition", [visits])]


def answers_in_spark(seed: str) -> list[Case]:
    """Return words and windows of two files; the second file continues in the windows of the first.

    The rows of a file come in another order than that of their times.
    """
    rng = random_for(seed, "answers")
    edges = [visit_at(t) for t in EDGES_MS[1:]]
    visits = sorted([*edges, *some_visits(rng, 12)], key=lambda visit: visit["t"])
    close = [visit for visit in visits if visit["t"] < WINDOW_MS - 5000]
    rest = [visit for visit in visits if visit["t"] >= WINDOW_MS - 5000]
    small = [[visit_at(1000, word="to")], [visit_at(2000, word="be")]]
    return [
        _files("wordcount", small),
        _files("wordcount", [close, rest]),
        _files("fixwindow", [close[::-1], rng.sample(rest, len(rest))]),
    ]


def finished_in_spark(seed: str) -> list[Case]:
    """Return windows of some ips, and a visit a day later, after which only its own window can still change."""
    rng = random_for(seed, "finished")
    return [_files("fixwindow", [some_visits(rng, 8), [visit_at(24 * 3_600_000 + 5000)]])]


def unknown_in_spark(seed: str) -> list[Case]:
    """Return a workload that exists, and two that do not."""
    other = random_for(seed, "unknown in Spark").choice(["kmeans", "sliding", "join"])
    return [_files(name, [[visit_at(1)]]) for name in ("identity", "", other)]


def _files(workload: str, files: list[list[Visit]]) -> Case:
    return {"workload": workload, "files": files, "instances": INSTANCES}
