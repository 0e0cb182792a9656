"""Provides `./lab journal`, which shows who changed which mark, when, and why."""

import click

from autograder.cli.context import print_columns, user_error_for
from autograder.cli.grade import the_class
from autograder.intake.safe_text import safe
from autograder.report.number_formats import points

TEXT_CHARS = 300


@click.command()
@click.argument("student", required=False)
def journal(student: str | None) -> None:
    """Show who changed which mark, from what to what, when and why; of one STUDENT, or of all."""
    from autograder.record.journal import Entry, entries

    with user_error_for(ValueError):
        found = [each for each in entries(the_class()) if student in (None, each.student)]
    if not found:
        click.echo(f"no mark {f'of {student} ' if student else ''}was changed")

    def row(each: Entry) -> tuple[str, ...]:
        where = " ".join(filter(None, (each.lab, each.what, each.cell)))
        change = f"{_shown(each.before)} → {_shown(each.after)}"
        return each.when, each.who, each.student, where, change, safe(each.because, TEXT_CHARS)

    print_columns(map(row, found))


def _shown(value: float | str | None) -> str:
    """Return points, the policy on one line, or "none"."""
    if isinstance(value, str):
        return safe(" ".join(value.split()), TEXT_CHARS) or "none"
    return "none" if value is None else points(value)
