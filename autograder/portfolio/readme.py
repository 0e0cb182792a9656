"""Writes the README of a package."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from autograder.course import Course
from autograder.portfolio import PACKAGE
from streamlab.views.system_map import PARTS, name_of


class Contents(NamedTuple):
    """The contents of a README: the package's tasks, the number of tests of each, and why others are left out."""

    tasks: Sequence[str]
    tests: Mapping[str, int]
    left_out: Sequence[str]  # a line for each lab and reason
    packages: Sequence[str]
    kit: str  # the path from the folder to StreamLab
    map_in_words: str  # "" without a map


def readme(course: Course, about: Contents) -> str:
    """Return the README's text."""
    labs = list(dict.fromkeys(task.split("/")[0] for task in about.tasks))
    parts = [
        "# Parts of a streaming system",
        f"{len(about.tasks)} task{'s' * (len(about.tasks) > 1)} of StreamLab, release {course.release}. Each passes all"
        " its checks. I wrote the code of the tasks; the other code of the modules comes from the labs.",
        *[f"![{about.map_in_words}](system.svg)\n\nThe parts with a thick frame have tasks of this package."]
        * bool(about.map_in_words),
        _how_to_run(about),
        *(_table(course, lab, about) for lab in labs),
        "The tests are public cases of StreamLab. A task without one needs what a plain test does not have, such as"
        " Spark, a server or a clock; StreamLab checks it.",
        *["## Not in this package\n\n" + "\n".join(f"- {line}" for line in about.left_out)] * bool(about.left_out),
    ]
    return "\n\n".join(parts) + "\n"


def _how_to_run(about: Contents) -> str:
    program = [f"python -m {PACKAGE}   # shows two minutes of the system"] * bool(about.map_in_words)
    return "\n\n".join(
        [
            "## Run it",
            "\n".join(["```sh", *program, "python -m pytest", "```"]),
            f"The package needs Python 3.11 or newer, {''.join(f'{each}, ' for each in about.packages)}and pytest. It"
            " also needs StreamLab, which has the types, the other parts of the system and the recorded day. No package"
            f" index has StreamLab: the code looks for it in `{about.kit}`, relative to this folder. Elsewhere, put"
            " StreamLab's folder on `PYTHONPATH`. StreamLab's own Python, `.venv/bin/python` in its folder, has all"
            " packages.",
        ]
    )


def _table(course: Course, lab: str, about: Contents) -> str:
    titles = {part.box: part.title for part in PARTS}
    rows = [f"## {course.labs[lab].title}", "", "| task | part of the system | tests |", "|---|---|---|"]
    for task in (each for each in about.tasks if each.startswith(f"{lab}/")):
        part = titles.get(course.labs[lab].tasks[name_of(task)].part or "", "-")
        rows.append(f"| `{name_of(task)}` | {part} | {about.tests.get(task) or '-'} |")
    return "\n".join(rows)
