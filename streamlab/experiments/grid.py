"""The grid: the highest rate that a system keeps up with, by message size, work per message, and integration.

Each cell has a limit next to its rate: the lowest of the rates that the network, the cores and the framework can
sustain. The search and the limit are functions of a learner (Lab 3), given as arguments. Lab 3 measures the columns of
Spark, Lab 7 that of HarmonicIO; one plot shows both.
Source: Fig. 3 of B. Blamey, A. Hellander and S. Toor, https://arxiv.org/abs/1807.07724.
"""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

RECORDED = Path(__file__).resolve().parents[2] / "datasets" / "integrations" / "two_cores.json"
OF_SPARK = ("tcp", "file", "kafka")  # the integrations of Spark
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
class Load:
    """The load: messages of `size_bytes` that take `cpu_s` seconds of a core each."""

    size_bytes: int
    cpu_s: float


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


def recorded_grid(path: Path = RECORDED) -> list[Cell]:
    """Return the cells of the grid that `./lab experiment` has written to `path`, by default the kit's own.

    Raises OSError, and ValueError for a file without a grid.
    """
    try:
        return cells_of(json.loads(path.read_text(encoding="utf-8")))
    except (KeyError, TypeError, ValueError) as problem:
        raise ValueError(f"{path} holds no grid of `./lab experiment integrations`: {problem}") from None
