"""Counts what a lab asks of a learner: tasks, points, minutes, words to read, lines to write."""

import io
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from autograder.builder.source import read_source, shown_lines, solution_lines
from autograder.course import Course
from streamlab.notebooks.labfile import LabCell

LAYOUT = (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT)


class Stats(NamedTuple):
    """What one lab asks. `words` are those to read before the bonus: prose, questions, docstrings and comments.

    `optional` are the words of the bonus. `core` counts the tasks that are judged and not bonus, with their `steps`;
    `lines` are the non-blank lines of their solutions; `given` counts the locked cells after the first one.
    """

    lab: str
    core: int
    steps: int
    bonus: int
    given: int
    points: float
    minutes: str
    words: int
    optional: int
    lines: int


def stats_of(root: Path, course: Course, lab: str) -> Stats:
    """Return the counts of one lab, from its source and from course.yml."""
    part, cells = course.labs[lab], read_source(root, lab)
    steps = [name for name, task in part.core.items() if task.step_of]
    bonus = next((at for at, cell in enumerate(cells) if "· ★ Bonus" in cell.source), len(cells))
    core = [cell for cell in cells if cell.role == "task" and cell.name in part.core]
    return Stats(
        lab,
        len(part.core),
        len(steps),
        len(part.tasks) - len(part.core),
        max(0, sum(cell.role == "given" for cell in cells) - 1),
        part.points,
        part.stated_minutes,
        sum(map(_words, cells[:bonus])),
        sum(map(_words, cells[bonus:])),
        sum(bool(line.strip()) for cell in core for line in solution_lines(cell)),
    )


def _words(cell: LabCell) -> int:
    text = "\n".join(shown_lines(cell))
    parts = [text] if cell.role in (None, "written") else _docstrings_and_comments(text)
    return sum(len(part.split()) for part in parts)


def _docstrings_and_comments(code: str) -> Iterator[str]:
    """Yield the comments, and the strings that are statements."""
    starts_statement = True
    for kind, text, *_ in tokenize.generate_tokens(io.StringIO(code).readline):
        if kind == tokenize.COMMENT or (kind == tokenize.STRING and starts_statement):
            yield text.strip("# ")
        if kind != tokenize.COMMENT:
            starts_statement = kind in LAYOUT
