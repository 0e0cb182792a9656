"""Values and errors as JSON, for calls between two sandboxes (autograder.inside.calls).

Only builtin values cross, with the kit's NamedTuples and dataclasses. What comes from the other sandbox is read as
data: only objects of these classes are made from it, and nothing is imported or unpickled.
"""

import base64
import builtins
import dataclasses
import math
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

KIT = "streamlab."
FROM_TEXT: dict[str, Callable[[str], Any]] = {
    "float": float,
    "Fraction": Fraction,
    "path": Path,
    "bytes": lambda text: base64.b64decode(text, validate=True),
}
Refer = Callable[[Any], Any]  # a value that does not cross -> its reference as JSON; raises TypeError


def as_json(value: Any, refer: Refer) -> Any:
    """Return a value as JSON; `refer` gives what stands for a value that does not cross. Raises TypeError.

    Example: as_json((1, b"a"), refer) -> {"tuple": [1, {"bytes": "YQ=="}]}
    """
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else {"float": str(value)}
    if isinstance(value, bytes | bytearray):
        return {"bytes": base64.b64encode(value).decode("ascii")}
    if isinstance(value, Fraction | Path):
        return {"Fraction" if isinstance(value, Fraction) else "path": str(value)}
    if is_of_the_kit(type(value)):
        fields = value if isinstance(value, tuple) else _fields(value)
        return {"kit": [type(value).__module__, type(value).__name__, *(as_json(each, refer) for each in fields)]}
    if isinstance(value, dict):
        return {"dict": [[as_json(key, refer), as_json(each, refer)] for key, each in value.items()]}
    for kind in (list, tuple, set, frozenset):
        if isinstance(value, kind):
            parts = [as_json(each, refer) for each in value]
            return parts if kind is list else {kind.__name__: parts}
    return refer(value)


def from_json(content: Any, referred: Refer) -> Any:
    """Return the value of `as_json`; `referred` returns what a reference stands for. Raises ValueError.

    Example: from_json({"tuple": [1, {"bytes": "YQ=="}]}, referred) -> (1, b"a")
    """
    if isinstance(content, list):
        return [from_json(each, referred) for each in content]
    if not isinstance(content, dict):
        return content
    ((kind, parts),) = content.items()
    if kind in FROM_TEXT:
        return FROM_TEXT[kind](parts)
    if kind == "dict":
        return {from_json(key, referred): from_json(each, referred) for key, each in parts}
    if kind in ("tuple", "set", "frozenset"):
        return getattr(builtins, kind)(from_json(each, referred) for each in parts)
    if kind == "kit":
        module, name, *fields = parts
        return class_of_the_kit(module, name)(*(from_json(each, referred) for each in fields))
    return referred(content)


def error_as_json(problem: BaseException) -> list[Any]:
    """Return an error as JSON: its class and bases, and its arguments and attributes, or only its text."""
    kinds = [[each.__module__, each.__name__] for each in type(problem).__mro__]
    try:
        return [kinds, as_json(problem.args, _never), as_json(vars(problem), _never)]
    except TypeError:
        return [kinds, {"tuple": [str(problem)]}, {"dict": []}]


def error_from_json(content: list[Any]) -> Exception:
    """Return an error with the same text and attributes, of the first of its classes that is Python's or the kit's."""
    kinds, arguments, attributes = content
    named = (_named(*each) for each in kinds if each[0] == "builtins" or each[0].startswith(KIT))
    known = (each for each in named if isinstance(each, type) and issubclass(each, Exception))
    found: type[Exception] = next(known, RuntimeError)
    values = from_json(arguments, _never)
    problem = found(*values) if found.__module__ == "builtins" else found.__new__(found, *values)
    vars(problem).update(from_json(attributes, _never))
    return problem


def is_of_the_kit(kind: type) -> bool:
    """Return whether instances of a class cross by value: a NamedTuple or a dataclass of `streamlab`."""
    is_record = dataclasses.is_dataclass(kind) or (issubclass(kind, tuple) and hasattr(kind, "_fields"))
    return is_record and kind.__module__.startswith(KIT)


def class_of_the_kit(module: str, name: str) -> type:
    """Return a class of the kit whose instances cross; raises ValueError for any other, or one not imported here."""
    found = _named(module, name)
    if not (isinstance(found, type) and is_of_the_kit(found)):
        raise ValueError("no such class crosses")
    return found


def _named(module: str, name: str) -> Any:
    return vars(sys.modules[module]).get(name) if module in sys.modules else None


def _fields(value: Any) -> list[Any]:
    return [getattr(value, field.name) for field in dataclasses.fields(value)]


def _never(value: Any) -> Any:
    raise TypeError(f"a {type(value).__name__} does not cross")
