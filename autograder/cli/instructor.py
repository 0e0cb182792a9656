"""Provides the verb for instructors: judge."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from autograder.checks.recorded import UnknownQuestion
from autograder.cli.context import ROOT, UserError, called_from, console, course, lab_named, output_file, progress
from autograder.cli.lab_locks import ensure_packages_of
from autograder.course import CourseError
from autograder.course.lab_packages import locks_for_judging
from autograder.intake import Rejected, take_in_file
from autograder.judge import judge_files
from autograder.judge.jobs import PUBLIC_SEED
from autograder.judge.request import Request
from autograder.report import print_results, write_html
from autograder.sandbox import LEVELS, SandboxUnavailable

STDOUT = Path("-")


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


def judged(paths: list[Path], request: Request) -> list[dict[str, Any]]:
    """Judge `paths` with progress and return their results; raises UserError for a missing prerequisite."""
    ensure_packages_of(_labs_of(paths, request))
    try:
        with progress("judging") as on_progress:
            return judge_files(paths, request, on_progress)
    except (SandboxUnavailable, CourseError) as problem:
        raise UserError(str(problem)) from None
    except UnknownQuestion:
        raise UserError("a student's kit judges the public cases only; leave --seed out") from None


def _labs_of(paths: list[Path], request: Request) -> set[str]:
    """Return the labs that are about to be judged; empty if no lab needs packages of its own."""
    labs = request.course.labs
    if request.lab or not any(locks_for_judging(request.course, lab) for lab in labs):
        return {request.lab} if request.lab else set()
    found = set()
    for path in paths:
        with suppress(Rejected):  # the judge reports the reason
            found.add(take_in_file(path, None).lab or path.stem)
    return found & labs.keys()


def write(
    results: list[dict[str, Any]], json_file: Path | None, html_file: Path | None, to_screen: bool = True
) -> None:
    """Print the results to the screen and write them to the requested files."""
    if to_screen:
        for each in results:
            print_results(each, console())
    if json_file:
        text = json.dumps(results[0] if len(results) == 1 else results, ensure_ascii=False, indent=1) + "\n"
        if json_file == STDOUT:
            click.echo(text, nl=False)
        else:
            json_file.write_text(text, encoding="utf-8")
    if html_file:
        write_html(results, html_file)
        click.echo(f"report: {html_file}")


def _target(name: str | None) -> Path | None:
    return None if name is None else output_file(name)
