"""Provides Lab 8's experiments: `geofencing` and `push-load`."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from autograder.cli.context import UserError, output_file, progress
from autograder.cli.experiments.machine import machine_and_load
from autograder.cli.lab_locks import ensure_packages_of

if TYPE_CHECKING:
    from streamlab.lab08_geofencing.experiments.scaling import Series
    from streamlab.progress import OnProgress

GEOFENCING, PUSH_LOAD = "geofencing.json", "push_load.json"


@click.command()
@click.option("--to", default=GEOFENCING, show_default=True, metavar="FILE", help="JSON.")
def geofencing(to: str) -> None:
    """Compare push and pull on one to three nodes with a tenth of a core each (Lab 8). About a minute.

    Runs your own Watch, MoverIndex, partition_for and assign (Lab 3), or the reference if they do not pass.
    """
    from streamlab import stage
    from streamlab.lab08_geofencing.experiments.scaling import SETUP, measure

    def measured(on_progress: "OnProgress") -> "Iterator[Series]":
        lab, log = stage("lab08_geofencing", on_progress), stage("lab03_log", on_progress)
        return measure(lab, log, on_progress)

    _record("geofencing", to, SETUP, measured, "nodes")


@click.command("push-load")
@click.option("--to", default=PUSH_LOAD, show_default=True, metavar="FILE", help="JSON.")
def push_load(to: str) -> None:
    """Offer push a load on Kafka: kill and restart its job, then raise the load (Lab 8). About six minutes.

    Runs your own push, or the reference if it does not pass.
    """
    from streamlab import running, session, stage
    from streamlab.lab08_geofencing.experiments.offered_load import SETUP, measure

    def measured(on_progress: "OnProgress") -> "Iterator[Series]":
        on_progress("starting Spark")
        session("push_load", kafka=True)  # for the checks of push; its jobs have sessions of their own
        push = stage("lab08_geofencing", on_progress).push
        with running("kafka", on_progress=on_progress) as broker:
            yield from measure(push, broker.address, on_progress)

    _record("push load", to, SETUP, measured, "offered/s")


def _record(
    name: str, to: str, setup: Mapping[str, Any], measured: "Callable[[OnProgress], Iterator[Series]]", key: str
) -> None:
    """Write the series one by one, and print the rate of each run; `key` is what the runs of a series differ in."""
    from streamlab.lab08_geofencing.experiments.scaling import achieved_per_s, as_json

    target, machine, series = output_file(to), machine_and_load(), list["Series"]()
    ensure_packages_of(["lab03_log", "lab08_geofencing"])
    try:
        with progress(name) as on_progress:
            for each in measured(on_progress):
                series.append(each)
                target.write_text(json.dumps(as_json(series, machine, setup)) + "\n", encoding="utf-8")
    except (RuntimeError, ValueError, OSError) as problem:
        kept = f"{len(series)} series are in {target}" if series else "nothing was written"
        raise UserError(f"{problem}; {kept}") from None
    for each in series:
        rates = ", ".join(f"{run}: {achieved_per_s(samples):,.0f}/s" for run, samples in each.runs.items())
        click.echo(f"{each.what}, {key} and throughput: {rates}")
    click.echo(f"{target} is written")
