"""Reduce a Python file to what it does, so that better wording makes no verification out of date.

Comments, docstrings and layout do not count. A percent source (its cells are marked by comments) counts byte for byte,
as does every file that is not Python. The form is the same for Python 3.11 to 3.13, unlike that of `ast.dump`.

`python -m autograder.verify.code_digest PATH…` prints one digest of all files at and below the paths.
"""

import ast
import hashlib
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from autograder.judge.rests_on import digest_of_files

CELL_MARK = "# %%"
WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
LEFT_OUT = ("__pycache__", "verified.json")


def code_of(path: Path) -> bytes:
    """Return what counts of a file: the syntax tree of Python code without docstrings, any other file as it is."""
    content = path.read_bytes()
    return content if path.suffix != ".py" or CELL_MARK.encode() in content else _code_in(content)


@cache  # most files belong to every lab
def _code_in(content: bytes) -> bytes:
    try:
        code = repr(_plain(ast.parse(content)))
    except SyntaxError:
        return content
    return hashlib.sha256(code.encode()).digest()


def _plain(node: Any) -> Any:
    """Return a node as nested tuples, without positions and without fields that are empty."""
    if isinstance(node, list):
        return tuple(map(_plain, node))
    if not isinstance(node, ast.AST):
        return node
    fields = {name: _body(node) if name == "body" else value for name, value in ast.iter_fields(node)}
    return type(node).__name__, *((name, _plain(value)) for name, value in fields.items() if value not in (None, []))


def _body(node: Any) -> Any:
    return node.body[1:] if isinstance(node, WITH_DOCSTRING) and ast.get_docstring(node) is not None else node.body


def files_at(root: Path, names: list[str]) -> Iterator[Path]:
    """Yield the files at and below some paths under `root`. Raises FileNotFoundError if a path does not exist."""
    for name in names:
        path = root / name
        if not path.exists():
            raise FileNotFoundError(f"expected a file or folder {path}")
        for each in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if each.is_file() and not set(LEFT_OUT) & set(each.parts):
                yield each


if __name__ == "__main__":
    print(digest_of_files(Path.cwd(), files_at(Path.cwd(), sys.argv[1:]), content_of=code_of))
