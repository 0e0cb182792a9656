"""Renders the leaderboard for the class: ranks by points and by ratio, with pseudonyms.

It contains no ids, no names and no text of a submission. The class page shows the instructor who is who.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.marks import ClassMarks
from autograder.report.class_page.members import Member, members_of, shortened
from autograder.report.class_page.page import page_environment
from autograder.report.class_page.throughput import throughput_of_class
from autograder.report.pages import style

_TITLE_CHARS = 120


@dataclass(frozen=True)
class Place:
    """One line of the leaderboard; equal values share a rank."""

    rank: int
    pseudonym: str
    value: float


def write_leaderboard(marks: ClassMarks, path: Path, pseudonym: Callable[[str], str]) -> None:
    """Write the leaderboard to `path`, in UTF-8 with Unix line endings."""
    path.write_bytes(render_leaderboard(marks, pseudonym).encode())


def render_leaderboard(marks: ClassMarks, pseudonym: Callable[[str], str]) -> str:
    """Return the leaderboard as one HTML document; only students with verdicts are on it."""
    members = [each for each in members_of(marks, pseudonym=pseudonym) if each.judged]
    return (
        page_environment()
        .get_template("leaderboard.html.j2")
        .render(
            css=style("class"),
            heading=shortened(marks.lab_title or marks.lab, _TITLE_CHARS),
            course=shortened(marks.course, _TITLE_CHARS),
            max_points=marks.max_points,
            by_points=places((each, each.mark.points) for each in members),
            throughput_checks=[
                (each.task, each.threshold, places((run.member, round(run.ratio, 2)) for run in each.runs))
                for each in throughput_of_class(members)
                if each.runs
            ],
        )
    )


def places(values: Iterable[tuple[Member, float]]) -> list[Place]:
    """Return the ranks, the highest value first; equal values are ordered by pseudonym, which reveals no names.

    Example: values 9, 7, 7, 3 -> ranks 1, 2, 2, 4
    """
    ordered = sorted(values, key=lambda each: (-each[1], each[0].pseudonym))
    return [Place(1 + sum(other > value for _, other in ordered), member.pseudonym, value) for member, value in ordered]
