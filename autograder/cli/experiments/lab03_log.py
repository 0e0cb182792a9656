"""Provides Lab 3's experiments: `integrations` and `acks`."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.cli.context import UserError, output_file, progress
from autograder.cli.experiments.machine import machine_here
from autograder.cli.lab_locks import ensure_packages_of

if TYPE_CHECKING:
    from streamlab.experiments.grid import Cell, Plan

RESULTS, ACKS = "integrations.json", "acks.json"


@click.command()
@click.option("--full", is_flag=True, help="All sizes up to 10 MB and up to 1 s of work: a night.")
@click.option("--to", default=RESULTS, show_default=True, metavar="FILE", help="JSON; the picture goes to its folder.")
def integrations(full: bool, to: str) -> None:
    """Find the highest rate that Spark keeps up with, over TCP, files and Kafka (Lab 3). About half an hour.

    Searches with your own highest_rate and rate_limit of Lab 3, or with the reference if yours do not pass.
    """
    from streamlab.experiments.grid import MINUTES, NIGHT, Cell, as_json
    from streamlab.experiments.grid_plot import draw_grid, in_words
    from streamlab.services.process import ServiceError

    target, machine = _with_picture(to), machine_here()
    ensure_packages_of(["lab03_log"])
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
    from streamlab.lab03_log.experiments.integrations import Files, Integration, Kafka, Tcp
    from streamlab.lab03_log.experiments.spark_grid import measure

    with progress("integrations") as on_progress, running("kafka", on_progress=on_progress) as broker:
        on_progress("starting Spark")
        spark = session("integrations", tuned="throughput", kafka=True)
        log = stage("lab03_log", on_progress)
        ways: list[Integration] = [Tcp(), Files(), Kafka(broker.address)]
        yield from measure(spark, ways, plan, log.highest_rate, log.rate_limit, on_progress)


@click.command()
@click.option("--to", default=ACKS, show_default=True, metavar="FILE", help="JSON; the picture goes to its folder.")
def acks(to: str) -> None:
    """Kill the leader of three real Kafka brokers while a producer sends, and count what is lost (Lab 3). Two minutes.

    Needs about 1 GB of memory.
    """
    import psutil

    from streamlab.lab03_log.experiments.acks import acks_table, as_json, draw_acks, measure
    from streamlab.lab03_log.experiments.three_brokers import three_brokers
    from streamlab.services.process import ServiceError

    target, machine = _with_picture(to), machine_here()
    ensure_packages_of(["lab03_log"])
    free_mb = psutil.virtual_memory().available / 1024**2
    try:
        with progress("acks") as on_progress, three_brokers(free_mb, on_progress) as members:
            runs = list(measure(members, on_progress))
    except (ServiceError, RuntimeError, TimeoutError) as problem:
        raise UserError(f"{problem}; nothing was written") from None
    target.write_text(json.dumps(as_json(runs, machine), indent=1) + "\n", encoding="utf-8")
    target.with_suffix(".svg").write_text(draw_acks(runs).svg, encoding="utf-8")
    click.echo(acks_table(runs))
    click.echo(f"wrote {target} and {target.with_suffix('.svg').name}")
