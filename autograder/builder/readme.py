"""The parts of README.md that are generated, between `<!-- generated: labs -->` and `<!-- /generated -->`.

Keeps out: the rest of the page, which is written by hand.
"""

import re
from collections.abc import Callable
from pathlib import Path

from autograder.builder.rules import SourceError
from autograder.course import Course

_PART = re.compile(r"(?P<open><!-- generated: (?P<name>[\w-]+) -->\n)(?P<body>.*?)(?P<close><!-- /generated -->)", re.S)


def with_generated_parts(path: Path, course: Course) -> str:
    """The text of the page with each generated part as the course gives it."""
    text = path.read_text(encoding="utf-8")
    unknown = sorted({part["name"] for part in _PART.finditer(text)} - set(PARTS))
    if unknown:
        names = ", ".join(unknown)
        raise SourceError([f"{path.name}: unknown generated part {names}; there are {', '.join(sorted(PARTS))}"])
    return _PART.sub(lambda part: f"{part['open']}{PARTS[part['name']](course)}\n{part['close']}", text)


def labs_table(course: Course) -> str:
    """One row a lab: topic, minutes, what runs, what it builds on, points."""
    rows = ["| lab | topic | minutes | runs | builds on | points |", "|---|---|--:|---|---|--:|"]
    for name, lab in course.labs.items():
        link = f"[{name}](labs/{name}/{name}.ipynb)"
        runs, before = lab.runs or ", ".join(lab.services) or "nothing", ", ".join(lab.builds_on) or "nothing"
        rows.append(f"| {link} | {lab.title} | {lab.minutes} | {runs} | {before} | {lab.points:g} |")
    return "\n".join(rows)


PARTS: dict[str, Callable[[Course], str]] = {"labs": labs_table}
