"""Find the tasks that a variant can change: its own, and those that use its definitions. Code is parsed, never run."""

import ast
from collections.abc import Collection

from streamlab.notebooks.labfile import LabCell
from streamlab.notebooks.loader import RUN_ON_LOADING


class Reach:
    """The tasks of a lab that some code can change when it follows the reference's `cells`."""

    def __init__(self, cells: list[LabCell]) -> None:
        trees = [ast.parse(cell.source) for cell in cells if cell.kind == "code" and cell.role in RUN_ON_LOADING]
        self._tasks = [cell.name for cell in cells if cell.role == "task" and cell.name]
        self._imported = {each for tree in trees for each in _imports(tree)}
        self._known = [(_defined(tree), used_names(tree)) for tree in trees]

    def names(self, code: str) -> frozenset[str]:
        """Return the names that this code defines or redefines."""
        return _defined(ast.parse(code), self._imported)

    def tasks(self, names: Collection[str]) -> list[str]:
        """Return the tasks of these names and those whose cells use one of them, in the order of the lab.

        A cell may use a name indirectly, through a helper in another cell. For any other task, all checks give the
        same verdict as for the reference.
        """
        reached = frozenset(names)
        while True:
            further = reached.union(*(defined for defined, used in self._known if used & reached))
            if further == reached:
                return [task for task in self._tasks if task in reached]
            reached = further


def used_names(tree: ast.AST) -> frozenset[str]:
    """Return the names that the code reads."""
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    return frozenset(node.id for node in names)


def _defined(tree: ast.Module, imported: Collection[str] = ()) -> frozenset[str]:
    """Return the names that this code defines or redefines, except for imports that are in `imported`, too."""
    names = {name for each, name in _imports(tree).items() if each not in imported}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        else:
            stored = (each for each in ast.walk(node) if isinstance(each, ast.Name))
            names.update(each.id for each in stored if isinstance(each.ctx, ast.Store))
    return frozenset(names)


def _imports(tree: ast.Module) -> dict[str, str]:
    """Return each top-level import, one name a statement, with the name it binds: {"from re import sub as s": "s"}."""
    bound = {}
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            for each in node.names:
                one = ast.ImportFrom(node.module, [each], node.level) if isinstance(node, ast.ImportFrom) else None
                bound[ast.unparse(one or ast.Import([each]))] = (each.asname or each.name).partition(".")[0]
    return bound
