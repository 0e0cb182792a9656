"""Writes the README of a package."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from autograder.course import Course
from autograder.portfolio import PACKAGE
from streamlab.views.system_map import PARTS, name_of


class Contents(NamedTuple):
    """What a README tells: the package's tasks, the number of tests of each, and why others are left out."""

    tasks: Sequence[str]
    tests: Mapping[str, int]
    left_out: Sequence[str]  # a line for each lab and reason
    packages: Sequence[str]
    kit: str  # the path from the folder to StreamLab
    map_in_words: str  # "" without a map


def readme(course: Course, about: Contents) -> str:
    """Return the README's text."""
    labs = list(dict.fromkeys(task.split("/")[0] for task in about.tasks))
    has_map = bool(about.map_in_words)
    parts = [
        "# Parts of a streaming system",
        f"{len(about.tasks)} tasks of {len(labs)} lab{'s' * (len(labs) > 1)} of StreamLab, release {course.release}."
        " I wrote the code of the tasks, and each passes all its checks. The other code of the modules is from the labs.",
        *[f"![{about.map_in_words}](system.svg)"] * has_map,
        _how_to_run(about),
        *(_table(course, lab, about) for lab in labs),
        *[_left_out(about)] * bool(about.left_out),
    ]
    return "\n\n".join(parts) + "\n"


def _how_to_run(about: Contents) -> str:
    program = [f"python -m {PACKAGE}   # two minutes of the system in virtual time"] * bool(about.map_in_words)
    commands = "\n".join([*program, "python -m pytest"])
    return (
        f"## Run it\n\n```sh\n{commands}\n```\n\n"
        f"It needs Python 3.11 or newer, {', '.join(about.packages)} and pytest. It also needs StreamLab, which has the"
        " types, the system's other parts and the recorded day. StreamLab is no package of an index. The code finds it"
        f" in `{about.kit}`, seen from this folder; anywhere else, put StreamLab's folder on `PYTHONPATH`. With"
        " StreamLab's own Python, `.venv/bin/python` in its folder, all packages are there."
    )


def _table(course: Course, lab: str, about: Contents) -> str:
    titles = {part.box: part.title for part in PARTS}
    rows = ["| task | part of the system | tests |", "|---|---|---|"]
    for task in (each for each in about.tasks if each.startswith(f"{lab}/")):
        part = titles.get(course.labs[lab].tasks[name_of(task)].part or "", "-")
        rows.append(f"| `{name_of(task)}` | {part} | {about.tests.get(task) or '-'} |")
    return f"## {course.labs[lab].title}\n\n" + "\n".join(rows)


def _left_out(about: Contents) -> str:
    return "## Not in this package\n\n" + "\n".join(f"- {line}" for line in about.left_out)
