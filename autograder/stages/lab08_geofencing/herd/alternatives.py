"""Other right solutions of `contacts` and `scaling`; each must get full marks."""

import math

import numpy as np
from pyspark.sql import functions as F

from autograder.checks.mutant_markers import alternative
from streamlab.lab08_geofencing.geo import MeasuringError, Scaled, metres


# A fix goes to its own cell as a resident, and to the eight cells around it; near a pole a row has fewer columns.
@alternative("nine_cells_of_a_rounded_grid")
def contacts(fixes, distance_m, window_s, gap_s, lateness_s):
    height = 1.01 * distance_m / 111_000  # degrees

    def column(row, lon):
        edge = min(89.5, max(abs(row * height), abs((row + 1) * height)))
        columns = max(1, int(360 * math.cos(math.radians(edge)) / height))
        return int((lon + 180) / 360 * columns) % columns, columns

    @F.udf("array<struct<home: boolean, cell: string>>")
    def nine(lon, lat):
        own = round(math.floor(lat / height))
        found = {}
        for row in (own - 1, own, own + 1):
            at, columns = column(row, lon)
            for step in (-1, 0, 1):
                found.setdefault(f"{row} {(at + step) % columns}", row == own and step == 0)
        return [(home, cell) for cell, home in found.items()]

    @F.udf("array<string>")
    def pairs(there):
        found = set()
        for p in there:
            for q in there:
                if p.home and p.mover < q.mover and metres(p.lon, p.lat, q.lon, q.lat) <= distance_m:
                    found.add(f"{p.mover}\n{q.mover}")
        return sorted(found)

    spread = fixes.withWatermark("time", f"{lateness_s} seconds").withColumn("at", F.explode(nine("lon", "lat")))
    row = F.struct("mover", "lon", "lat", F.col("at.home").alias("home"))
    cells = spread.groupBy(F.window("time", f"{window_s} seconds"), "at.cell").agg(F.collect_list(row).alias("there"))
    met = cells.select("window", F.window_time("window").alias("when"), F.explode(pairs("there")).alias("pair"))
    whole = gap_s - gap_s % window_s + window_s
    session = F.session_window("when", f"{int(1000 * (whole + 0.25 * window_s))} milliseconds")
    found = met.groupBy(session, "pair").agg(F.collect_set("window").alias("windows"))
    name = F.split("pair", "\n")
    return found.select(
        name[0].alias("a"),
        name[1].alias("b"),
        F.array_min("windows.start").alias("begin"),
        F.array_max("windows.end").alias("end"),
        (F.size("windows") * window_s).alias("together_s"),
    )


@alternative("with_numpy")
def scaling(runs):
    if not runs:
        raise MeasuringError("no runs")
    found = []
    for nodes in sorted(runs):
        if nodes < 1 or len(runs[nodes]) < 2:
            raise MeasuringError(f"{nodes} nodes")
        times, offered, done = np.array(runs[nodes], dtype=float).T
        falls = np.diff(offered).min() < 0 or np.diff(done).min() < 0 or np.diff(times).min() <= 0
        if falls or (done > offered).any() or (done < 0).any():
            raise MeasuringError(f"{nodes} nodes: samples that cannot be")
        rates = [float((total[-1] - total[0]) / (times[-1] - times[0])) for total in (offered, done)]
        growth = rates[0] - rates[1]
        bound = "nodes" if growth > rates[0] / 50 else "load"
        found.append([nodes, *rates, float(offered[-1] - done[-1]), growth, bound, None])
    smallest = found[0]
    if smallest[2] == 0:
        raise MeasuringError("nothing was done")
    if smallest[5] == "nodes":
        for each in found:
            each[6] = each[2] * smallest[0] / smallest[2]
    return [Scaled(*each) for each in found]
