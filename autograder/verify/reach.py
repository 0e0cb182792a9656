"""What a variant can change: its own task, and those that use what it defines. Pure: code is parsed, never run."""

import ast
from collections.abc import Collection

from streamlab.notebooks.labfile import LabCell
from streamlab.notebooks.loader import RUN_ON_LOADING


class Reach:
    """Which tasks of a lab some code can change when it follows the reference's `cells`."""

    def __init__(self, cells: list[LabCell]) -> None:
        trees = [ast.parse(cell.source) for cell in cells if cell.kind == "code" and cell.role in RUN_ON_LOADING]
        self._tasks = [cell.name for cell in cells if cell.role == "task" and cell.name]
        self._imported = {each for tree in trees for each in _imports(tree)}
        self._known = [(_defined(tree), used_names(tree)) for tree in trees]

    def names(self, code: str) -> frozenset[str]:
        """The names that stand for something else after this code."""
        return _defined(ast.parse(code), self._imported)

    def tasks(self, names: Collection[str]) -> list[str]:
        """The tasks of these names, and those whose cells use one of them, in the order of the lab.

        Also by way of a helper in a cell between them. Of any other task no check can tell more than of the reference.
        """
        reached = frozenset(names)
        while True:
            further = reached.union(*(defined for defined, used in self._known if used & reached))
            if further == reached:
                return [task for task in self._tasks if task in reached]
            reached = further


def used_names(tree: ast.AST) -> frozenset[str]:
    """The names that the code reads."""
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    return frozenset(node.id for node in names)


def _defined(tree: ast.Module, imported: Collection[str] = ()) -> frozenset[str]:
    """Names that stand for something else after this code; what it imports just as `imported` says stays the same."""
    names = {name for each, name in _imports(tree).items() if each not in imported}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        else:
            stored = (each for each in ast.walk(node) if isinstance(each, ast.Name))
            names.update(each.id for each in stored if isinstance(each.ctx, ast.Store))
    return frozenset(names)


def _imports(tree: ast.Module) -> dict[str, str]:
    """Each import at the top, one name a statement, and the name that it gives: {"from re import sub as s": "s"}."""
    given = {}
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            for each in node.names:
                one = ast.ImportFrom(node.module, [each], node.level) if isinstance(node, ast.ImportFrom) else None
                given[ast.unparse(one or ast.Import([each]))] = (each.asname or each.name).partition(".")[0]
    return given
