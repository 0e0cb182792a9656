"""Splits the cells of a notebook into the units that a package is made of, with the names that each defines and uses.

A task's cell is one unit, as the learner wrote it. Of all other cells, each statement at the top level is one, and
of an import each name: a package then gets neither a notebook's Spark session nor its plots.
"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from autograder.judge.needed_cells import names_defined, names_from_other_cells, symbols_of
from streamlab.notebooks.labfile import LabCell
from streamlab.notebooks.recognition import runs


@dataclass(frozen=True)
class Unit:
    """A piece of code. `task` is the name of the task whose cell it is; `imports` is (module, name) of an import."""

    source: str
    defines: frozenset[str]
    uses: frozenset[str]
    task: str | None = None
    imports: tuple[str, str] | None = None


def units_of(cells: Iterable[LabCell]) -> list[Unit]:
    """Return the units of the cells that define names, in order; one that is not plain Python has none."""
    return [unit for cell in cells if runs(cell) for unit in _units(cell)]


def _units(cell: LabCell) -> list[Unit]:
    try:
        tree = ast.parse(cell.source)
        if any(isinstance(each, ast.ImportFrom) and each.module == "__future__" for each in tree.body):
            return []
        if cell.role == "task":
            return [_unit(cell.source, cell.name)]
        return [unit for statement in tree.body for unit in _units_of_statement(cell.source, statement)]
    except (SyntaxError, ValueError):  # such as %time, or await at the top level
        return []


def _units_of_statement(source: str, statement: ast.stmt) -> Iterator[Unit]:
    if isinstance(statement, ast.Import | ast.ImportFrom):
        yield from _imports(statement)
    else:
        yield _statement(source, statement)


def _imports(statement: ast.Import | ast.ImportFrom) -> Iterator[Unit]:
    module = "." * statement.level + (statement.module or "") if isinstance(statement, ast.ImportFrom) else ""
    for each in statement.names:
        name = f"{each.name} as {each.asname}" if each.asname else each.name
        bound = each.asname or each.name.partition(".")[0]
        yield Unit("", frozenset({bound}), frozenset(), imports=(module, name))


def _statement(source: str, statement: ast.stmt) -> Unit:
    """Return the unit of one statement; `KNOWN[key] = 1` counts as a definition of KNOWN."""
    unit = _unit(_text_of(source, statement), None)
    changed = {name for target in getattr(statement, "targets", []) if (name := _root(target))}
    return Unit(unit.source, unit.defines | changed, unit.uses | changed)


def _text_of(source: str, statement: ast.stmt) -> str:
    """Return a statement with its decorators and the comment at its end, without others of the same line."""
    lines, end = source.split("\n"), statement.end_lineno or statement.lineno
    first = min([statement.lineno, *(each.lineno for each in getattr(statement, "decorator_list", []))])
    text = "\n".join([*lines[first - 1 : statement.lineno - 1], ast.get_source_segment(source, statement) or ""])
    rest = lines[end - 1].encode()[statement.end_col_offset :].decode()
    return text + rest if rest.lstrip().startswith("#") else text


def _root(target: ast.expr) -> str:
    """Return the name of the object of which a target is a part. Example: `a.b[1]` -> "a"."""
    while isinstance(target, ast.Subscript | ast.Attribute):
        target = target.value
    return target.id if isinstance(target, ast.Name) else ""


def _unit(source: str, task: str | None) -> Unit:
    cell = LabCell("code", source)
    return Unit(source, frozenset(names_defined(symbols_of(cell))), frozenset(names_from_other_cells(cell)), task)
