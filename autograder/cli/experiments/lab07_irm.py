"""Provides Lab 7's experiments: `pictures` and `peer-to-peer`."""

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from autograder.cli.context import UserError, output_file, progress
from autograder.cli.experiments.machine import machine_and_load
from autograder.cli.lab_locks import ensure_packages_of

if TYPE_CHECKING:
    from streamlab.progress import OnProgress

PICTURES, PEER_TO_PEER = "pictures.json", "peer_to_peer.json"


@click.command()
@click.option("--to", default=PICTURES, show_default=True, metavar="FILE", help="JSON.")
@click.option("--pictures", "count", default=300, show_default=True, type=click.IntRange(1), help="How many.")
def pictures(to: str, count: int) -> None:
    """Process generated pictures on HarmonicIO and on Spark, with equally many cores (Lab 7). About five minutes.

    Runs your own Master, Manager, cell_counts and SparkScaler, or the reference if yours do not pass.
    """
    from streamlab.lab07_irm.experiments.pictures import PictureRun, as_json, measure

    target, machine, runs = output_file(to), machine_and_load(), list[PictureRun]()
    ensure_packages_of(["lab02_windows", "lab07_irm"])
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


@click.command("peer-to-peer")
@click.option("--to", default=PEER_TO_PEER, show_default=True, metavar="FILE", help="JSON.")
def peer_to_peer(to: str) -> None:
    """Find the highest rate that HarmonicIO keeps up with, peer to peer, without Spark (Lab 7). About five minutes.

    Searches as `integrations` does, with your own Master of Lab 7 or the reference.
    """
    from streamlab import stage
    from streamlab.experiments.grid import MINUTES, Cell, as_json
    from streamlab.experiments.grid_plot import in_words
    from streamlab.lab07_irm.experiments.peer_to_peer import measure

    target, machine, cells = output_file(to), machine_and_load(), list[Cell]()
    ensure_packages_of(["lab03_log", "lab07_irm"])
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


def _lab_7(on_progress: "OnProgress") -> Any:
    """Return the tasks of Lab 7, with SlidingSum, which its notebook takes from Lab 2 in a cell that stages skip."""
    from streamlab import stage

    lab = stage("lab07_irm", on_progress)
    vars(sys.modules[lab.Manager.__module__])["SlidingSum"] = stage("lab02_windows", on_progress).SlidingSum
    return lab
