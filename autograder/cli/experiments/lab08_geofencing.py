"""Provides Lab 8's experiment: `geofencing`."""

import json

import click

from autograder.cli.context import UserError, output_file, progress
from autograder.cli.experiments.machine import machine_and_load
from autograder.cli.lab_locks import ensure_packages_of

GEOFENCING = "geofencing.json"


@click.command()
@click.option("--to", default=GEOFENCING, show_default=True, metavar="FILE", help="JSON.")
def geofencing(to: str) -> None:
    """Compare push and pull on one to three nodes with a tenth of a core each (Lab 8). About a minute.

    Runs your own Watch, MoverIndex, partition_for and assign (Lab 3), or the reference if they do not pass.
    """
    from streamlab import stage
    from streamlab.lab08_geofencing.experiments.scaling import Series, achieved_per_s, as_json, measure

    target, machine, series = output_file(to), machine_and_load(), list[Series]()
    ensure_packages_of(["lab03_log", "lab08_geofencing"])
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
