"""Provides Lab 5's experiment: `near-or-now`."""

import json
import os
from contextlib import nullcontext

import click

from autograder.cli.context import UserError, output_file, progress
from autograder.cli.experiments.machine import machine_here
from autograder.cli.lab_locks import ensure_packages_of

NEAR_OR_NOW = "near_or_now.json"


@click.command("near-or-now")
@click.option("--to", default=NEAR_OR_NOW, show_default=True, metavar="FILE", help="JSON.")
@click.option("--master", metavar="URL", help="A running Spark cluster; default: two pinned workers on this machine.")
def near_or_now(to: str, master: str | None) -> None:
    """Measure whether Spark's tasks wait for the executor that has their data (Lab 5). About a minute."""
    from streamlab.lab05_placement.experiments.near_or_now import as_json, pinned_cluster
    from streamlab.lab05_placement.experiments.near_or_now import near_or_now as measured

    target, cores = output_file(to), None if master else _cores_to_pin()
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


def _cores_to_pin() -> list[int]:
    """Return the first two cores that this program may use, or its only one; raises UserError outside of Linux."""
    if not hasattr(os, "sched_getaffinity"):
        raise UserError("pinning workers to cores needs Linux; name a running Spark cluster with --master URL")
    return sorted(os.sched_getaffinity(0))[:2]
