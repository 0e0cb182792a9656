"""Provides the verb `new`, for authors."""

import click

from autograder.builder import BadName, SourceError, new_lab
from autograder.cli.context import ROOT, progress, user_error_for
from autograder.cli.small_lab import small_lab
from autograder.course import CourseError


@click.command()
@click.argument("lab")
@click.option("--title", default="", help="The lab's title; default: the words of its name.")
@click.option("--small", is_flag=True, help="One task in the fewest files that the kit accepts.")
def new(lab: str, title: str, small: bool) -> None:
    """Create a lab that builds and verifies at once. Example: `./lab new lab10_joins --title "Joins of streams"`."""
    with user_error_for(BadName, CourseError, SourceError), progress(f"creating {lab}"):
        created = (small_lab if small else new_lab)(ROOT, lab, title)
    for path in created:
        click.echo(path)
    click.echo(f"next: `./lab verify {lab}`, then replace the sample task with yours; docs/authors.md shows how")
