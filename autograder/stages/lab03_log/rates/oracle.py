"""The right answers of `highest_rate` and `rate_limit`; a case gives the delay of each rate."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

STEPS = ((0.01, 50.0), (0.1, 5.0), (0.5, 1.75), (0.9, 1.03))  # delay over interval below -> rate times
MOST_RUNS = 60
MEASURING = "MeasuringError"


@dataclass
class Search:
    """The rates that are played, and the result of the search: a rate, or the name of an error."""

    runs: list[float] = field(default_factory=list)
    rate: float = 0.0
    rejected: str | None = None


def delays(case: dict[str, Any]) -> Callable[[float, int], float]:
    """Return a function of a rate and a run number that gives the delay in seconds, from a capacity or a script."""
    if "delays" in case:
        return lambda _, run: float(case["delays"][run][1])
    interval_s, capacity = case["interval_s"], case["capacity_per_s"]
    return lambda rate, _: interval_s * rate / capacity if rate <= capacity else 10 * interval_s


def search(case: dict[str, Any]) -> Search:
    """Return the rates that a case plays and its result.

    Example: search({"start_per_s": 8, "interval_s": 1, "capacity_per_s": 8.5}).runs -> [8]
    """
    found, most_runs = Search(), case.get("most_runs", MOST_RUNS)
    delay, rate, limit = delays(case), float(case["start_per_s"]), case.get("limit_per_s", math.inf)
    while len(found.runs) < most_runs:
        delay_s = delay(rate, len(found.runs))
        found.runs.append(rate)
        share = delay_s / case["interval_s"]
        if math.isnan(delay_s) or delay_s < 0 or (share < 1 and rate > limit):
            found.rejected = MEASURING
            return found
        if 0.9 <= share < 1:
            found.rate = rate
            return found
        found.rate = max(found.rate, rate) if share < 1 else found.rate
        rate = _next(rate, share)
    return found


def _next(rate: float, share: float) -> float:
    return next((rate * factor for below, factor in STEPS if share < below), rate / 2)


def rate_limit(
    size_bytes: int, cpu_s: float, cores: int, bytes_per_s: float, framework_per_s: float
) -> tuple[float, str]:
    """Return the least of the three bounds and its name.

    Example: rate_limit(100, 0.5, 2, 1000, 9) -> (4.0, "cpu")
    """
    bounds = {
        "network": bytes_per_s / size_bytes,
        "cpu": cores / cpu_s if cpu_s else math.inf,
        "framework": float(framework_per_s),
    }
    name = min(bounds, key=lambda each: bounds[each])  # of equal ones the first
    return bounds[name], name
