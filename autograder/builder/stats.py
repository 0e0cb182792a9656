"""Counts what a lab asks of a learner: tasks, points, minutes, words to read, lines to write."""

from pathlib import Path
from typing import NamedTuple

from autograder.builder.source import read_source, shown_lines, solution_lines
from autograder.course import Course
from streamlab.notebooks.labfile import LabCell


class Stats(NamedTuple):
    """What one lab asks. `words` are those of prose, questions, given cells and tasks, without the solutions.

    `core` counts the tasks that are judged and not bonus, with their `steps`; `lines` are the non-blank lines of their
    solutions; `given` counts the locked cells after the first one.
    """

    lab: str
    core: int
    steps: int
    bonus: int
    given: int
    points: float
    minutes: str
    words: int
    lines: int


def stats_of(root: Path, course: Course, lab: str) -> Stats:
    """Return the counts of one lab, from its source and from course.yml."""
    part, cells = course.labs[lab], read_source(root, lab)
    steps = [name for name, task in part.core.items() if task.step_of]
    core = [cell for cell in cells if cell.role == "task" and cell.name in part.core]
    return Stats(
        lab,
        len(part.core),
        len(steps),
        len(part.tasks) - len(part.core),
        max(0, sum(cell.role == "given" for cell in cells) - 1),
        part.points,
        part.stated_minutes,
        sum(map(_words, cells)),
        sum(bool(line.strip()) for cell in core for line in solution_lines(cell)),
    )


def _words(cell: LabCell) -> int:
    to_read = cell.role in (None, "given", "task", "written")
    return sum(len(line.split()) for line in shown_lines(cell)) if to_read else 0
