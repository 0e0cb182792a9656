"""Generates the parts of README.md between `<!-- generated: labs -->` and `<!-- /generated -->`, and its picture."""

import json
import re
from collections.abc import Callable
from pathlib import Path

from autograder.builder.rules import SourceError
from autograder.course import Course
from streamlab.views.labs_map import labs_in_words, labs_map

PICTURE = "docs/system.svg"
_PART = re.compile(r"(?P<open><!-- generated: (?P<name>[\w-]+) -->\n)(?P<body>.*?)(?P<close><!-- /generated -->)", re.S)


def with_generated_parts(path: Path, course: Course) -> str:
    """Return the text of the page with each generated part up to date with the course."""
    text = path.read_text(encoding="utf-8")
    unknown = sorted({part["name"] for part in _PART.finditer(text)} - set(PARTS))
    if unknown:
        names = ", ".join(unknown)
        raise SourceError([f"{path.name}: unknown generated part {names}; expected {', '.join(sorted(PARTS))}"])
    return _PART.sub(lambda part: f"{part['open']}{PARTS[part['name']](path.parent, course)}\n{part['close']}", text)


def labs_table(root: Path, course: Course) -> str:
    """Return a row for each lab: topic, minutes, what runs, earlier labs, points and mutation score."""
    rows = [
        "| lab | topic | minutes | runs | builds on | points | mutants caught |",
        "|---|---|--:|---|---|--:|--:|",
    ]
    for name, lab in course.labs.items():
        link = f"[{name}](labs/{name}/{name}.ipynb)"
        runs, before = lab.runs or ", ".join(lab.services) or "nothing", ", ".join(lab.builds_on) or "nothing"
        score = _mutation_score(root / "autograder/stages" / name / "verified.json")
        rows.append(f"| {link} | {lab.title} | {lab.stated_minutes} | {runs} | {before} | {lab.points:g} | {score} |")
    return "\n".join(rows)


def picture_of_map(root: Path, course: Course) -> str:
    """Return the map of the system as a picture with its text."""
    return f"![{labs_in_words(course.tasks_of_parts())}]({PICTURE})"


def picture(course: Course) -> str:
    """Return the picture itself, as SVG that follows the reader's light or dark theme."""
    return labs_map(course.tasks_of_parts()) + "\n"


def _mutation_score(verified: Path) -> str:
    """Return the number of mutants caught of those driven, handwritten and automatic, in the last verification."""
    if not verified.exists():
        return "not verified"
    figures = json.loads(verified.read_text(encoding="utf-8"))
    automatic, by_hand = figures["automatic"], figures["mutants"]
    return f"{by_hand + automatic['caught']:,} of {by_hand + automatic['driven']:,}"


PARTS: dict[str, Callable[[Path, Course], str]] = {"labs": labs_table, "map": picture_of_map}
