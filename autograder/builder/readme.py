"""The parts of README.md that are generated, between `<!-- generated: labs -->` and `<!-- /generated -->`.

Keeps out: the rest of the page, which is written by hand.
"""

import json
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
    return _PART.sub(lambda part: f"{part['open']}{PARTS[part['name']](path.parent, course)}\n{part['close']}", text)


def labs_table(root: Path, course: Course) -> str:
    """One row a lab: topic, minutes, what runs, what it builds on, points, and its mutation score."""
    rows = [
        "| lab | topic | minutes | runs | builds on | points | mutants caught |",
        "|---|---|--:|---|---|--:|--:|",
    ]
    for name, lab in course.labs.items():
        link = f"[{name}](labs/{name}/{name}.ipynb)"
        runs, before = lab.runs or ", ".join(lab.services) or "nothing", ", ".join(lab.builds_on) or "nothing"
        score = _mutation_score(root / "autograder/stages" / name / "verified.json")
        rows.append(f"| {link} | {lab.title} | {lab.minutes} | {runs} | {before} | {lab.points:g} | {score} |")
    return "\n".join(rows)


def _mutation_score(verified: Path) -> str:
    """Mutants caught, written by hand and made by operators, of all that were driven; from the last verification."""
    if not verified.exists():
        return "not verified"
    figures = json.loads(verified.read_text(encoding="utf-8"))
    automatic, by_hand = figures["automatic"], figures["mutants"]
    return f"{by_hand + automatic['caught']:,} of {by_hand + automatic['driven']:,}"


PARTS: dict[str, Callable[[Path, Course], str]] = {"labs": labs_table}
