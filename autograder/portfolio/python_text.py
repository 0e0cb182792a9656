"""Writes values as Python expressions that give them back: Python's own types, and records of named classes."""

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any


class NotPlain(TypeError):
    """A value that no Python expression can recreate, such as an open file or a function."""


def python_text(value: Any, classes: dict[str, str]) -> str:
    """Return an expression for a value; add {name: module} of the classes that it names to `classes`.

    Raises NotPlain.
    Example: python_text({"a": (1, None)}, {}) -> '{"a": (1, None)}'
    """
    if value is None or isinstance(value, bool | int | bytes) or (isinstance(value, float) and math.isfinite(value)):
        return repr(value)
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, Mapping):
        pairs = [f"{python_text(key, classes)}: {python_text(each, classes)}" for key, each in value.items()]
        return f"{{{', '.join(pairs)}}}"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _record(value, [getattr(value, each.name) for each in dataclasses.fields(value) if each.init], classes)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return _record(value, value, classes)
    if isinstance(value, Fraction):
        return _record(value, value.as_integer_ratio(), classes)
    return _collection(value, classes)


def _quoted(text: str) -> str:
    """Return the literal with double quotes, as formatters write it, unless the text has some."""
    literal = repr(text)
    return literal if literal.startswith('"') or '"' in text else f'"{literal[1:-1]}"'


def _record(value: Any, fields: Sequence[Any], classes: dict[str, str]) -> str:
    kind = type(value)
    if "." in kind.__qualname__:
        raise NotPlain(f"{kind.__qualname__} is not a class at the top level of a module")
    classes[kind.__name__] = kind.__module__
    return f"{kind.__name__}({_joined(fields, classes)})"


def _collection(value: Any, classes: dict[str, str]) -> str:
    if type(value) is list:
        return f"[{_joined(value, classes)}]"
    if type(value) is tuple:
        return f"({_joined(value, classes)}{',' * (len(value) == 1)})"
    if type(value) in (set, frozenset):
        items = ", ".join(sorted(python_text(each, classes) for each in value))
        text = f"{{{items}}}" if items else "set()"
        return text if type(value) is set else f"frozenset({text})"
    raise NotPlain(f"{type(value).__name__} is not a plain value")


def _joined(values: Iterable[Any], classes: dict[str, str]) -> str:
    return ", ".join(python_text(each, classes) for each in values)
