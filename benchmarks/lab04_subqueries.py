"""Measure Lab 4's engine: `Aggregate` against its baseline, and runs in processes, with and without a kill.

    .venv/bin/python benchmarks/lab04_subqueries.py [--turns 9] [--runs 5]

`Aggregate`: 16,000 rows of 2 ips in 60 s, windows of 60 s that begin every second, five functions. The reference and
the throughput check's baseline, in which each window keeps its rows, take turns in alternating order. Prints rows per
second of processor time, and how many times as fast the reference is, with the 95 % bootstrap interval of the median.
The results are compared after every turn.

Processes: 2,000 rows go through 2 + 2 instances, connected by the reference's log of Lab 3, without a kill and with a
kill -9 of an instance of each subquery. Prints the median and the longest time of a run; each run must return the same
rows as the centralized run.
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from intervals import interval  # noqa: E402

import streamlab  # noqa: E402
from streamlab.lab04_subqueries.engine import END_MS, Filter, Map, Query, Row, TimeWindow, centralized  # noqa: E402
from streamlab.lab04_subqueries.engine.process_run import run_in_processes  # noqa: E402
from streamlab.lab04_subqueries.page_visits import visits  # noqa: E402
from streamlab.notebooks.labfile import read_lab  # noqa: E402
from streamlab.notebooks.loader import Stage, load_cells  # noqa: E402
from streamlab.notebooks.stages import send_by_value  # noqa: E402

LAB, LOG_LAB = "lab04_subqueries", "lab03_log"
FUNCTIONS = {
    "count": ("COUNT", "ip"),
    "sum": ("SUM", "duration_s"),
    "longest": ("MAX", "duration_s"),
    "first": ("FIRST_VAL", "t"),
    "last": ("LAST_VAL", "t"),
}
WINDOW = TimeWindow(60_000, 1000)
KILLS: list[tuple[int, int] | None] = [None, (0, 1), (1, 0)]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    vars(streamlab)["session"] = lambda *_, **__: None  # neither lab needs Spark here
    vars(streamlab)["stage"] = lambda *_, **__: None
    reference = _stage(LAB, ROOT / "solutions" / LAB / f"{LAB}.py")
    baseline = _stage(LAB, ROOT / "autograder/stages" / LAB / "baselines/each_window_keeps_its_rows.py")
    _panes(reference, baseline, options.turns)
    _processes(reference, _stage(LOG_LAB, ROOT / "solutions" / LOG_LAB / f"{LOG_LAB}.py"), options.runs)


def _stage(lab: str, path: Path) -> Stage:
    name = f"measured_{path.stem}"
    stage = load_cells(lab, read_lab(path).cells, module_name=name)
    assert not stage.errors, [each.sentence() for each in stage.errors]
    send_by_value(name)
    return stage


def _panes(reference: Any, baseline: Any, turns: int) -> None:
    rows = visits("panes", 16_000, rate_per_s=16_000 / 60, ips=2)
    seconds: dict[str, list[float]] = {"baseline": [], "reference": []}
    for turn in range(turns):
        results = {}
        stages = [("baseline", baseline), ("reference", reference)]
        for name, stage in stages if turn % 2 else stages[::-1]:
            took_s, results[name] = _timed(lambda stage=stage: stage.Aggregate(["ip"], WINDOW, FUNCTIONS), rows)
            seconds[name].append(took_s)
        assert _sorted(results["baseline"]) == _sorted(results["reference"]), "different windows"
    for name, each in seconds.items():
        print(f"{name:10}{len(rows) / median(each):>12,.0f} rows/s")
    ratios = [slow / fast for slow, fast in zip(seconds["baseline"], seconds["reference"], strict=True)]
    low, high = interval(ratios)
    print(f"the reference is {median(ratios):.1f} ({low:.1f} to {high:.1f}) times as fast, {turns} turns", flush=True)


def _timed(make: Callable[[], Any], rows: list[Row]) -> tuple[float, list[Row]]:
    operator, results = make(), list[Row]()
    began_s = time.process_time()
    for row in rows:
        results += operator.on_time(row["t"])
        results += operator.on_row(row)
    results += operator.on_time(END_MS)
    return time.process_time() - began_s, results


def _sorted(results: list[Row]) -> list[Row]:
    return sorted(results, key=lambda row: (row["t"], row["ip"]))


def _processes(parts: Any, log: Any, runs: int) -> None:
    query = Query("visits").add("pick", Map(lambda row: {"ip": row["ip"]}), ["visits"], ["picked"])
    window = parts.Aggregate(["ip"], TimeWindow(10_000, 5000), {"hits": ("COUNT", "ip")})
    query.add("window", window, ["picked"], ["windows"])
    query.add("busy", Filter(lambda row: row["hits"] > 3), ["windows"], ["busy"])
    inputs = {"visits": visits("processes", 2000, rate_per_s=33, ips=20)}
    right = centralized(query, inputs)
    for kill in KILLS:
        seconds, repeated = [], []
        for _ in range(runs):
            began_s = time.perf_counter()
            ran = run_in_processes(parts, query, inputs, [2, 2], log.PartitionLog, kill=kill)
            seconds.append(time.perf_counter() - began_s)
            repeated.append(ran.repeated)
            assert ran.results == right, "different rows"
        killed = f"SQ{kill[0] + 1}/{kill[1]} killed" if kill else "no kill"
        sent = f"{min(repeated)} to {max(repeated)} messages with results repeated"
        print(f"{killed:14}{median(seconds):>6.2f} s (longest {max(seconds):.2f} s), {sent}, {runs} runs", flush=True)


if __name__ == "__main__":
    main()
