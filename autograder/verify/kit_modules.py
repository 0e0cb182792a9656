"""Find the files of `streamlab` and of `datasets` that other files use, from their text; nothing is imported.

A module counts as used if it is imported or if its full name appears, as for `python -m` or in a configuration. One
module too many is safe; one too few would keep an outdated verification valid. `_HOME_OF` lists the names that a
package loads at first use.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

_A_MODULE = re.compile(r"\bstreamlab(?:\.\w+)+")


def used_by(root: Path, files: Iterable[Path]) -> set[Path]:
    """Return the streamlab modules that `files` use, directly or indirectly, with their data, and the data sets."""
    found, texts, to_read = set[Path](), list[str](), [path for path in files if path.suffix == ".py"]
    while to_read:
        path = to_read.pop()
        texts.append(path.read_text(encoding="utf-8", errors="replace"))
        is_code = path.suffix == ".py"
        used = {*_modules_in(root, texts[-1]), *_data_of(path, root)} if is_code else _named(root, texts[-1])
        to_read += used - found
        found |= used
    return found | set(_data_sets(root, texts))


def _named(root: Path, text: str) -> set[Path]:
    return {file for name in _A_MODULE.findall(text) for file in _files_on_the_way(root, name)}


def _modules_in(root: Path, code: str) -> Iterator[Path]:
    yield from _named(root, code)
    for name in _imported(code):
        package, _, last = name.rpartition(".")
        if package.split(".")[0] == "streamlab":
            yield from _files_on_the_way(root, name)
            yield from _files_on_the_way(root, f"{package}.{_homes(root, package).get(last, '')}")


def _imported(text: str) -> Iterator[str]:
    """Yield imported names: a.b for `import a.b`; a.b and a.c for `from a import b, c`, modules or not."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _files_on_the_way(root: Path, name: str) -> Iterator[Path]:
    """Yield the packages above the module and the module itself; the rest of `name` after it is ignored."""
    folder = root
    for part in name.split("."):
        module, folder = folder / f"{part}.py", folder / part
        if module.is_file():
            yield module
            return
        if (folder / "__init__.py").is_file():
            yield folder / "__init__.py"


def _homes(root: Path, package: str) -> dict[str, str]:
    """Return what `package` loads at first use, {name: module below the package}; empty if it loads nothing so."""
    file = root / package.replace(".", "/") / "__init__.py"
    if not package or not file.is_file():
        return {}
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "_HOME_OF" for t in node.targets):
            return dict(ast.literal_eval(node.value))
    return {}


def _data_of(module: Path, root: Path) -> Iterator[Path]:
    """Yield the data files next to a module of streamlab, also those in folders that are not packages."""
    if not module.is_relative_to(root / "streamlab"):
        return
    for path in module.parent.iterdir():
        if path.is_file() and path.suffix != ".py":
            yield path
        elif path.is_dir() and path.name != "__pycache__" and not (path / "__init__.py").exists():
            yield from (each for each in path.rglob("*") if each.is_file())


def _data_sets(root: Path, texts: Iterable[str]) -> Iterator[Path]:
    """Yield the files of each data set whose folder appears in a string or as a path.

    Its description and compiled Python do not count.
    """
    whole = "\n".join(texts)
    for folder in sorted((root / "datasets").glob("*/")):
        if f'"{folder.name}"' in whole or f"datasets/{folder.name}" in whole:
            files = (path for path in folder.rglob("*") if path.is_file())
            yield from (path for path in files if path.suffix != ".md" and path.parent.name != "__pycache__")
