"""Provides the verb `experiment`: measurements that take minutes or a night, written as JSON and plotted.

`streamlab.experiments` measures.
"""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autograder.cli.context import UserError, output_file, progress

if TYPE_CHECKING:
    from streamlab.experiments.grid import Cell, Plan
    from streamlab.progress import OnProgress

RESULTS = "integrations.json"
NEAR_OR_NOW = "near_or_now.json"
PICTURES, PEER_TO_PEER = "pictures.json", "peer_to_peer.json"
GEOFENCING = "geofencing.json"


@click.group()
def experiment() -> None:
    """Repeat on this machine the measurements behind the labs' plots."""


@experiment.command()
@click.option("--full", is_flag=True, help="All sizes up to 10 MB and up to 1 s of work: a night.")
@click.option("--to", default=RESULTS, show_default=True, metavar="FILE", help="JSON; the picture goes to its folder.")
def integrations(full: bool, to: str) -> None:
    """Find the highest rate that Spark keeps up with, over TCP, files and Kafka (Lab 3). About half an hour.

    Searches with your own highest_rate and rate_limit of Lab 3, or with the reference if yours do not pass.
    """
    from streamlab.experiments.grid import MINUTES, NIGHT, Cell, as_json
    from streamlab.experiments.picture import draw_grid, in_words
    from streamlab.services.process import ServiceError

    target, machine = _with_picture(to), _machine()
    plan, cells = NIGHT if full else MINUTES, list[Cell]()
    try:
        for cell in _measured(plan):
            cells.append(cell)  # written at once, so that an interruption loses no measurement
            target.write_text(json.dumps(as_json(cells, plan, machine), indent=1) + "\n", encoding="utf-8")
    except (ServiceError, RuntimeError, TimeoutError) as problem:
        kept = f"{len(cells)} cells are in {target}" if cells else "nothing was measured, and nothing was written"
        raise UserError(f"{problem}; {kept}") from None
    target.with_suffix(".svg").write_text(draw_grid(cells).svg, encoding="utf-8")
    for line in in_words(cells).split("; "):
        click.echo(line)
    click.echo(f"wrote {target} and {target.with_suffix('.svg').name}")


def _with_picture(to: str) -> Path:
    """Return the JSON file of an experiment that also writes a picture, under the same name with .svg."""
    target = output_file(to)
    if target.suffix.lower() == ".svg":
        raise UserError(f"expected a JSON file, got {to}, the picture's name; choose --to {target.stem}.json")
    return target


def _measured(plan: "Plan") -> "Iterator[Cell]":
    from streamlab import running, session, stage
    from streamlab.experiments.grid import measure
    from streamlab.experiments.integrations import Files, Integration, Kafka, Tcp

    with progress("integrations") as on_progress, running("kafka", on_progress=on_progress) as broker:
        on_progress("starting Spark")
        spark = session("integrations", tuned="throughput", kafka=True)
        log = stage("lab03_log", on_progress)
        ways: list[Integration] = [Tcp(), Files(), Kafka(broker.address)]
        yield from measure(spark, ways, plan, log.highest_rate, log.rate_limit, on_progress)


@experiment.command("near-or-now")
@click.option("--to", default=NEAR_OR_NOW, show_default=True, metavar="FILE", help="JSON.")
@click.option("--master", metavar="URL", help="A running Spark cluster; default: two pinned workers on this machine.")
def near_or_now(to: str, master: str | None) -> None:
    """Measure whether Spark's tasks wait for the executor that has their data (Lab 5). About a minute."""
    from streamlab.experiments.near_or_now import as_json, pinned_cluster
    from streamlab.experiments.near_or_now import near_or_now as measured

    target, cores = output_file(to), None if master else _cores_to_pin()
    try:
        with progress("near or now") as on_progress:
            on_progress("starting a cluster")
            with pinned_cluster([cores[0], cores[-1]]) if cores else nullcontext(str(master)) as address:
                runs = measured(address, on_progress=on_progress)
    except (RuntimeError, TimeoutError, OSError) as problem:
        raise UserError(f"{problem}; nothing was written") from None
    machine = _machine() | {"pinned": cores}
    target.write_text(json.dumps(as_json(runs, machine), indent=1) + "\n", encoding="utf-8")
    for run in runs:
        levels = ", ".join(f"{count} {level}" for level, count in sorted(run.levels.items()))
        click.echo(
            f"spark.locality.wait {run.wait_s:g} s: {run.took_s:.1f} s ({levels}; executors: {len(run.executors)})"
        )
    click.echo(f"{target} is written")


def _cores_to_pin() -> list[int]:
    """Return the first two cores that this program may use, or its only one; raises UserError outside of Linux."""
    if not hasattr(os, "sched_getaffinity"):
        raise UserError("pinning workers to cores needs Linux; name a running Spark cluster with --master URL")
    return sorted(os.sched_getaffinity(0))[:2]


@experiment.command()
@click.option("--to", default=PICTURES, show_default=True, metavar="FILE", help="JSON.")
@click.option("--pictures", "count", default=300, show_default=True, type=click.IntRange(1), help="How many.")
def pictures(to: str, count: int) -> None:
    """Process generated pictures on HarmonicIO and on Spark, with equally many cores (Lab 7). About five minutes.

    Runs your own Master, Manager, cell_counts and SparkScaler, or the reference if yours do not pass.
    """
    from streamlab.experiments.pictures import PictureRun, as_json, measure

    target, machine, runs = output_file(to), _machine_and_load(), list[PictureRun]()
    try:
        with progress("pictures") as on_progress:
            for run in measure(_lab_7(on_progress), count, on_progress):
                runs.append(run)
                target.write_text(json.dumps(as_json(runs, count, machine), indent=1) + "\n", encoding="utf-8")
    except (RuntimeError, TimeoutError, ValueError, OSError) as problem:
        kept = f"{len(runs)} runs are in {target}" if runs else "nothing was written"
        raise UserError(f"{problem}; {kept}") from None
    for run in runs:
        all_s = run.start_s + run.warm_up_s + run.makespan_s
        click.echo(
            f"{run.system}: {run.makespan_s:.1f} s (with start-up and warm-up {all_s:.1f} s), "
            f"{sum(run.used):.0f} of {sum(run.allocated):.0f} core-s used ({run.used_share:.2f}), "
            f"{run.right} of {count} pictures right"
        )
    click.echo(f"{target} is written")


@experiment.command("peer-to-peer")
@click.option("--to", default=PEER_TO_PEER, show_default=True, metavar="FILE", help="JSON.")
def peer_to_peer(to: str) -> None:
    """Find the highest rate that HarmonicIO keeps up with, peer to peer, without Spark (Lab 7). About five minutes.

    Searches as `integrations` does, with your own Master of Lab 7 or the reference.
    """
    from streamlab import stage
    from streamlab.experiments.grid import MINUTES, Cell, as_json
    from streamlab.experiments.peer_to_peer import measure
    from streamlab.experiments.picture import in_words

    target, machine, cells = output_file(to), _machine_and_load(), list[Cell]()
    try:
        with progress("peer to peer") as on_progress:
            log, master = stage("lab03_log", on_progress), stage("lab07_irm", on_progress).Master
            for cell in measure(master, MINUTES, log.highest_rate, log.rate_limit, on_progress):
                cells.append(cell)
                target.write_text(json.dumps(as_json(cells, MINUTES, machine), indent=1) + "\n", encoding="utf-8")
    except (RuntimeError, TimeoutError, OSError) as problem:
        kept = f"{len(cells)} cells are in {target}" if cells else "nothing was written"
        raise UserError(f"{problem}; {kept}") from None
    for line in in_words(cells).split("; "):
        click.echo(line)
    click.echo(f"{target} is written")


@experiment.command()
@click.option("--to", default=GEOFENCING, show_default=True, metavar="FILE", help="JSON.")
def geofencing(to: str) -> None:
    """Compare push and pull on one to three nodes with a tenth of a core each (Lab 8). About a minute.

    Runs your own Watch, MoverIndex, partition_for and assign (Lab 3), or the reference if they do not pass.
    """
    from streamlab import stage
    from streamlab.experiments.geo_scaling import Series, achieved_per_s, as_json, measure

    target, machine, series = output_file(to), _machine_and_load(), list[Series]()
    try:
        with progress("geofencing") as on_progress:
            lab, log = stage("lab08_geofencing", on_progress), stage("lab03_log", on_progress)
            for each in measure(lab, log, on_progress):
                series.append(each)
                target.write_text(json.dumps(as_json(series, machine)) + "\n", encoding="utf-8")
    except (RuntimeError, ValueError, OSError) as problem:
        kept = f"{len(series)} series are in {target}" if series else "nothing was written"
        raise UserError(f"{problem}; {kept}") from None
    for each in series:
        rates = ", ".join(f"{nodes}: {achieved_per_s(run):,.0f}/s" for nodes, run in each.runs.items())
        click.echo(f"{each.what}, nodes and their throughput: {rates}")
    click.echo(f"{target} is written")


def _lab_7(on_progress: "OnProgress") -> Any:
    """Return the tasks of Lab 7, with SlidingSum, which its notebook takes from Lab 2 in a cell that stages skip."""
    from streamlab import stage

    lab = stage("lab07_irm", on_progress)
    vars(sys.modules[lab.Manager.__module__])["SlidingSum"] = stage("lab02_windows", on_progress).SlidingSum
    return lab


def _machine() -> dict[str, Any]:
    return {"cores": os.cpu_count(), "memory_gib": _memory_gib()}


def _machine_and_load() -> dict[str, Any]:
    return _machine() | {"load_before": round(os.getloadavg()[0], 1)}


def _memory_gib() -> float:
    import psutil

    return round(psutil.virtual_memory().total / 1024**3, 1)
