"""Provides the verb `pack`, which writes the student's kit as one archive."""

import sys
from pathlib import Path

import click

from autograder.cli.context import ROOT, WORK, called_from, course, output_file, progress
from autograder.cli.lab_locks import ensure_packages_of


@click.command()
@click.option("--to", metavar="FILE", help="Default: work/streamlab-RELEASE-students.zip.")
def pack(to: str | None) -> None:
    """Pack the student's kit: everything that students need, without solutions."""
    from autograder.pack import PackRejected, pack_kit

    target = _target(to)
    ensure_packages_of(course().labs)  # the oracles of some labs need them
    try:
        with progress("packing") as on_progress:
            on_progress("reading the kit, looking for leaks")
            summary = pack_kit(ROOT, course(), target)
    except PackRejected as rejected:
        for line in rejected.problems:
            click.echo(f"lab: not packed: {line}", err=True)
        sys.exit(1)
    click.echo(f"{summary.path}: {summary.files} files, {summary.size_bytes / 1000:,.0f} kB")


def _target(to: str | None) -> Path:
    from autograder.pack.archive import default_name

    if to is None:
        WORK.mkdir(exist_ok=True)
        return WORK / default_name(course())
    name = str(Path(to, default_name(course()))) if called_from(to).is_dir() else to
    return output_file(name, is_replaced=True)
