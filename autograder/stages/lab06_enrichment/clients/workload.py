"""The input of the throughput check of `enrich_async`: 200 payments of 60 accounts, 1 ms per call, capacity 50."""

import json
from typing import Any

from autograder.stages.lab06_enrichment.clients.cases import drawn

PAYMENTS, CAPACITY = 200, 50


def workload(seed: str) -> tuple[bytes, int]:
    """Return the payments and rows as JSON, and how many lookups they need."""
    case = drawn(seed, "throughput", PAYMENTS, accounts=60) | {"capacity": CAPACITY, "timeout_ms": 10_000}
    return json.dumps(case).encode("ascii"), 3 * PAYMENTS


def case_of(content: bytes) -> dict[str, Any]:
    """Return the case of a turn."""
    found: dict[str, Any] = json.loads(content)
    return found
