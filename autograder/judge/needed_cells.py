"""The cells of a reference that one task needs: its own, and those that define a name which a needed cell uses.

A submission that falls back to the reference for a task gets these and nothing else of it: what lies in a sandbox, the
learner's code there can read and carry out.
"""

import symtable
from collections.abc import Container
from pathlib import Path

from streamlab.notebooks.labfile import LabCell, reference_cells

LOADED = ("given", "task")


def reference_for(root: Path, lab: str, task: str) -> list[LabCell]:
    """The cells of the kit's own solution that `task` needs; none in a student's kit, which has no solutions."""
    return needed_cells(reference_cells(root, lab), task)


def needed_cells(cells: list[LabCell], task: str, roles: Container[str | None] = LOADED) -> list[LabCell]:
    """The cells that define `task` and, step by step, the names that those use, in their order.

    Only cells of these `roles` are looked at; raises SyntaxError if one of them is no Python.

    Example: of cells that define `words` (with `re`), `re`, and `count_words` (with `words`), "words" needs two.
    """
    loaded = [cell for cell in cells if cell.kind == "code" and cell.role in roles]
    scopes = [symtable.symtable(cell.source, cell.label, "exec") for cell in loaded]
    wanted, needed = {task}, set[int]()
    while found := {at for at, scope in enumerate(scopes) if at not in needed and wanted & _defined(scope)}:
        needed |= found
        wanted |= {name for at in found for name in _used(scopes[at])}
    return [loaded[at] for at in sorted(needed)]


def _defined(module: symtable.SymbolTable) -> set[str]:
    """The names that a cell binds in the module: not those local to a function or a class."""
    return {each.get_name() for each in module.get_symbols() if each.is_assigned() or each.is_imported()}


def _used(scope: symtable.SymbolTable) -> set[str]:
    """The names that a cell takes from the module, in whichever of its functions and classes."""
    top = scope.get_type() == "module"
    own = {each.get_name() for each in scope.get_symbols() if each.is_referenced() and (top or each.is_global())}
    return own.union(*(_used(inner) for inner in scope.get_children()))
