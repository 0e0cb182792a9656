"""Finds what a drive rests on: modules of the kit, and the functions of the standard library that these call by module.

Imports are followed within the kit, at the top of a module and inside its functions. A module that a function would
import later is imported at once, since a notebook could replace it before.
"""

import importlib
import inspect
import sys
import types
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

KIT = ("autograder.inside.", "autograder.stages.", "streamlab.")
# Honest notebooks change these: nest_asyncio replaces functions of asyncio, and filters those of warnings.
FREE_TO_CHANGE = {"asyncio", "warnings"}


def modules_below(name: str, found: dict[str, types.ModuleType] | None = None) -> dict[str, types.ModuleType]:
    """Return the kit's modules that the module `name` reaches, itself included, by name."""
    found = {} if found is None else found
    with suppress(ImportError):  # a package that only some tasks need
        found.setdefault(name, importlib.import_module(name))
        for each in sorted(_imported(found[name]) - found.keys()):
            if each not in found:
                modules_below(each, found)
    return found


def calls_of(module: types.ModuleType) -> Iterator[tuple[str, Mapping[str, Any], str]]:
    """Yield (full name, namespace, name) of each function of the standard library that the module's code may call."""
    names = {name for code in _codes(module) for name in code.co_names}
    for each in list(vars(module).values()):
        if not isinstance(each, types.ModuleType) or each.__name__.partition(".")[0] not in sys.stdlib_module_names:
            continue
        if each.__name__.partition(".")[0] not in FREE_TO_CHANGE:
            yield from ((f"{each.__name__}.{name}", vars(each), name) for name in sorted(names & vars(each).keys()))


def _imported(module: types.ModuleType) -> set[str]:
    """Return the names of the kit's modules that a module has imported, or that its functions import."""
    found = set()
    for each in list(vars(module).values()):
        origin = each.__name__ if isinstance(each, types.ModuleType) else getattr(each, "__module__", None)
        found.add(origin if isinstance(origin, str) else "")
    for code in _codes(module):
        for package in (name for name in code.co_names if name.startswith(KIT)):
            found |= {package, *(f"{package}.{name}" for name in code.co_names if _is_module(package, name))}
    return {name for name in found if name.startswith(KIT)}


def _is_module(package: str, name: str) -> bool:
    with suppress(ImportError):
        paths = getattr(importlib.import_module(package), "__path__", ())
        return name.isidentifier() and any(_has_file(path, name) for path in paths)
    return False


def _has_file(path: str, name: str) -> bool:
    return Path(path, f"{name}.py").is_file() or Path(path, name, "__init__.py").is_file()


def _codes(module: types.ModuleType) -> Iterator[types.CodeType]:
    """Yield the code of each function and method that the module defines, and of what is nested in it."""
    spaces: list[Mapping[str, Any]] = [vars(module)]
    while spaces:
        for each in list(spaces.pop().values()):
            function = inspect.unwrap(getattr(each, "__func__", getattr(each, "fget", each)))
            if getattr(function, "__module__", None) != module.__name__:
                continue
            if isinstance(function, type):
                spaces.append(vars(function))
            elif isinstance(function, types.FunctionType):
                yield from _nested(function.__code__)


def _nested(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from _nested(each)
