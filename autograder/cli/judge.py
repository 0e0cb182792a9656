"""Provides the verb for instructors: judge."""

from pathlib import Path

import click

from autograder.cli.context import ROOT, UserError, called_from, course, lab_named, output_file
from autograder.cli.judging import STDOUT, judged, write
from autograder.judge.jobs import PUBLIC_SEED
from autograder.judge.request import Request
from autograder.sandbox import LEVELS


@click.command()
@click.argument("notebooks", nargs=-1, required=True, metavar="NOTEBOOK…")
@click.option("--lab", "lab_name", help="The lab, if a notebook does not name it.")
@click.option("--json", "json_file", metavar="FILE", help="Write results.json (- for standard output).")
@click.option("--html", "html_file", metavar="FILE", help="Write the report as one HTML page.")
@click.option("--seed", default=PUBLIC_SEED, show_default=True, metavar="TEXT", help="Cases are generated from it.")
@click.option("--no-throughput", is_flag=True, help="Leave the throughput checks out.")
@click.option("--sandbox", type=click.Choice(LEVELS), help="Default: bubblewrap. process has limits but no isolation.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Notebooks judged together.")
def judge(
    notebooks: tuple[str, ...],
    lab_name: str | None,
    json_file: str | None,
    html_file: str | None,
    seed: str,
    no_throughput: bool,
    sandbox: str | None,
    workers: int,
) -> None:
    """Judge notebooks (.ipynb) or percent sources (.py).

    Tasks of earlier labs come from the notebooks next to their folder, as in work/: LAB/LAB.ipynb side by side.
    """
    paths = [called_from(each) for each in notebooks]
    for path in paths:
        if not path.exists() and not path.is_symlink():
            raise UserError(f"no file {path}; name a notebook (.ipynb) or a percent source (.py)")
    json_path = STDOUT if json_file == "-" else _target(json_file)
    html_path = _target(html_file)
    request = Request(
        ROOT, course(), lab_named(lab_name) if lab_name else None, seed, not no_throughput, sandbox, workers
    )
    results = judged(paths, request)
    if len(results) == 1 and results[0]["streamlab"]["lab"] is None:
        raise UserError(results[0]["streamlab"]["notes"][0])
    write(results, json_path, html_path, to_screen=json_path != STDOUT)


def _target(name: str | None) -> Path | None:
    return None if name is None else output_file(name)
