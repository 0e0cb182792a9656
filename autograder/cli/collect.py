"""Provides `./lab collect`, which takes the notebooks of a class from the archive of a course site."""

from typing import TYPE_CHECKING

import click

from autograder.cli.context import UserError, called_from, lab_named, print_columns, user_error_for
from autograder.cli.grade import the_class
from autograder.course import CourseError
from autograder.intake.safe_text import safe

if TYPE_CHECKING:
    from autograder.record.course_site.delivery import Collection

NAME_CHARS, REASON_CHARS = 90, 300


@click.command()
@click.argument("archive", metavar="FILE.zip")
@click.argument("lab")
@click.option("--from", "site", type=click.Choice(["canvas", "moodle"]), required=True, help="Which site made it.")
@click.option("--dry-run", is_flag=True, help="Only show what would be taken for whom.")
def collect(archive: str, lab: str, site: str, dry_run: bool) -> None:
    """Take a class's notebooks from the archive that Canvas or Moodle makes of all submissions."""
    name = lab_named(lab)
    path = called_from(archive)
    if not path.is_file():
        raise UserError(f"no file {path}; download all submissions from {site.title()}, and name the archive")
    classroom = the_class()
    if not classroom.gradebook.exists():
        raise UserError("no class list yet; import it with `nbgrader db student import students.csv`")
    from autograder.record.course_site.archive import BadArchive
    from autograder.record.course_site.delivery import collect as collect_archive

    with user_error_for(BadArchive, CourseError), classroom.locked():
        found = collect_archive(classroom, name, path, site, dry_run=dry_run)
    _show(found, name, dry_run)


def _show(found: "Collection", lab: str, dry_run: bool) -> None:
    """Show what was taken for whom, what was not taken and why, who has nothing, and the next step."""
    from autograder.record.course_site.delivery import outcomes

    print_columns(
        (each.student, each.outcome, safe(each.file, NAME_CHARS), safe("; ".join(each.remarks), REASON_CHARS))
        for each in found.taken
    )
    for entry, why in sorted(found.left_out.items()):
        click.echo(f"not taken: {safe(entry, NAME_CHARS)}: {safe(why, REASON_CHARS)}")
    if found.without:
        click.echo(f"no notebook of {len(found.without)} students: {', '.join(found.without)}")
    counts = ", ".join(f"{count} {outcome}" for outcome, count in outcomes(found.taken).items()) or "nothing"
    click.echo(f"{'would collect' if dry_run else 'collected'}: {counts}; not taken: {len(found.left_out)}")
    if dry_run:
        click.echo("nothing was written; without --dry-run, this is collected")
    elif found.taken:
        click.echo(f"next: `./lab grade {lab}`")
