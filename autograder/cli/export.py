"""Provides `./lab export`, which writes the marks or the feedback of a class to files."""

import click

from autograder.cli.class_output import export_feedback, export_marks
from autograder.cli.context import UserError, lab_named, output_file
from autograder.cli.grade import class_with_gradebook
from autograder.grading.exports import FEEDBACK_FORMATS, FORMATS


@click.command()
@click.argument("lab")
@click.option(
    "--format",
    "formats",
    type=click.Choice([*FORMATS, *FEEDBACK_FORMATS]),
    multiple=True,
    default=["plain"],
    help="Repeat it for several files. Default: plain.",
)
@click.option("--to", metavar="FILE", help="Default: exports/LAB-FORMAT.csv (or .zip) in the class's folder.")
def export(lab: str, formats: tuple[str, ...], to: str | None) -> None:
    """Write the marks of a class as CSV, or the feedback as the archive that Canvas or Moodle takes back."""
    from autograder.record.gradebook import Recorder

    name = lab_named(lab)
    if to and len(formats) > 1:
        raise UserError(f"--to names one file; leave it out to write {len(formats)} formats")
    classroom = class_with_gradebook(name)
    exports = classroom.folder / "exports"
    recorder = Recorder(classroom)
    marks = recorder.marks(name)
    for each in formats:
        kind = "zip" if each in FEEDBACK_FORMATS else "csv"
        path = output_file(to) if to else exports / f"{name}-{each}.{kind}"
        if each in FEEDBACK_FORMATS:
            export_feedback(recorder, marks, FEEDBACK_FORMATS[each], path)
        else:
            export_marks(marks, each, path)
