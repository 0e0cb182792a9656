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


def written_out(variants: list[Variant], reference: Path, folder: Path) -> Path:
    """A percent source that is the reference with the definitions of some variants after it."""
    more = f"_and_{len(variants) - 1}_more" if len(variants) > 1 else ""
    path = folder / f"{variants[0].name}{more}.py"
    own = "".join(f"\n\n# %%\n{variant.code}" for variant in variants)
    path.write_text(reference.read_text(encoding="utf-8") + own, encoding="utf-8")
    return path
