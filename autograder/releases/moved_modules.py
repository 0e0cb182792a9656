"""Finds imports of modules that have moved since an older release; `moved_modules.yml` lists the moves.

A learner's own cell is not rewritten: only the learner knows whether a name in it is the kit's.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import yaml

from streamlab.notebooks.magics import parsed

TABLE = Path(__file__).with_suffix(".yml")


def moved_imports(source: str) -> dict[str, str]:
    """Return the imported names of a cell that have moved, each with its new name, wherever the cell imports them.

    Example: moved_imports("import streamlab.geo.plane") ->
    {"streamlab.geo.plane": "streamlab.lab08_geofencing.geo.plane"}
    """
    try:
        tree = parsed(source)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    found = [(name, new_name(name)) for node in ast.walk(tree) for name in _imported(node)]
    return {old: new for old, new in found if new}


def new_name(name: str) -> str | None:
    """Return the new name of a module, or of something in it; None if it has not moved."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        if new := moves().get(".".join(parts[:length])):
            return ".".join([new, *parts[length:]])
    return None


@cache
def moves() -> dict[str, str]:
    """Return the old names of modules and packages, each with its new name."""
    table: dict[str, str] = yaml.safe_load(TABLE.read_text(encoding="utf-8"))
    return table


def _imported(node: ast.AST) -> Iterator[str]:
    """Yield what a statement imports; for `from a import b`, a.b if it has moved alone or a has not, otherwise a."""
    if isinstance(node, ast.Import):
        yield from (each.name for each in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
        for name in (f"{node.module}.{each.name}" for each in node.names):
            yield node.module if name not in moves() and new_name(node.module) else name
