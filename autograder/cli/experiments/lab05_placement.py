"""Provides Lab 5's experiments: `near-or-now` and `numa`."""

import json
import os
from contextlib import nullcontext

import click

from autograder.cli.context import UserError, output_file, progress
from autograder.cli.experiments.machine import machine_here
from autograder.cli.lab_locks import ensure_packages_of

NEAR_OR_NOW, NUMA = "near_or_now.json", "numa.json"


@click.command("near-or-now")
@click.option("--to", default=NEAR_OR_NOW, show_default=True, metavar="FILE", help="JSON.")
@click.option("--master", metavar="URL", help="A running Spark cluster; default: two pinned workers on this machine.")
def near_or_now(to: str, master: str | None) -> None:
    """Measure whether Spark's tasks wait for the executor that has their data (Lab 5). About a minute."""
    from streamlab.lab05_placement.experiments.near_or_now import as_json, pinned_cluster
    from streamlab.lab05_placement.experiments.near_or_now import near_or_now as measured

    target, cores = output_file(to), None if master else _cores_to_pin()[:2]
    ensure_packages_of(["lab05_placement"])
    try:
        with progress("near or now") as on_progress:
            on_progress("starting a cluster")
            with pinned_cluster([cores[0], cores[-1]]) if cores else nullcontext(str(master)) as address:
                runs = measured(address, on_progress=on_progress)
    except (RuntimeError, TimeoutError, OSError) as problem:
        raise UserError(f"{problem}; nothing was written") from None
    machine = machine_here() | {"pinned": cores}
    target.write_text(json.dumps(as_json(runs, machine), indent=1) + "\n", encoding="utf-8")
    for run in runs:
        levels = ", ".join(f"{count} {level}" for level, count in sorted(run.levels.items()))
        click.echo(
            f"spark.locality.wait {run.wait_s:g} s: {run.took_s:.1f} s ({levels}; executors: {len(run.executors)})"
        )
    click.echo(f"{target} is written")


@click.command("numa")
@click.option("--to", default=NUMA, show_default=True, metavar="FILE", help="JSON.")
def numa(to: str) -> None:
    """Measure the fixed window in pinned and in unpinned processes, 1 to one on each core (Lab 5). About a minute."""
    from streamlab import stage
    from streamlab.lab05_placement.experiments.numa import InstanceFailed, as_json, numa_runs
    from streamlab.lab05_placement.numa import here

    target, cores = output_file(to), _cores_to_pin()
    ensure_packages_of(["lab05_placement"])
    try:
        with progress("numa") as on_progress:
            lab4, lab = stage("lab04_subqueries", on_progress), stage("lab05_placement", on_progress)
            topology = here(lab.read_topology, on_progress=on_progress)
            runs = numa_runs(lab4.Aggregate, lab.place, lab.pin, topology, on_progress=on_progress)
    except (InstanceFailed, OSError) as problem:
        raise UserError(f"{problem}; nothing was written") from None
    nodes = sum(map(bool, topology.cores.values()))
    machine = machine_here() | {"nodes": nodes, "used_cores": len(cores)}
    target.write_text(json.dumps(as_json(runs, machine), indent=1) + "\n", encoding="utf-8")
    for run in runs:
        instances, unpinned_per_s, pinned_per_s = run.row
        many = "1 process" if instances == 1 else f"{instances} processes"
        rates = f"{unpinned_per_s:,.0f} rows/s unpinned, {pinned_per_s:,.0f} pinned"
        click.echo(f"{many}: {rates} (each the best of {len(run.pinned_per_s)})")
    if nodes == 1:
        click.echo("this machine has one node: the runs show pinning, and nothing about remote memory")
    click.echo(f"{target} is written")


def _cores_to_pin() -> list[int]:
    """Return the cores that this program may use; raises UserError outside of Linux."""
    if not hasattr(os, "sched_getaffinity"):
        raise UserError("pinning to cores needs Linux; near-or-now also takes a running Spark cluster, --master URL")
    return sorted(os.sched_getaffinity(0))
