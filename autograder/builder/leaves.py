"""Checks that bonus tasks come last and are leaves: nothing else in this lab or a later one uses them.

Whoever skips a bonus task must lose nothing else. Looks at the cells of the labs' sources, and at what the drives take
from the learner's functions: `stage.NAME`, `earlier("LAB").NAME`.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from autograder.builder.source import read_source
from autograder.course import Course, Lab
from autograder.judge.needed_cells import names_from_other_cells
from streamlab.notebooks.labfile import LabCell
from streamlab.notebooks.magics import parsed

Use = tuple[str, str | None]  # a name, and the task (None: unknown) that uses it


def broken_leaves(root: Path, course: Course) -> list[str]:
    """Return a sentence for each use of a bonus task elsewhere, and for each that does not come last, sorted.

    Example: ["lab01_small: bonus task double is used by task halve; only leaves can be bonus"]
    """
    uses = {lab: {*_in_cells(root, part, lab), *_in_drives(root, lab)} for lab, part in course.labs.items()}
    found = set[str]()
    for name, lab in course.labs.items():
        found |= {f"{name}: task {task} must come before the bonus tasks" for task in _after_bonus(root, lab, name)}
        for task in (each for each, entry in lab.tasks.items() if entry.bonus):
            allowed = {task, lab.tasks[task].step_of}
            later = [each for each in course.labs if name in course.with_earlier(each)]
            users = {(each, user) for each in later for used, user in uses[each] if used == task}
            found |= {_sentence(name, task, each, user) for each, user in users if user is None or user not in allowed}
    return sorted(found)


def _after_bonus(root: Path, lab: Lab, name: str) -> list[str]:
    tasks = [cell.name or "" for cell in read_source(root, name) if cell.role == "task"]
    first = next((at for at, task in enumerate(tasks) if task not in lab.core), len(tasks))
    return [task for task in tasks[first:] if task in lab.core]


def _sentence(lab: str, task: str, user_lab: str, user: str | None) -> str:
    where = f" of {user_lab}" if user_lab != lab else ""
    by = f"task {user}" if user else "a given cell, a shown cell or a drive"
    return f"{lab}: bonus task {task} is used by {by}{where}; only leaves can be bonus"


def _in_cells(root: Path, lab: Lab, name: str) -> Iterator[Use]:
    """Yield the uses in cells; in the part of the bonus tasks, at the end, a shown cell may use them."""
    in_bonus_part = False
    for cell in read_source(root, name):
        in_bonus_part |= cell.role == "task" and cell.name not in lab.core
        if cell.kind == "code" and not (cell.role == "show" and in_bonus_part):
            user = cell.name if cell.role in ("task", "check") else None
            yield from ((used, user) for used in _names(cell))


def _names(cell: LabCell) -> set[str]:
    try:
        return names_from_other_cells(cell) | _taken_from(parsed(cell.source), {"stage"})
    except (SyntaxError, ValueError):
        return set()  # `broken_rules` reports it


def _in_drives(root: Path, lab: str) -> Iterator[Use]:
    """Yield the uses of each group's drives; a helper counts for the group's task if the group has only one."""
    for folder in sorted((root / "autograder/stages" / lab).glob("*/")):
        modules = [ast.parse(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("drive*.py"))]
        functions = [each for module in modules for each in module.body if isinstance(each, ast.FunctionDef)]
        driven = {task for each in functions if (task := _driven(each))}
        only = driven.pop() if len(driven) == 1 else None
        for function in functions:
            yield from ((name, _driven(function) or only) for name in _taken_from(function, {"stage", "_stage"}))


def _driven(function: ast.FunctionDef) -> str | None:
    """Return the task of a drive, without ".throughput"; None if the function is no drive."""
    for each in function.decorator_list:
        if isinstance(each, ast.Call) and ast.unparse(each.func) == "drive" and isinstance(each.args[0], ast.Constant):
            return str(each.args[0].value).partition(".")[0]
    return None


def _taken_from(tree: ast.AST, sources: set[str]) -> set[str]:
    """Return the attributes taken from these names, or from what a call of them returns."""
    return {
        each.attr
        for each in ast.walk(tree)
        if isinstance(each, ast.Attribute) and _root(each.value) in {*sources, "earlier"}
    }


def _root(value: ast.expr) -> str:
    inner = value.func if isinstance(value, ast.Call) else value
    return inner.id if isinstance(inner, ast.Name) else ""
