"""Mutants and alternatives of a lab: the reference with one task replaced.

A file is a docstring (what is wrong, or how it is done), for a mutant `KILLED_BY` (the checks and races that
must not give it full marks, all of them), and definitions that take the place of the reference's.
"""

import ast
from dataclasses import dataclass
from pathlib import Path


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


def written_out(variant: Variant, reference: Path, folder: Path) -> Path:
    """A percent source that is the reference with the variant's definitions after it."""
    path = folder / f"{variant.name}.py"
    text = reference.read_text(encoding="utf-8")
    path.write_text(f"{text}\n\n# %%\n{variant.code}", encoding="utf-8")
    return path
