"""Mutants and alternatives of a lab: the reference with one task replaced.

A file is a docstring (what is wrong, or how it is done), for a mutant `KILLED_BY` (the checks and throughput checks
that must not give it full marks, all of them), and definitions that take the place of the reference's.
"""

import ast
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from streamlab.notebooks.labfile import LabCell
from streamlab.notebooks.loader import RUN_ON_LOADING


@dataclass(frozen=True)
class Variant:
    """One file of mutants/ or alternatives/."""

    task: str
    name: str
    about: str
    killed_by: frozenset[str]
    code: str


class BadVariant(ValueError):
    """A file that is no variant; the text has its name and what is missing."""


def read_variants(folder: Path) -> list[Variant]:
    """All variants of a folder, in the order of their names."""
    return [_read(path) for path in sorted(folder.glob("*.py")) if path.name != "__init__.py"]


def _read(path: Path) -> Variant:
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source, path.name)
    about = ast.get_docstring(tree)
    task, _, rest = path.stem.partition("__")
    if not about or not rest:
        raise BadVariant(f"{path}: expected a file TASK__what.py that opens with a docstring")
    killed_by = _killed_by(tree)
    if path.parent.name == "mutants" and not killed_by:
        raise BadVariant(f"{path}: a mutant says KILLED_BY = [the checks that must catch it]")
    return Variant(task, path.stem, about.splitlines()[0], frozenset(killed_by), source)


def _killed_by(tree: ast.Module) -> list[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "KILLED_BY":
            return [str(name) for name in ast.literal_eval(node.value)]
    return []


def rounds_of(variants: list[Variant]) -> list[list[Variant]]:
    """Variants in rounds, at most one of each task in a round: tasks are judged apart, so these can ride together.

    Example: rounds_of([words_a, words_b, deliver_a]) -> [[words_a, deliver_a], [words_b]]
    """
    rounds: list[list[Variant]] = []
    for variant in variants:
        free = next((each for each in rounds if all(other.task != variant.task for other in each)), None)
        if free is None:
            rounds.append([variant])
        else:
            free.append(variant)
    return rounds


def tasks_reached(variants: list[Variant], cells: list[LabCell]) -> frozenset[str]:
    """The tasks that these variants can change: their own, and those whose cells use a name that they define.

    Also by way of a helper in a cell between them. Of any other task no check can tell more than of the reference.
    """
    trees = [ast.parse(cell.source) for cell in cells if cell.kind == "code" and cell.role in RUN_ON_LOADING]
    imported = {each for tree in trees for each in _imports(tree)}
    known = [(_defined(tree), _used(tree)) for tree in trees]
    reached = frozenset[str]().union(*(_defined(ast.parse(each.code), imported) for each in variants))
    while True:
        further = reached.union(*(defined for defined, used in known if used & reached))
        if further == reached:
            break
        reached = further
    return frozenset(cell.name for cell in cells if cell.role == "task" and cell.name in reached)


def _used(tree: ast.Module) -> frozenset[str]:
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    return frozenset(node.id for node in names)


def _defined(tree: ast.Module, imported: Collection[str] = ()) -> frozenset[str]:
    """Names that stand for something else after this code; what it imports just as `imported` says stays the same."""
    names = {name for each, name in _imports(tree).items() if each not in imported}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
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


def written_out(variants: list[Variant], reference: Path, folder: Path) -> Path:
    """A percent source that is the reference with the definitions of some variants after it."""
    more = f"_and_{len(variants) - 1}_more" if len(variants) > 1 else ""
    path = folder / f"{variants[0].name}{more}.py"
    own = "".join(f"\n\n# %%\n{variant.code}" for variant in variants)
    path.write_text(reference.read_text(encoding="utf-8") + own, encoding="utf-8")
    return path
