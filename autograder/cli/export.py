"""Provides `./lab export`, which writes the marks or the feedback of a class to files."""

import click

from autograder.cli.class_output import export_code, export_feedback, export_marks
from autograder.cli.context import UserError, lab_named, output_file
from autograder.cli.grade import class_with_gradebook
from autograder.grading.exports import FEEDBACK_FORMATS, FORMATS, JPLAG


@click.command()
@click.argument("lab")
@click.option(
    "--format",
    "formats",
    type=click.Choice([*FORMATS, *FEEDBACK_FORMATS, JPLAG]),
    multiple=True,
    default=["plain"],
    help="Repeat it for several files. Default: plain.",
)
@click.option("--to", metavar="FILE", help="Default: exports/LAB-FORMAT.csv (or .zip) in the class's folder.")
@click.option("--pseudonyms", is_flag=True, help="With jplag: name the folders by pseudonyms instead of ids.")
def export(lab: str, formats: tuple[str, ...], to: str | None, pseudonyms: bool) -> None:
    """Write marks as CSV, feedback for Canvas or Moodle, or the code for JPlag."""
    from autograder.record.gradebook import Recorder

    name = lab_named(lab)
    if to and len(formats) > 1:
        raise UserError(f"--to names one file; leave it out to write {len(formats)} formats")
    if pseudonyms and JPLAG not in formats:
        raise UserError(f"--pseudonyms is for --format {JPLAG}; the other formats identify students to a course site")
    if to and JPLAG in formats:
        raise UserError(f"--to names a file, and {JPLAG} needs a folder: exports/{name}-{JPLAG} in the class's folder")
    classroom = class_with_gradebook(name)
    exports = classroom.folder / "exports"
    recorder = Recorder(classroom)
    marks = recorder.marks(name)
    try:
        for each in formats:
            if each == JPLAG:
                export_code(classroom, name, exports / f"{name}-{JPLAG}", pseudonyms)
                continue
            kind = "zip" if each in FEEDBACK_FORMATS else "csv"
            path = output_file(to) if to else exports / f"{name}-{each}.{kind}"
            if each in FEEDBACK_FORMATS:
                export_feedback(recorder, marks, FEEDBACK_FORMATS[each], path)
            else:
                export_marks(marks, each, path)
    finally:
        classroom.share()
