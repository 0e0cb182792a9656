"""The grid: the highest rate that Spark keeps up with, by message size, work per message, and integration.

Each cell has a limit next to its rate: the lowest of the rates that the network, the cores and Spark itself can
sustain. The search and the limit are the learner's functions (Lab 3), given as arguments.
Source: Fig. 3 of B. Blamey, A. Hellander and S. Toor, https://arxiv.org/abs/1807.07724.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from streamlab.experiments.integrations import Integration
from streamlab.experiments.limits import file_bytes_per_s, framework_per_s, loopback_bytes_per_s
from streamlab.experiments.runs import Load, mean_delay_s
from streamlab.progress import OnProgress, silent

START_PART, FAR_ABOVE = 0.25, 3.0  # times the limit: the first rate to try, and the rate above which no run is played
MOST_RUNS, ERROR_CHARS = 10, 300  # runs of the search, after the first rate that Spark keeps up with
MOST_HALVINGS = 16  # before that rate


@dataclass(frozen=True)
class Plan:
    """The plan of a grid: all sizes (bytes) × work per message (s), in runs of `run_s` with batches of `interval_s`."""

    sizes: tuple[int, ...]
    cpu_s: tuple[float, ...]
    interval_s: float
    run_s: float


MINUTES = Plan((100, 10_000, 1_000_000), (0.0, 0.05), interval_s=1.0, run_s=4.0)
NIGHT = Plan((100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000), (0.0, 0.01, 0.1, 0.5, 1.0), 5.0, 60.0)


@dataclass(frozen=True)
class Cell:
    """The highest rate of one cell (messages/s), its limit, and the bound that sets it; `error` replaces a rate."""

    integration: str
    size_bytes: int
    cpu_s: float
    rate_per_s: float
    limit_per_s: float
    bound: str
    runs: int
    error: str | None = None


def measure(
    spark: Any,
    integrations: Sequence[Integration],
    plan: Plan,
    highest_rate: Callable[..., float],
    rate_limit: Callable[..., Any],
    on_progress: OnProgress = silent,
) -> Iterator[Cell]:
    """Measure all cells and yield each one when it is finished."""
    cores, by_file, by_loopback = spark.sparkContext.defaultParallelism, file_bytes_per_s(), loopback_bytes_per_s()
    for at, integration in enumerate(integrations):
        bytes_per_s = by_file if integration.name == "file" else by_loopback
        framework = framework_per_s(spark, integration, plan.interval_s)
        for number, (size, cpu_s) in enumerate(itertools.product(plan.sizes, plan.cpu_s), start=1):
            total = len(plan.sizes) * len(plan.cpu_s)
            on_progress(f"{integration.name}: cell {at * total + number} of {len(integrations) * total}")
            limit = rate_limit(size, cpu_s, cores, bytes_per_s, framework)
            yield _cell(spark, integration, Load(size, cpu_s), limit, plan, highest_rate)


def _cell(
    spark: Any, integration: Integration, load: Load, limit: Any, plan: Plan, highest_rate: Callable[..., float]
) -> Cell:
    def played(rate_per_s: float) -> float:
        return mean_delay_s(spark, integration, load, rate_per_s, plan.interval_s, plan.run_s)

    return search_cell(integration.name, load, limit, plan, highest_rate, played)


def search_cell(
    name: str,
    load: Load,
    limit: Any,
    plan: Plan,
    highest_rate: Callable[..., float],
    play: Callable[[float], float],
    most_runs: int = MOST_RUNS,
) -> Cell:
    """Search for the highest rate of a cell; `play(rate)` plays a run and returns the mean delay in seconds."""
    runs: list[float] = []

    def played(rate_per_s: float) -> float:
        runs.append(rate_per_s)
        return play(rate_per_s)

    def run(rate_per_s: float) -> float:
        if rate_per_s > FAR_ABOVE * limit.rate_per_s or rate_per_s * plan.run_s < 1:
            return math.inf  # far above the limit, or no message in a run: playing it would show nothing
        delay_s = played(rate_per_s)
        return delay_s if delay_s < plan.interval_s else min(delay_s, played(rate_per_s))  # allows one stall

    rate, error = 0.0, None
    try:
        start_per_s = starting_rate(run, START_PART * limit.rate_per_s, plan.interval_s)
        rate = highest_rate(run, start_per_s, plan.interval_s, limit.rate_per_s, most_runs)
    except (ValueError, RuntimeError, TimeoutError) as problem:  # one failed cell does not end the grid
        error = str(problem)[:ERROR_CHARS]
    return Cell(name, load.size_bytes, load.cpu_s, rate, limit.rate_per_s, limit.bound, len(runs), error)


def starting_rate(run: Callable[[float], float], rate_per_s: float, interval_s: float) -> float:
    """Halve `rate_per_s` until Spark keeps up with it, since the limit can be a hundred times the actual rate.

    These runs do not count as runs of the search, which would otherwise have too few left to come back up.
    """
    for _ in range(MOST_HALVINGS):
        if run(rate_per_s) < interval_s:
            return rate_per_s
        rate_per_s /= 2
    return rate_per_s


def as_json(cells: Sequence[Cell], plan: Plan, machine: dict[str, Any]) -> dict[str, Any]:
    """Return a grid as the object that is saved as JSON."""
    return {"machine": machine, "plan": asdict(plan), "cells": [asdict(cell) for cell in cells]}


def cells_of(kept: dict[str, Any]) -> list[Cell]:
    """Return the cells of a saved grid."""
    return [Cell(**cell) for cell in kept["cells"]]
