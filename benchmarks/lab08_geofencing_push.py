"""Measure how many updates per second Lab 8's `push` handles on two cores, from files, against `Watch` on one core.

    .venv/bin/python benchmarks/lab08_geofencing_push.py [--files 5] [--updates 100000]

1,000 fences of 16 corners, 10,000 movers, 4 shards, lateness 10 s. `push` on a file and `Watch` take turns on the same
number of updates; the first turn warms up and does not count. A file's time lasts from its arrival until Spark has
processed it and moved the watermark. Prints both rates and the median ratio with its 95 % bootstrap interval; exits
with 1 if the ratio is below 0.2. On a quiet machine, `push` should also reach FenceX's 15,000 updates per second.
"""

import argparse
import math
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from intervals import interval  # noqa: E402

import streamlab  # noqa: E402
from streamlab.lab08_geofencing.geo import Change, Polygons, Position  # noqa: E402
from streamlab.lab08_geofencing.published import figure  # noqa: E402
from streamlab.lab08_geofencing.two_topics import COLUMNS  # noqa: E402
from streamlab.notebooks.labfile import read_lab  # noqa: E402
from streamlab.notebooks.loader import Stage, load_cells  # noqa: E402
from streamlab.spark import session  # noqa: E402

LAB = "lab08_geofencing"
FENCES, CORNERS, MOVERS, SHARDS, LATENESS_S = 1000, 16, 10_000, 4, 10.0
WEST, SOUTH = 17.0, 59.0  # all fences and movers are within one square degree
BEGIN_MS, UPDATES_PER_S = 1_700_000_000_000, 1000  # of event time
GOAL, FENCEX_PER_S = 0.2, figure("push, highest (1/s)")


def main() -> int:
    """Measure and print; return 0 if the goal is reached, otherwise 1."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--files", type=int, default=5)
    parser.add_argument("--updates", type=int, default=100_000)
    options = parser.parse_args()
    pairs = rates(options.files, options.updates)
    ratios = [pushed / watched for pushed, watched in pairs]
    pushed, watched = (median(each) for each in zip(*pairs, strict=True))
    low, high = interval(ratios)
    print(f"push on 2 cores {pushed:,.0f} updates/s, Watch on one {watched:,.0f}/s")
    print(f"ratio {median(ratios):.2f} ({low:.2f} to {high:.2f}); goal {GOAL} · FenceX {FENCEX_PER_S:,}/s")
    return 0 if median(ratios) >= GOAL else 1


def rates(files: int, updates: int) -> list[tuple[float, float]]:
    """Return (push, Watch) in updates per second for each of `files` turns."""
    spark = session("push", cores=2, tuned="throughput")
    vars(streamlab)["session"] = lambda *_, **__: spark
    tasks = load_cells(LAB, read_lab(ROOT / "solutions" / LAB / f"{LAB}.py").cells, module_name="__main__")
    assert not tasks.errors, [each.sentence() for each in tasks.errors]
    rng = Random("push")
    fences = [(f"f{number}", star(rng)) for number in range(FENCES)]
    watch = tasks.Watch()
    for number, (name, polygons) in enumerate(fences):
        watch.change(Change(name, BEGIN_MS, polygons, number))
    positions = _positions(rng)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        job = _Job(spark, tasks, Path(folder))
        job.arrive(_fence_rows(fences))
        pairs = []
        for _ in range(files + 1):
            batch = list(islice(positions, updates))
            pairs.append((updates / job.arrive(_rows(batch)), updates / _watched_s(watch, batch)))
        job.stop()
    return pairs[1:]


def star(rng: Random) -> Polygons:
    """Return a star of 16 corners, about 0.011 degrees in radius."""
    lon, lat = WEST + rng.random(), SOUTH + rng.random()
    angles = [2 * math.pi * at / CORNERS for at in range(CORNERS)]
    radii = [0.011 * rng.uniform(0.5, 1.3) for _ in angles]
    ring = [(lon + r * math.cos(each), lat + r * math.sin(each)) for each, r in zip(angles, radii, strict=True)]
    return (((*ring, ring[0]),),)


class _Job:
    """`push` on a folder of files."""

    def __init__(self, spark: Any, tasks: Stage, folder: Path) -> None:
        self._arriving, self._count = folder / "arriving", 0
        self._arriving.mkdir()
        events = tasks.push(spark.readStream.schema(COLUMNS).parquet(str(self._arriving)), SHARDS, LATENESS_S)
        output = events.writeStream.outputMode("append").option("checkpointLocation", str(folder / "checkpoint"))
        self._running = output.format("noop").start()

    def arrive(self, rows: Any) -> float:
        """Write a file of rows; return the seconds until it is processed."""
        partial = self._arriving / ".partial"
        rows.to_parquet(partial, coerce_timestamps="us")
        self._count, began = self._count + 1, time.perf_counter()
        partial.rename(self._arriving / f"{self._count}.parquet")
        self._running.processAllAvailable()
        return time.perf_counter() - began

    def stop(self) -> None:
        self._running.stop()


def _positions(rng: Random) -> Iterator[Position]:
    """Yield positions of all movers in turn, each on a random walk."""
    places = [[rng.random(), rng.random()] for _ in range(MOVERS)]
    number = 0
    while True:
        place = places[number % MOVERS]
        place[:] = [min(1.0, max(0.0, each + rng.uniform(-0.002, 0.002))) for each in place]
        time_ms = BEGIN_MS + 1000 * number // UPDATES_PER_S
        yield Position(f"m{number % MOVERS}", time_ms, WEST + place[0], SOUTH + place[1], number)
        number += 1


def _watched_s(watch: Any, positions: list[Position]) -> float:
    began = time.perf_counter()
    for each in positions:
        watch.move(each)
    return time.perf_counter() - began


def _fence_rows(fences: list[tuple[str, Polygons]]) -> Any:
    """Return the fences as a frame with the columns of Spark's Kafka source."""
    values = [f'{{"type": "Polygon", "coordinates": {[list(map(list, ring)) for ring in p[0]]}}}' for _, p in fences]
    return _frame("fences", [name for name, _ in fences], values, [BEGIN_MS] * len(fences))


def _rows(positions: list[Position]) -> Any:
    values = [f'{{"mover": "{each.mover}", "lon": {each.lon}, "lat": {each.lat}}}' for each in positions]
    return _frame("positions", [each.mover for each in positions], values, [each.time_ms for each in positions])


def _frame(topic: str, keys: list[str], values: list[str], times_ms: list[int]) -> Any:
    import pandas as pd

    frame = pd.DataFrame({"key": [each.encode() for each in keys], "value": [each.encode() for each in values]})
    times = pd.to_datetime(times_ms, unit="ms", utc=True)
    whole = frame.assign(topic=topic, partition=0, offset=range(len(keys)), timestamp=times, timestampType=0)
    return whole.astype({"partition": "int32", "timestampType": "int32"})


if __name__ == "__main__":
    sys.exit(main())
