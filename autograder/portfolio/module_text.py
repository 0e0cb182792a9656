"""Writes the text of a lab's module: imports, then given code and the learner's tasks, in the notebook's order."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from autograder.portfolio.selection import Module
from autograder.portfolio.units import Unit

LINE_CHARS = 88


def module_text(title: str, module: Module, units: Sequence[Unit]) -> str:
    """Return the text of the module of the lab with this title."""
    used = [units[at] for at in sorted(module.units)]
    imports = list(dict.fromkeys(unit.imports for unit in used if unit.imports))
    own = [(f".{lab}", name) for lab, name in sorted(module.earlier)]
    parts = [f'"""{title}."""', "\n".join(import_lines([*imports, *own]))]
    parts += [unit.source.strip("\n") for unit in used if not unit.imports]
    return "\n\n\n".join(filter(None, parts)) + "\n"


def import_lines(imports: Iterable[tuple[str, str]]) -> list[str]:
    """Return the lines of imports given as (module, name); without a module, `import name`.

    Example: import_lines([("", "re"), ("operator", "add"), ("operator", "sub")])
        -> ["import re", "from operator import add, sub"]
    """
    lines = []
    for module, of_module in groupby(sorted(imports, key=lambda each: _place(each[0])), key=lambda each: each[0]):
        names = sorted({name for _, name in of_module})
        lines += [_from(module, names)] if module else [f"import {name}" for name in names]
    return lines


def _place(module: str) -> tuple[int, str]:
    """Return the place of a module among imports: Python's and others' first, then the kit's and the package's."""
    own = 2 if module.startswith(".") else 1 if module.startswith("streamlab") else 0
    return own, module


def _from(module: str, names: Sequence[str]) -> str:
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= LINE_CHARS:
        return line
    return "\n".join([f"from {module} import (", *(f"    {name}," for name in names), ")"])
