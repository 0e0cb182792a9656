"""Recorded answers of oracles, which the student's kit has in place of the oracles' code (see `autograder.pack`).

A question is a function's name and its arguments. Answers are stored as JSON without loss, including tuples, sets,
bytes, `nan` and named tuples. A dataclass comes back as an object with the same fields.
"""

import hashlib
import json
import math
from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

SUFFIX = ".json"  # of the file with the answers, which otherwise has the oracle's name
DIGITS = 16  # of a question's digest
MARK = "$"  # starts the only key of an object that encodes a value of another type
ANY_TYPE = {"$type": "Any"}  # in place of any type


class UnknownQuestion(LookupError):
    """A question was not recorded; the message says what the student's kit can judge."""


class NotPlain(TypeError):
    """A value cannot be recorded; the message says which types can."""


class Recorded:
    """The recorded constants and answers of one oracle, read from the JSON file next to its module."""

    def __init__(self, module_file: str) -> None:
        content = json.loads(Path(module_file).with_suffix(SUFFIX).read_text(encoding="ascii"))
        self._constants: dict[str, Any] = content["constants"]
        self._answers: dict[str, dict[str, Any]] = content["answers"]

    def constant(self, name: str) -> Any:
        """Return a constant of the oracle."""
        return decoded(self._constants[name])

    def function(self, name: str) -> Callable[..., Any]:
        """Return a function that looks up its answers; it raises UnknownQuestion for any other arguments."""
        answers = self._answers[name]

        def answer(*args: Any, **kwargs: Any) -> Any:
            key = question(without_iterators(args), kwargs)
            if key not in answers:
                raise UnknownQuestion(f"this kit has the right answers for the public cases only, and {name} has none")
            return decoded(answers[key])

        return answer


def question(args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    """Return the digest of a call's arguments; raises NotPlain for an argument that cannot be recorded."""
    text = json.dumps([encoded(list(args)), encoded(dict(kwargs))], sort_keys=True, allow_nan=False)
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:DIGITS]


def without_iterators(args: Sequence[Any]) -> list[Any]:
    """Return the arguments with each iterator (for example, a generator) replaced by the list of its items."""
    return [list(each) if isinstance(each, Iterator) else each for each in args]


def encoded(value: Any) -> Any:
    """Return a value as JSON that `decoded` converts back; raises NotPlain for a value that is not plain data.

    Example: encoded((1, b"a")) -> {"$tuple": [1, {"$bytes": "61"}]}
    """
    kind = type(value)
    if value is None or kind in (bool, int, str) or (kind is float and math.isfinite(value)):
        return value
    if kind is list:
        return [encoded(each) for each in value]
    if kind is dict:
        return _encoded_dict(value)
    if kind is float:
        return {"$float": repr(value)}
    if kind is bytes:
        return {"$bytes": value.hex()}
    if kind in (set, frozenset):
        return {f"${kind.__name__}": sorted(map(encoded, value), key=json.dumps)}
    return _encoded_record(value)


def _encoded_dict(value: dict[Any, Any]) -> Any:
    if all(type(key) is str and not key.startswith(MARK) for key in value):
        return {key: encoded(each) for key, each in value.items()}
    return {"$dict": [[encoded(key), encoded(each)] for key, each in value.items()]}


def _encoded_record(value: Any) -> Any:
    if type(value) is tuple:
        return {"$tuple": [encoded(each) for each in value]}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {"$named": [type(value).__name__, {name: encoded(each) for name, each in value._asdict().items()}]}
    if is_dataclass(value) and not isinstance(value, type):
        return {"$fields": {each.name: encoded(getattr(value, each.name)) for each in fields(value)}}
    accepted = "numbers, texts, bytes, containers of them, dataclasses"
    raise NotPlain(f"{type(value).__name__} is not plain data; expected {accepted}")


def decoded(value: Any) -> Any:
    """Return the value that `encoded` got; a dataclass becomes an object with its fields."""
    if isinstance(value, list):
        return [decoded(each) for each in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1 and (key := next(iter(value))).startswith(MARK):
        return _DECODERS[key](value[key])
    return {key: decoded(each) for key, each in value.items()}


def _named(parts: list[Any]) -> Any:
    name, values = parts
    return namedtuple(name, list(values))(**decoded(values))  # type: ignore[misc]


_DECODERS: dict[str, Callable[[Any], Any]] = {
    "$float": float,
    "$bytes": bytes.fromhex,
    "$tuple": lambda parts: tuple(decoded(parts)),
    "$set": lambda parts: set(decoded(parts)),
    "$frozenset": lambda parts: frozenset(decoded(parts)),
    "$dict": lambda pairs: {decoded(key): decoded(each) for key, each in pairs},
    "$named": _named,
    "$type": lambda name: Any,
    "$fields": lambda values: SimpleNamespace(**decoded(values)),
}
