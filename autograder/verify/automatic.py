"""Automatic mutants: cosmic-ray's operators on the solution of a task, each a change at one place.

Only code that computes is changed: no annotations, no docstrings, no texts of errors that are raised.
"""

import ast
import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

from streamlab.notebooks.labfile import LabCell

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
# Left out: the two that put random variables and numbers in need arguments for each place; and `is` in the place of a
# comparison of values depends on which objects Python shares, so it is `==` or an accident.
LEFT_OUT = re.compile(r"Variable(Replacer|Inserter)|ReplaceComparisonOperator_(?!Is)\w+?_Is(Not)?$")

Backend = tuple[int, int]  # line from 1, column from 0, in characters


@dataclass(frozen=True)
class Automatic:
    """A task's cell with one change: the line before and after, blanks put together, and the whole cell."""

    task: str
    operator: str
    before: str
    after: str
    code: str

    @property
    def change(self) -> tuple[str, str, str]:
        """What it is listed by."""
        return self.task, self.before, self.after


def automatic_mutants(cell: LabCell) -> list[Automatic]:
    """All different mutants of the solution in a task's cell, in the order of their operators."""
    made: dict[str, Automatic] = {ast.dump(ast.parse(cell.source)): Automatic("", "", "", "", "")}
    for operator, occurrence in _places(cell.source):
        code = mutate_code(cell.source, get_operator(operator)(), occurrence)
        form = _form(code)
        if code is not None and form is not None and form not in made:
            made[form] = Automatic(cell.name or "", operator.partition("/")[2], *_change(cell.source, code), code)
    return [each for each in made.values() if each.task]


def as_line(text: str) -> str:
    """Lines as a change is listed: blanks put together, none at the ends."""
    return " ".join(text.split())


@cache
def _operators() -> list[tuple[str, Any]]:
    return [(name, get_operator(name)()) for name in sorted(operator_names()) if not LEFT_OUT.search(name)]


def _places(source: str) -> Iterator[tuple[str, int]]:
    """(operator, number of the place) for each place that may be changed; numbered as `mutate_code` does."""
    nodes, may_change = list(ast_nodes(get_ast(source))), _Changeable(source)
    for name, operator in _operators():
        positions = (position for node in nodes for position in operator.mutation_positions(node))
        for number, (start, _) in enumerate(positions):
            if may_change.holds(start):
                yield name, number


class _Changeable:
    """Which places of a cell compute something."""

    def __init__(self, source: str) -> None:
        self._lines = source.splitlines()
        marked = [number for number, line in enumerate(self._lines, 1) if line.strip() in (BEGIN, END)]
        self._solutions = list(zip(marked[::2], marked[1::2], strict=True))
        self._fixed = [self._span(node) for node in _fixed_nodes(ast.parse(source))]

    def holds(self, place: Backend) -> bool:
        """Whether a change may begin here."""
        in_solution = any(begin < place[0] < end for begin, end in self._solutions)
        return in_solution and not any(start <= place < end for start, end in self._fixed)

    def _span(self, node: Any) -> tuple[Backend, Backend]:
        return self._place(node.lineno, node.col_offset), self._place(node.end_lineno, node.end_col_offset)

    def _place(self, line: int, column_bytes: int) -> Backend:
        return line, len(self._lines[line - 1].encode()[:column_bytes].decode())


def _fixed_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Annotations, docstrings, and what an error that is raised is made of."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation:
            yield node.annotation
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns:
            yield node.returns
        elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            yield from (*node.exc.args, *(each.value for each in node.exc.keywords))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node


def _form(code: str | None) -> str | None:
    """The code without its blanks; None where it is no Python."""
    try:
        return ast.dump(ast.parse(code or ""))
    except SyntaxError:
        return None


def _change(before: str, after: str) -> tuple[str, str]:
    old, new = before.splitlines(), after.splitlines()
    changes = [
        each for each in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if each[0] != "equal"
    ]
    first, last = changes[0], changes[-1]
    return as_line("\n".join(old[first[1] : last[2]])), as_line("\n".join(new[first[3] : last[4]]))
