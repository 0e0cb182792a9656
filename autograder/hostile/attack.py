"""Reads the files of attacks/: each has a docstring, a few constants, and the code of the attacking cell.

The docstring's first line says what the attack does, the rest what it gains if nothing stops it. `NAMED` is the text by
which the report has to name the attack (`NAMED_IN_CONTAINER` in a container, if the text differs there). `TASKS` lists
the tasks that are judged. The notebook around the attack has a wrong version of the first one, so that the attack has
points to gain; `WITHOUT` is its code where it is not the usual one. `COSTS` lists the tasks in which the attack itself
loses points. `OUTPUT_HTML` and `MARKDOWN` go into the notebook as a stored output and as written answers.

An attack targets Lab 1, or the lab in `LAB`. With `EVERY_LAB` it is tried on each lab: its code then uses `LAB`, `TASK`
and `OTHER_TASK` for the lab and its two tasks, while the constants name the tasks of Lab 1.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("attacks")
CONSTANTS = (
    *("NAMED", "NAMED_IN_CONTAINER", "LAB", "EVERY_LAB", "TASKS", "COSTS"),
    *("THROUGHPUT", "WITHOUT", "OUTPUT_HTML", "MARKDOWN"),
)
FIRST_LAB = "lab01_wordcount"
# Two core tasks without Spark of each lab; autograder.hostile.notebooks has a wrong version of the first one.
TWO_TASKS = {
    FIRST_LAB: ("words", "deliver"),
    "lab02_windows": ("trending", "hashtags"),
    "lab03_log": ("partition_for", "assign"),
    "lab04_subqueries": ("bucket_of", "split"),
    "lab05_placement": ("cpus", "heal"),
    "lab06_enrichment": ("LruCache", "CachedStore"),
    "lab07_irm": ("dispatch", "Assignments"),
    "lab08_geofencing": ("contains", "in_order"),
    "lab09_system": ("service_levels", "repair"),
}
WITHOUT_SPARK = TWO_TASKS[FIRST_LAB]


@dataclass(frozen=True)
class Attack:
    """An attack by a cell."""

    name: str
    about: str
    code: str
    named: str
    named_in_container: str = ""
    tasks: tuple[str, ...] = WITHOUT_SPARK
    costs: tuple[str, ...] = ()
    throughput: bool = False
    without: str = ""
    output_html: str = ""
    markdown: str = ""
    lab: str = FIRST_LAB
    every_lab: bool = False

    def on_labs(self) -> "Iterator[Attack]":
        """Yield the attack for each of its labs; except on its first lab, the lab is part of its name."""
        yield self
        for lab, two in TWO_TASKS.items() if self.every_lab else ():
            if lab != self.lab:
                costs = tuple(two[WITHOUT_SPARK.index(task)] for task in self.costs)
                yield replace(self, name=f"{self.name}__{lab}", lab=lab, tasks=two, costs=costs)

    def named_at(self, level: str | None) -> str:
        """Return the text by which the report has to name the attack if the sandboxes have this level."""
        return (level == "container" and self.named_in_container) or self.named


class BadAttack(ValueError):
    """A file that is not a valid attack; the text has its path and what is missing."""


def read_attacks(folder: Path = FOLDER) -> list[Attack]:
    """Return all attacks of a folder on all labs, sorted by file name."""
    return [attack for path in sorted(folder.glob("*.py")) for attack in _read(path).on_labs()]


def _read(path: Path) -> Attack:
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source, path.name)
    about = ast.get_docstring(tree)
    header = [node for node in tree.body[1:] if _is_constant(node)]
    values = {_name(node): ast.literal_eval(node.value) for node in header if isinstance(node, ast.Assign)}
    if not about or not values.get("NAMED"):
        raise BadAttack(f"{path}: expected a docstring, and NAMED = the text by which the report names the attack")
    last = header[-1].end_lineno or 0
    code = "\n".join(source.splitlines()[last:]).strip() + "\n"
    return Attack(path.stem, about.splitlines()[0], code, **_lower_case(values))


def _is_constant(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and _name(node) in CONSTANTS


def _name(node: ast.Assign) -> str:
    return getattr(node.targets[0], "id", "")


def _lower_case(values: dict[str, Any]) -> dict[str, Any]:
    as_tuples = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    return {name.lower(): value for name, value in as_tuples.items()}
