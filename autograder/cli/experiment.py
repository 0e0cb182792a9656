"""The verb `experiment`: measurements that take minutes, or a night; kept as JSON and drawn.

Keeps out: what is measured (streamlab.experiments).
"""

import json
import os
from collections.abc import Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING

import click

from autograder.cli.context import UserError, called_from, progress

if TYPE_CHECKING:
    from streamlab.experiments.grid import Cell, Plan

RESULTS = "integrations.json"
NEAR_OR_NOW = "near_or_now.json"


@click.group()
def experiment() -> None:
    """Measure on this machine what the labs' plots show."""


@experiment.command()
@click.option("--full", is_flag=True, help="All sizes up to 10 MB and up to 1 s of work: a night.")
@click.option("--to", default=RESULTS, show_default=True, metavar="FILE", help="JSON; the picture goes to its folder.")
def integrations(full: bool, to: str) -> None:
    """The highest rate that Spark keeps up with, over TCP, files and Kafka (Lab 3). About half an hour.

    Searches with your own highest_rate and rate_limit of Lab 3, or with the reference's where yours do not pass.
    """
    from streamlab.experiments.grid import MINUTES, NIGHT, Cell, as_json
    from streamlab.experiments.picture import draw_grid, in_words
    from streamlab.services.process import ServiceError

    target = called_from(to)
    if not target.parent.is_dir():
        raise UserError(f"no folder {target.parent} to write {target.name} into")
    plan, cells = NIGHT if full else MINUTES, list[Cell]()
    machine = {"cores": os.cpu_count(), "memory_gib": _memory_gib()}
    try:
        for cell in _measured(plan):
            cells.append(cell)  # written at once: what was measured is not lost if something ends it
            target.write_text(json.dumps(as_json(cells, plan, machine), indent=1) + "\n", encoding="utf-8")
    except (ServiceError, RuntimeError, TimeoutError) as problem:
        kept = f"{len(cells)} cells are in {target}" if cells else "nothing was measured, and nothing is written"
        raise UserError(f"{problem}; {kept}") from None
    target.with_suffix(".svg").write_text(draw_grid(cells).svg, encoding="utf-8")
    for line in in_words(cells).split("; "):
        click.echo(line)
    click.echo(f"{target} and {target.with_suffix('.svg').name} are written")


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
@click.option("--master", metavar="URL", help="A running cluster of Spark; without it, two pinned workers start here.")
def near_or_now(to: str, master: str | None) -> None:
    """Whether Spark's tasks wait for the executor that has their data (Lab 5). About a minute."""
    from streamlab.experiments.near_or_now import as_json, pinned_cluster
    from streamlab.experiments.near_or_now import near_or_now as measured

    target, cores = called_from(to), sorted(os.sched_getaffinity(0))[:2]
    if not target.parent.is_dir():
        raise UserError(f"no folder {target.parent} to write {target.name} into")
    try:
        with progress("near or now") as on_progress:
            on_progress("starting a cluster")
            with nullcontext(master) if master else pinned_cluster([cores[0], cores[-1]]) as address:
                runs = measured(address, on_progress=on_progress)
    except (RuntimeError, TimeoutError, OSError) as problem:
        raise UserError(f"{problem}; nothing is written") from None
    machine = {"cores": os.cpu_count(), "memory_gib": _memory_gib(), "pinned": None if master else cores}
    target.write_text(json.dumps(as_json(runs, machine), indent=1) + "\n", encoding="utf-8")
    for run in runs:
        levels = ", ".join(f"{count} {level}" for level, count in sorted(run.levels.items()))
        click.echo(
            f"spark.locality.wait {run.wait_s:g} s: {run.took_s:.1f} s ({levels}; executors: {len(run.executors)})"
        )
    click.echo(f"{target} is written")


def _memory_gib() -> float:
    import psutil

    return round(psutil.virtual_memory().total / 1024**3, 1)
