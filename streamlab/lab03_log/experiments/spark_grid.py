"""Measures the grid's columns for Spark over TCP, files and Kafka."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from streamlab.experiments.grid import Cell, Load, Plan, search_cell
from streamlab.experiments.limits import file_bytes_per_s, loopback_bytes_per_s
from streamlab.lab03_log.experiments.framework_limit import framework_per_s
from streamlab.lab03_log.experiments.integrations import Integration
from streamlab.lab03_log.experiments.runs import mean_delay_s
from streamlab.progress import OnProgress, silent


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
