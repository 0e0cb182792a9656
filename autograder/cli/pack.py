"""Provides the verb `pack`, which writes the student's kit, or one lab for another system, as one archive."""

import sys
from collections.abc import Callable
from pathlib import Path

import click

from autograder.cli.context import ROOT, WORK, UserError, called_from, course, lab_named, output_file, progress
from autograder.cli.lab_locks import ensure_packages_of
from autograder.report.number_formats import points

GRADESCOPE, GITHUB = "gradescope", "github-action"
LOOKING = "reading the kit, looking for leaks"


@click.command()
@click.argument("lab", required=False)
@click.option("--for", "system", type=click.Choice([GRADESCOPE, GITHUB]), help="Pack one lab for this system.")
@click.option("--no-throughput", is_flag=True, help="For gradescope: leave the throughput checks out.")
@click.option("--to-git", metavar="FOLDER", help="Commit the student's kit to this git repository instead.")
@click.option("--to", metavar="FILE", help="Default: a file in work/ that is named after the release.")
def pack(lab: str | None, system: str | None, no_throughput: bool, to_git: str | None, to: str | None) -> None:
    """Pack the student's kit, without solutions; or one lab, for Gradescope or for a repository on GitHub."""
    if no_throughput and system != GRADESCOPE:
        raise UserError(f"--no-throughput needs --for {GRADESCOPE}")
    if to_git and (to or system):
        raise UserError("--to-git commits the student's kit; leave --to and --for out")
    if system is None:
        if lab:
            raise UserError(f"expected --for SYSTEM together with the lab {lab}; without --for, all labs are packed")
        _commit_kit(called_from(to_git)) if to_git else _pack_kit(to)
    elif lab is None:
        raise UserError(f"expected a lab to pack for {system}: ./lab pack --for {system} LAB")
    elif system == GITHUB:
        _pack_for_github(lab_named(lab), to)
    else:
        _pack_for_gradescope(lab_named(lab), to, not no_throughput)


def _pack_kit(to: str | None) -> None:
    from autograder.pack import pack_kit
    from autograder.pack.archive import default_name

    target = _target(to, default_name(course()))
    ensure_packages_of(course().labs)  # the oracles of some labs need them
    _packed(lambda: str(pack_kit(ROOT, course(), target)), LOOKING)


def _commit_kit(repository: Path) -> None:
    from autograder.pack.to_git import commit_kit

    ensure_packages_of(course().labs)
    _packed(lambda: commit_kit(ROOT, course(), repository), LOOKING)


def _pack_for_github(lab: str, to: str | None) -> None:
    from autograder.pack.github_action import pack_for_github

    target = _target(to, f"{lab}-{GITHUB}.zip")
    ensure_packages_of(course().labs)
    _packed(lambda: str(pack_for_github(ROOT, course(), lab, target)), LOOKING)
    click.echo("Unpack it into a new repository; README.md is its guide. The verdicts are advice, and no mark.")


def _pack_for_gradescope(lab: str, to: str | None, throughput: bool) -> None:
    from autograder.classroom.folder import Classroom
    from autograder.pack.gradescope import container_for, judged_points, pack_for_gradescope

    target, classroom = _target(to, f"{lab}-{GRADESCOPE}.zip"), Classroom.of_this_kit()
    _packed(lambda: str(pack_for_gradescope(classroom, lab, target, throughput)), f"reading what {lab} needs")
    click.echo("It holds solutions and the secret of your class: give it to nobody but Gradescope.")
    container = container_for(classroom.course, lab, throughput)
    count = judged_points(classroom.course, lab, throughput)
    click.echo(f"Autograder points: {points(count)}. Container: {container}.")


def _packed(pack_it: Callable[[], str], what: str) -> None:
    """Pack with progress and print what it returns; if the kit cannot be packed, say why and exit with 1."""
    from autograder.pack import PackRejected

    try:
        with progress("packing") as on_progress:
            on_progress(what)
            summary = pack_it()
    except PackRejected as rejected:
        for line in rejected.problems:
            click.echo(f"lab: not packed: {line}", err=True)
        sys.exit(1)
    click.echo(summary)


def _target(to: str | None, name: str) -> Path:
    if to is None:
        WORK.mkdir(exist_ok=True)
        return WORK / name
    return output_file(str(Path(to, name)) if called_from(to).is_dir() else to, is_replaced=True)
