"""Plots and tables of Lab 7's experiments."""

from collections.abc import Mapping
from statistics import mean

from streamlab.lab07_irm.clock import Run
from streamlab.views.heat_map import heat_map
from streamlab.views.plots import Points, line_plot

MINUTE_S, MINUTES = 60, 20


def time_plot(lines: Mapping[str, Points], y_label: str, title: str) -> None:
    """Show lines of points (time in s, value); the alt text has the largest value and the mean of each line."""
    values = {name: [y for _, y in points] for name, points in lines.items()}
    alt = "; ".join(f"{name}: up to {max(ys):.4g}, mean {mean(ys):.3g}" for name, ys in values.items())
    line_plot(lines, "time (s)", y_label, title, alt)


def cpu_heat_map(run: Run, title: str) -> None:
    """Show the mean CPU of each worker, in %, in each of the first 20 minutes of a run."""
    parts = [run.seconds[at : at + MINUTE_S] for at in range(0, MINUTE_S * MINUTES, MINUTE_S)]
    workers = range(len(run.seconds[0].measured))
    cpu = [[round(sum(each.measured[worker] for each in part) / MINUTE_S / 10) for part in parts] for worker in workers]
    alt = "; ".join(f"worker {worker}: {min(row)} to {max(row)} %" for worker, row in enumerate(cpu))
    heat_map(cpu, "minute", "worker", title, alt)


def first_engines(run: Run) -> list[tuple[int, int, list[int]]]:
    """Return, for each worker that gets an engine, when it gets its first one, and what all workers have then."""
    found = []
    for worker in range(len(run.seconds[0].scheduled)):
        first = next((each for each in run.seconds if each.scheduled[worker]), None)
        if first is not None:
            found.append((worker, first.now_s, first.scheduled))
    return found
