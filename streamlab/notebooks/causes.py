"""The cause of an error in the learner's terms: it extracts a Spark worker's error from Spark's report."""

import re
from dataclasses import dataclass

from streamlab.notebooks.loader import is_cell, label_of, one_line, place_in_cells, shortened

_WORKERS_REPORT = re.compile(r"Traceback \(most recent call last\):\n(?P<body>.*?)(?:\n\s*\n|\n\tat |\Z)", re.DOTALL)
_JAVAS_CAUSE = re.compile(r"^Caused by: (?:[\w$]+\.)*([\w$]+)(?:: (.*))?$", re.MULTILINE)
_LINE = re.compile(r'File "([^"]+)", line (\d+)')


@dataclass(frozen=True)
class Cause:
    """The error's kind, its first line, and the line of the cell that raised it (0: not known).

    `cell` is the label of that cell ("": not known, as in a running notebook).
    """

    kind: str
    message: str
    line: int
    cell: str = ""


def cause_of(problem: BaseException) -> Cause:
    """Return the learner's own error.

    Example: a Py4JJavaError around a worker's `ValueError: boom` -> Cause("ValueError", "boom", 3, "count_words")
    """
    report = _WORKERS_REPORT.search(str(problem))
    if report is None:
        if causes := _JAVAS_CAUSE.findall(str(problem)):  # the last one is the root cause
            kind, message = causes[-1]
            return Cause(kind, shortened(message), *place_in_cells(problem))
        return Cause(type(problem).__name__, one_line(problem), *place_in_cells(problem))
    body = report["body"]
    last = [line for line in body.splitlines() if line.strip()][-1]
    kind, _, message = last.strip().partition(": ")
    places = [(int(line), label_of(file)) for file, line in _LINE.findall(body) if is_cell(file)]
    return Cause(kind.rpartition(".")[2], shortened(message), *(places[-1] if places else (0, "")))
