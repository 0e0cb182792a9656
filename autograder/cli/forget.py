"""Provides `./lab forget`, which removes one student from the folder of a class."""

import sys

import click

from autograder.classroom.folder import BadStudent, require_student_id
from autograder.cli.context import UserError, print_columns, user_error_for
from autograder.cli.grade import the_class
from autograder.course import CourseError
from autograder.intake.safe_text import safe

PATH_CHARS = 200


@click.command()
@click.argument("student")
@click.option("--dry-run", is_flag=True, help="Only show where the student is.")
@click.option("--yes", is_flag=True, help="Remove without asking.")
@user_error_for(BadStudent, CourseError)
def forget(student: str, dry_run: bool, yes: bool) -> None:
    """Remove a STUDENT from every file of the class."""
    from autograder.record.gradebook_file import require_usable
    from autograder.record.removal import forget as remove
    from autograder.record.removal import identity_of, is_known

    classroom = the_class()
    require_student_id(student)
    with classroom.locked():
        require_usable(classroom.gradebook, to_write=not dry_run)
        who = identity_of(classroom, student)
        found = remove(classroom, who, dry_run=True)
        if not is_known(classroom, student):
            raise UserError(f"no student {student} in {classroom.folder}; expected an id of the class list")
        print_columns((safe(each.path, PATH_CHARS), each.what) for each in found)
        if dry_run or not (yes or (sys.stdin.isatty() and click.confirm(f"remove {student} from these files?"))):
            click.echo(f"nothing was removed; `./lab forget {student} --yes` removes it, and cannot be undone")
            return
        remove(classroom, who)
    click.echo(f"{student} is removed; your backups and the course site still have their copies")
    click.echo("next: `./lab grade LAB` writes the class page and the exports again")
