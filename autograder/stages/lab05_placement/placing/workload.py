"""The input of the throughput check of `place`: four problems of 72 instances on 4 nodes."""

import json
from functools import lru_cache
from typing import Any

from autograder.checks import Mismatch, Rows
from autograder.checks.seeds import random_for
from autograder.stages.lab05_placement.placing import comparators
from autograder.stages.lab05_placement.search.cases_problems import bullion, of_queries

INSTANCES, PROBLEMS = 72, 4
MACHINE = bullion(4, 18)
PRICES = {(a, b): price for a, row in enumerate(MACHINE["rows"]) for b, price in enumerate(row)}  # symmetric
OVER_METIS = 1.5


def workload(seed: str) -> tuple[bytes, int]:
    """Return the problems as JSON, and how many instances they have."""
    rng = random_for(seed, "throughput")
    made = [of_queries(rng, INSTANCES, MACHINE) for _ in range(PROBLEMS)]
    return json.dumps(made).encode("ascii"), INSTANCES * PROBLEMS


def problems(content: bytes) -> list[dict[str, Any]]:
    """Return the problems of a turn."""
    found: list[dict[str, Any]] = json.loads(content)
    return found


def placements(content: bytes, rows: Rows) -> list[Any]:
    """Return the answer to each problem."""
    got, many = rows.get("placements"), len(problems(content))
    return got if isinstance(got, list) and len(got) == many else [rows] * many


def too_expensive(content: bytes, rows: Rows) -> Mismatch | None:
    """Check that valid placements do not cost much more than METIS's, all together."""
    pairs = zip(problems(content), rows["placements"], strict=True)
    total = sum(comparators.total(placement, each, PRICES) for each, placement in pairs)
    most = OVER_METIS * _metis_cost(content)
    if total <= most:
        return None
    what = f"{PROBLEMS} placements of {INSTANCES} instances to cost at most {OVER_METIS} times those of METIS"
    return Mismatch(f"Expected {what}; yours cost {OVER_METIS * total / most:.2f} times as much.", most, total)


@lru_cache(maxsize=64)
def _metis_cost(content: bytes) -> float:
    return sum(comparators.total(comparators.by_metis(each), each, PRICES) for each in problems(content))


def row_bytes(row: Any) -> int:
    """Return the size of a row as JSON."""
    return len(json.dumps(row))
