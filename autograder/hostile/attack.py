"""One file of attacks/: a docstring, a few constants, and the code of the cell that attacks.

The docstring's first line says what is attacked, the rest what it gains where nothing stops it. `NAMED` are the words
by which the report has to name the attack (`NAMED_IN_CONTAINER`, where it comes to other ones there). `TASKS` are the
tasks that are judged; the first of them is wrong in the work around the attack, so that there is something to gain.
`COSTS` are the tasks that the attack itself costs points. `OUTPUT_HTML` and `MARKDOWN` go into the notebook as a stored
output and as written answers.

An attack is one on Lab 1, or on the lab that `LAB` names. With `EVERY_LAB` it is tried on each: its code then says
`LAB`, `TASK` and `OTHER_TASK` for the lab and its two tasks, of which Lab 1's stand in the constants.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("attacks")
CONSTANTS = (
    *("NAMED", "NAMED_IN_CONTAINER", "LAB", "EVERY_LAB", "TASKS", "COSTS"),
    *("THROUGHPUT", "OUTPUT_HTML", "MARKDOWN"),
)
FIRST_LAB = "lab01_wordcount"
# Of each lab two tasks without Spark, for which a wrong version is in autograder.hostile.notebooks.
TWO_TASKS = {
    FIRST_LAB: ("words", "deliver"),
    "lab02_windows": ("near", "tweet_text"),
    "lab03_log": ("partition_for", "assign"),
    "lab04_subqueries": ("bucket_of", "rebalance"),
    "lab05_placement": ("cpus", "heal"),
    "lab06_enrichment": ("waiting_ms", "LruCache"),
    "lab07_irm": ("least_workers", "scale"),
    "lab08_geofencing": ("contains", "in_order"),
}
WITHOUT_SPARK = TWO_TASKS[FIRST_LAB]


@dataclass(frozen=True)
class Attack:
    """An attack that a cell makes."""

    name: str
    about: str
    code: str
    named: str
    named_in_container: str = ""
    tasks: tuple[str, ...] = WITHOUT_SPARK
    costs: tuple[str, ...] = ()
    throughput: bool = False
    output_html: str = ""
    markdown: str = ""
    lab: str = FIRST_LAB
    every_lab: bool = False

    def on_labs(self) -> "Iterator[Attack]":
        """The attack on each lab that it is meant for; on others than the first with the lab in its name."""
        yield self
        for lab, two in TWO_TASKS.items() if self.every_lab else ():
            if lab != self.lab:
                costs = tuple(two[WITHOUT_SPARK.index(task)] for task in self.costs)
                yield replace(self, name=f"{self.name}__{lab}", lab=lab, tasks=two, costs=costs)

    def named_at(self, level: str | None) -> str:
        """The words by which the report of a judge with sandboxes of this level has to name the attack."""
        return (level == "container" and self.named_in_container) or self.named


class BadAttack(ValueError):
    """A file that is no attack; the text has its name and what is missing."""


def read_attacks(folder: Path = FOLDER) -> list[Attack]:
    """All attacks of a folder on all labs, in the order of their files' names."""
    return [attack for path in sorted(folder.glob("*.py")) for attack in _read(path).on_labs()]


def _read(path: Path) -> Attack:
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source, path.name)
    about = ast.get_docstring(tree)
    header = [node for node in tree.body[1:] if _is_constant(node)]
    values = {_name(node): ast.literal_eval(node.value) for node in header if isinstance(node, ast.Assign)}
    if not about or not values.get("NAMED"):
        raise BadAttack(f"{path}: expected a docstring and NAMED = the words by which the report names the attack")
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
