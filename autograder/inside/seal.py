"""The seal: detects whether the judging code in this process has changed since before the learner's cells ran.

It compares functions by identity and by their code, and registries and instances by their entries. What a drive rests
on besides (the kit's library, and functions of the standard library that it calls) counts for its own task only.

Guarantee: the seal finds judging code that was replaced, and is still replaced, before the next rows are sent.
Limits: code in the same process may restore everything in time, or replace the code of this module (the audit reports
that) together with the audit's. So no point depends on the seal alone. Rows are judged outside, where a forged row has
to be right to earn anything. Only values that are measured in this process, such as the number of jobs that a call
started, are no more reliable than the process itself. `autograder.judge` handles a broken seal.
"""

import builtins
import sys
import types

# Own references, which stay intact if the learner's code replaces the builtins.
from builtins import callable, frozenset, isinstance, len, list, set, sorted, type, vars  # noqa: UP029
from collections.abc import Iterator, Mapping
from typing import Any

from autograder.inside.foundations import calls_of, modules_below

OURS = ("autograder.inside.", "autograder.stages.", "streamlab.notebooks.", "json", "json.decoder", "json.encoder")
SPARKS = (
    "py4j.clientserver",
    "py4j.java_gateway",
    "py4j.protocol",
    "pyspark.core.context",
    "pyspark.core.rdd",
    "pyspark.streaming.dstream",
)
PYSPARKS_OWN = {"pyspark.core.rdd.RDD.toDF", "py4j.java_gateway.get_return_value"}  # a new session sets these
FREE_TO_CHANGE = {"builtins.input", "builtins.print", "builtins._", *PYSPARKS_OWN}
PYTHONS_OWN = {"__warningregistry__"}
FOUND_MAX = 5

_ABSENT = object()
Space = Mapping[Any, Any]


class Snapshot:
    """Names, and the objects that they referred to when they were added."""

    def __init__(self) -> None:
        self._values: list[tuple[str, Space, Any, object]] = []
        self._codes: list[tuple[str, types.FunctionType, types.CodeType, object]] = []
        self._complete: list[tuple[str, Space, frozenset[Any]]] = []

    def add_module(self, name: str, module: types.ModuleType, *, complete: bool) -> None:
        """Add a module with its functions and classes; with `complete`, no name may be added to it later."""
        self._values.append((name, sys.modules, name, module))
        self.add_callables(name, vars(module))
        if complete:
            self._complete.append((name, vars(module), frozenset(vars(module))))

    def add_values(self, values: Iterator[tuple[str, Space, str]]) -> None:
        """Add entries of modules, each as (full name, namespace, name), as far as they can be called."""
        self._values += [(full, space, name, space[name]) for full, space, name in values if callable(space[name])]

    def add_instance(self, name: str, space: Space, keys: frozenset[str] | None = None) -> None:
        """Add all attributes of an object, or only those in `keys`."""
        self._values += [(f"{name}.{key}", space, key, each) for key, each in space.items() if not keys or key in keys]
        if keys is None:
            self._complete.append((name, space, frozenset(space)))

    def add_callables(self, name: str, space: Space) -> None:
        """Add all callables in `space`, and the methods that its classes define."""
        for key, value in list(space.items()):
            full = f"{name}.{key}"
            if not callable(value) or full in FREE_TO_CHANGE:
                continue
            self._values.append((full, space, key, value))
            if isinstance(value, types.FunctionType):
                self._codes.append((full, value, value.__code__, value.__defaults__))
            elif isinstance(value, type) and value.__module__ == name:
                self.add_callables(full, vars(value))

    def changes(self) -> Iterator[str]:
        """Yield the names that refer to something else now."""
        for name, space, key, value in self._values:
            if space.get(key, _ABSENT) is not value:
                yield name
        for name, function, code, defaults in self._codes:
            if function.__code__ is not code or function.__defaults__ is not defaults:
                yield name
        for name, space, keys in self._complete:
            if len(space) != len(keys):
                yield from (f"{name}.{key}" for key in space.keys() - keys - PYTHONS_OWN)


class Seal:
    """A snapshot from before the learner's cells run; `broken()` returns the names that have changed since."""

    def __init__(self, instances: Mapping[str, Space], modules: Mapping[str, str] | None = None) -> None:
        """Seal the judging code; `modules` has the module of each task's drive."""
        self._below = {task: modules_below(name) for task, name in (modules or {}).items()}
        self._library: dict[str, Snapshot] = {}
        for name, module in {name: each for below in self._below.values() for name, each in below.items()}.items():
            self._library[name] = Snapshot()
            self._library[name].add_callables(name, vars(module))
            self._library[name].add_values(calls_of(module))
        self._ours, self._sparks, self._context = Snapshot(), Snapshot(), None
        for name, module in _modules(OURS):
            self._ours.add_module(name, module, complete=not hasattr(module, "__path__"))
        for name, space in instances.items():
            self._ours.add_instance(name, space)
        self._ours.add_callables("builtins", vars(builtins))
        for name, module in _modules(SPARKS):
            self._sparks.add_module(name, module, complete=False)

    def close_context(self, context: Any) -> None:
        """Add the objects that connect to Spark's Java process, once a session exists; they count its jobs."""
        if self._context is None:
            self._context = context
            self._sparks.add_instance("SparkContext", vars(context), frozenset(("_jsc", "_jvm", "_gateway")))
            java = vars(context._jsc)
            self._sparks.add_instance("SparkContext._jsc", java, frozenset(("_gateway_client", "_target_id")))

    def broken(self, task: str = "", *, spark: bool) -> list[str]:
        """Return up to `FOUND_MAX` changed names; with `spark`, also those in the code that talks to Spark."""
        found = set(self._ours.changes())
        for name in self._below.get(task, ()):
            found |= set(self._library[name].changes())
        if spark:
            found |= {*self._sparks.changes(), *self._replaced_members()}
        return sorted(found)[:FOUND_MAX]

    def _replaced_members(self) -> Iterator[str]:
        java: dict[str, Any] = vars(self._context._jsc) if self._context is not None else {}
        for name, member in {**java, **java.get("_methods", {})}.items():
            if callable(member) and type(member).__module__ != "py4j.java_gateway":
                yield f"SparkContext._jsc.{name}"


def _modules(prefixes: tuple[str, ...]) -> list[tuple[str, types.ModuleType]]:
    """Return the loaded modules by name; a prefix that ends with a period matches all modules below it."""
    folders = tuple(each for each in prefixes if each.endswith("."))
    return [(name, each) for name, each in list(sys.modules.items()) if name in prefixes or name.startswith(folders)]
