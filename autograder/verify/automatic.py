"""Automatic mutants: cosmic-ray's operators applied to the solution of a task, each with one change.

Only code that computes is changed, not annotations, docstrings or error messages.
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
# Left out: the two operators that insert variables need arguments for each place. `is` for a comparison of values
# depends on which objects Python shares, so the mutant either equals `==` or fails by accident.
LEFT_OUT = re.compile(r"Variable(Replacer|Inserter)|ReplaceComparisonOperator_(?!Is)\w+?_Is(Not)?$")

Position = tuple[int, int]  # line from 1, column from 0, in characters


@dataclass(frozen=True)
class Automatic:
    """A task's cell with one change: the line before and after, with whitespace collapsed, and the whole cell."""

    task: str
    operator: str
    before: str
    after: str
    code: str

    @property
    def change(self) -> tuple[str, str, str]:
        """The key by which a survivor lists this mutant."""
        return self.task, self.before, self.after


def automatic_mutants(cell: LabCell) -> list[Automatic]:
    """Return all distinct mutants of the solution in a task's cell, in the order of their operators."""
    mutants: dict[str, Automatic] = {ast.dump(ast.parse(cell.source)): Automatic("", "", "", "", "")}
    for operator, occurrence in _places(cell.source):
        code = mutate_code(cell.source, get_operator(operator)(), occurrence)
        form = _form(code)
        if code is not None and form is not None and form not in mutants:
            mutants[form] = Automatic(cell.name or "", operator.partition("/")[2], *_change(cell.source, code), code)
    return [each for each in mutants.values() if each.task]


def as_line(text: str) -> str:
    """Return lines as one, with whitespace collapsed and none at the ends; changes are listed in this form."""
    return " ".join(text.split())


@cache
def _operators() -> list[tuple[str, Any]]:
    return [(name, get_operator(name)()) for name in sorted(operator_names()) if not LEFT_OUT.search(name)]


def _places(source: str) -> Iterator[tuple[str, int]]:
    """Yield (operator, number of the place) for each place that may be changed, numbered as in `mutate_code`."""
    nodes, may_change = list(ast_nodes(get_ast(source))), _Changeable(source)
    for name, operator in _operators():
        positions = (position for node in nodes for position in operator.mutation_positions(node))
        for number, (start, _) in enumerate(positions):
            if may_change.holds(start):
                yield name, number


class _Changeable:
    """The places of a cell that compute something, and so may be mutated."""

    def __init__(self, source: str) -> None:
        self._lines = source.splitlines()
        marked = [number for number, line in enumerate(self._lines, 1) if line.strip() in (BEGIN, END)]
        self._solutions = list(zip(marked[::2], marked[1::2], strict=True))
        self._fixed = [self._span(node) for node in _fixed_nodes(ast.parse(source))]

    def holds(self, place: Position) -> bool:
        """Return whether a change may begin here."""
        in_solution = any(begin < place[0] < end for begin, end in self._solutions)
        return in_solution and not any(start <= place < end for start, end in self._fixed)

    def _span(self, node: Any) -> tuple[Position, Position]:
        return self._place(node.lineno, node.col_offset), self._place(node.end_lineno, node.end_col_offset)

    def _place(self, line: int, column_bytes: int) -> Position:
        return line, len(self._lines[line - 1].encode()[:column_bytes].decode())


def _fixed_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield annotations, docstrings, and the arguments of errors that are raised."""
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
    """Return a form of the code that ignores layout; None if it is not valid Python."""
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
