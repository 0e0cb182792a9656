"""Selects the cells of a reference that one task needs: its own, and those that define names that these cells use.

If a submission falls back to the reference for a task, a sandbox gets only these cells: a few tasks have to be in the
submission's, where the learner's code can read and reveal everything (autograder.judge.chain).
"""

import ast
import symtable
from collections.abc import Container
from pathlib import Path

from streamlab.notebooks.labfile import LabCell, reference_cells
from streamlab.notebooks.magics import parsed

LOADED = ("given", "task")


def reference_for(root: Path, lab: str, task: str) -> list[LabCell]:
    """Return the cells of the kit's solution that `task` needs; empty in a student's kit, which has no solutions."""
    return needed_cells(reference_cells(root, lab), task)


def needed_cells(cells: list[LabCell], task: str, roles: Container[str | None] = LOADED) -> list[LabCell]:
    """Return the cells that define `task` and, recursively, the names that they use, in their original order.

    Considers only cells with one of these `roles`. Raises SyntaxError if one of them is not valid Python.

    Example: of cells that define `words` (with `re`), `re`, and `count_words` (with `words`), "words" needs two.
    """
    loaded = [cell for cell in cells if cell.kind == "code" and cell.role in roles]
    scopes = [symbols_of(cell) for cell in loaded]
    wanted, needed = {task}, set[int]()
    while found := {at for at, scope in enumerate(scopes) if at not in needed and wanted & names_defined(scope)}:
        needed |= found
        wanted |= {name for at in found for name in _used(scopes[at])}
    return [loaded[at] for at in sorted(needed)]


def names_from_other_cells(cell: LabCell) -> set[str]:
    """Return the names that a cell uses and does not define; raises SyntaxError or ValueError."""
    scope = symbols_of(cell)
    return _used(scope) - names_defined(scope)


def symbols_of(cell: LabCell) -> symtable.SymbolTable:
    """Return the symbol table of a cell, which may contain magics; raises SyntaxError or ValueError."""
    try:
        return symtable.symtable(cell.source, cell.label, "exec")
    except SyntaxError:
        return symtable.symtable(ast.unparse(parsed(cell.source)), cell.label, "exec")


def names_defined(module: symtable.SymbolTable) -> set[str]:
    """Return the names that a cell binds in the module, without those local to a function or a class."""
    return {each.get_name() for each in module.get_symbols() if each.is_assigned() or each.is_imported()}


def _used(scope: symtable.SymbolTable) -> set[str]:
    """Return the names that a cell, with all its functions and classes, takes from the module."""
    top = scope.get_type() == "module"
    own = {each.get_name() for each in scope.get_symbols() if each.is_referenced() and (top or each.is_global())}
    return own.union(*(_used(inner) for inner in scope.get_children()))
