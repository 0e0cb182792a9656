"""Finds the changes in a notebook since it was last judged, and the changes in its verdicts, for `./lab watch`.

A task's digest covers its own cell and, transitively, every cell that defines a name it uses.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.judge.needed_cells import needed_cells, symbols_of
from autograder.judge.results import with_newer
from streamlab.notebooks.labfile import LabCell, read_lab

Results = dict[str, Any]


@dataclass(frozen=True)
class News:
    """Changed checks as (task, title): those that pass now and failed before, and the other way round."""

    passing: list[tuple[str, str]] = field(default_factory=list)
    failing: list[tuple[str, str]] = field(default_factory=list)


def task_digests(notebook: Path, tasks: Iterable[str]) -> dict[str, str]:
    """Return a digest for each task of the notebook; raises `UnreadableLab`.

    A cell that is not valid Python counts only for its own task, so that a half-typed line elsewhere changes nothing.
    """
    cells = [cell for cell in read_lab(notebook).cells if cell.kind == "code" and cell.role not in ("show", "check")]
    valid = [cell for cell in cells if _is_python(cell)]
    return {task: _digest(task, cells, valid) for task in tasks}


def _digest(task: str, cells: list[LabCell], valid: list[LabCell]) -> str:
    own = [cell for cell in cells if cell.name == task and cell not in valid]
    sources = [cell.source for cell in [*needed_cells(valid, task, roles=("given", "task", None)), *own]]
    return hashlib.sha256("\0".join(sources).encode()).hexdigest()


def _is_python(cell: LabCell) -> bool:
    try:
        symbols_of(cell)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True


def merged(before: Results, after: Results) -> Results:
    """Return the results of the whole lab, with the results of rejudged tasks in place of the old ones."""
    old, new = before["streamlab"], after["streamlab"]
    rejudged = {each["task"] for each in new["checks"]}
    results = with_newer(before, after, lambda name: name.partition("/")[0] in rejudged)
    limits_hit = [each for each in old["limits_hit"] if not _is_about(each, rejudged)] + new["limits_hit"]
    digests = {**old["digests"], "tasks": {**old["digests"]["tasks"], **new["digests"]["tasks"]}}
    of_all = {key: new[key] for key in ("notes", "fallbacks", "timing")}
    results["streamlab"] |= {**of_all, "limits_hit": limits_hit, "digests": digests}
    return results


def _is_about(sentence: str, tasks: Collection[str]) -> bool:
    """Return whether a sentence such as "near: no answer within 60 s" is about one of the tasks."""
    return sentence.partition(":")[0].partition("/")[0] in tasks


def news(before: Results, after: Results) -> News:
    """Return the checks that pass now and failed before, and the other way round."""
    old, new = _passes(before), _passes(after)
    titles = {(each["task"], each["check"]): each["title"] for each in after["streamlab"]["checks"]}
    changed = [key for key in new if key in old and old[key] != new[key]]
    return News(
        passing=[(key[0], titles[key]) for key in changed if new[key]],
        failing=[(key[0], titles[key]) for key in changed if not new[key]],
    )


def _passes(results: Mapping[str, Any]) -> dict[tuple[str, str], bool]:
    return {(each["task"], each["check"]): each["verdict"] == "pass" for each in results["streamlab"]["checks"]}
