"""Renders a class as one self-contained HTML file: no scripts, no fonts, no image files, no server."""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from jinja2 import Environment

from autograder.classroom.marks import ClassMarks
from autograder.report.class_page.answers import KINDS_SHOWN, checks_of_class, grouped
from autograder.report.class_page.members import members_of, shortened
from autograder.report.class_page.overview import Overview, not_included, notes_of, questions_of, tasks_of
from autograder.report.class_page.pictures import histogram, share_bar, throughput_strip
from autograder.report.class_page.throughput import throughput_of_class
from autograder.report.pages import environment, style

_OPEN_AT_FIRST = 3
_TITLE_CHARS = 120


def write_class_page(
    marks: ClassMarks,
    path: Path,
    *,
    feedback: Mapping[str, str] | None = None,
    pseudonym: Callable[[str], str] | None = None,
) -> None:
    """Write the class page to `path`, in UTF-8 with Unix line endings; see `render_class_page`."""
    path.write_bytes(render_class_page(marks, feedback=feedback, pseudonym=pseudonym).encode())


def render_class_page(
    marks: ClassMarks,
    *,
    feedback: Mapping[str, str] | None = None,
    pseudonym: Callable[[str], str] | None = None,
) -> str:
    """Return the class as one HTML document for instructors: it shows the students' names.

    `feedback` maps students to paths relative to the page's folder; students may be missing. `pseudonym` returns a
    student's pseudonym on the leaderboard; if given, the page shows who is who.
    """
    members = members_of(marks, feedback, pseudonym)
    overview = Overview(members, marks.max_points)
    return (
        page_environment()
        .get_template("class.html.j2")
        .render(
            css=style("class"),
            heading=shortened(marks.lab_title or marks.lab, _TITLE_CHARS),
            course=shortened(marks.course, _TITLE_CHARS),
            release=shortened(marks.release, _TITLE_CHARS),
            overview=overview,
            questions=questions_of(members),
            notes=notes_of(members),
            tasks=tasks_of(members),
            checks=grouped(checks_of_class(members), marks.dropped),
            dropped=marks.dropped,
            not_included=not_included(members),
            throughput_checks=throughput_of_class(members),
            open_at_first=_OPEN_AT_FIRST,
            kinds_shown=KINDS_SHOWN,
        )
    )


@cache
def page_environment() -> Environment:
    """Return the templates of this package's pages."""
    return environment(
        filters={}, functions={"histogram": histogram, "throughput_strip": throughput_strip, "share_bar": share_bar}
    )
